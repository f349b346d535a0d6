"""Measurements of the embedded models are counted right, and the command prints them."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from hallascope.backends.embedded import measure
from hallascope.backends.embedded.measure import Towers
from hallascope.backends.embedded.training.dataset import phrases
from hallascope.backends.embedded.training.dataset.phrases import PictureContents, Referent
from hallascope.primer.concepts import concepts
from hallascope.primer.shapes import SHAPES

SIDE = 64  # px


def test_a_segmenter_that_knows_the_truth_scores_one_and_one_that_sees_nothing_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure, "DRAWN_AT", SIDE)
    whole = {picture.pixels.tobytes(): picture for picture in measure.sample_pictures(4, SIDE)}
    whole |= {
        picture.pixels.tobytes(): picture for _, _, picture in measure.crowds(SHAPES[:2], SIDE)
    }
    spoken = phrases.phrase_text
    nouns: dict[str, Referent] = {}

    def remembered(noun: Referent, count: int, chance: random.Random) -> str:
        return nouns.setdefault(text := spoken(noun, count, chance), noun) and text

    def knows(pixels: NDArray[np.uint8], texts: Sequence[str]) -> NDArray[np.float32]:
        view = PictureContents(whole[pixels.tobytes()])
        found = []
        for text in texts:
            colour, _, name = text.rpartition(" ")
            found.append(view.instances(nouns.get(text, Referent(name, color=colour))) > 0)
        return np.stack(found).astype(np.float32)

    monkeypatch.setattr(phrases, "phrase_text", remembered)
    told = measure.measure_segmenter(knows, SIDE, 4, 2)
    assert told["overlap of things"].value == told["overlap of parts"].value == 1
    assert told["absent pointed at"] == replace(told["absent pointed at"], value=0.0, n=12)
    assert told["counted, all things"] == replace(told["counted, all things"], value=1.0, n=12)
    blind = measure.measure_segmenter(
        lambda pixels, texts: np.zeros((len(texts), SIDE, SIDE), np.float32), SIDE, 4, 2
    )
    assert blind["overlap of things"].value == blind["counted, all things"].value == 0
    always = measure.measure_segmenter(
        lambda pixels, texts: np.ones((len(texts), SIDE, SIDE), np.float32), SIDE, 4, 1
    )
    assert always["absent pointed at"].value == 1
    assert always["counted, 1 of one piece"].value == 1
    assert always["counted, 2 of one piece"].value == 0


def test_an_embedder_that_knows_the_concepts_finds_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "DRAWN_AT", 32)
    monkeypatch.setattr(measure, "concepts", lambda: concepts()[:12])
    kinds = [concept.phrase for concept, _ in measure.portraits(2)]
    number = {phrase: i for i, phrase in enumerate(dict.fromkeys(kinds))}
    known = {
        drawing.image(32).tobytes(): number[phrase]
        for phrase, (_, drawing) in zip(kinds, measure.portraits(2), strict=True)
    }

    def vectors(numbers: list[int]) -> np.ndarray:
        return np.eye(len(number) + 1, dtype=np.float32)[numbers]

    towers = Towers(
        lambda images: vectors([known.get(image.tobytes(), len(number)) for image in images]),
        lambda texts: vectors([number.get(text, len(number)) for text in texts]),
    )
    told = measure.measure_embedder(towers, 2, 2)
    assert told["concept of an image comes first"] == replace(
        told["concept of an image comes first"], value=1.0, n=2 * len(number)
    )
    assert told["image of a concept comes first"].value == 1
    # The copies are not recognized, and lie near nothing.
    assert told["near-duplicate nearer than its like"].value == 0


@pytest.mark.full
def test_the_command_prints_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    measure.main(["segmenter", "--pictures", "2", "--things", "1", "--json"])
    means = json.loads(capsys.readouterr().out)["means"]
    assert means["counted, all things"]["n"] == 6
    assert 0 <= means["overlap of things"]["value"] <= 1


def test_nothing_counted_is_none() -> None:
    assert measure.CaseMean.from_values([]).value is None
