"""Measurements of the embedded models are counted right, and the command prints them."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hallascope.primer.concepts import concepts
from training import drawings, measure, phrases
from training.drawings import LabeledImage
from training.phrases import ImageContents, Referent

SIDE = 64  # px


def test_a_segmenter_that_knows_the_truth_scores_one_and_one_that_sees_nothing_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure, "DRAWN_AT", SIDE)
    label, phrase_text = drawings.label, phrases.phrase_text
    images: dict[bytes, LabeledImage] = {}
    nouns: dict[str, Referent] = {}

    def label_and_remember(*given: Any) -> LabeledImage:
        image = label(*given)
        return images.setdefault(image.pixels.tobytes(), image)

    def remember_noun(noun: Referent, count: int, chance: random.Random) -> str:
        return nouns.setdefault(text := phrase_text(noun, count, chance), noun) and text

    def know(pixels: NDArray[np.uint8], texts: Sequence[str]) -> NDArray[np.float32]:
        contents = ImageContents(images[pixels.tobytes()])
        found = []
        for text in texts:
            color, _, name = text.rpartition(" ")
            found.append(contents.instances(nouns.get(text, Referent(name, color=color))) > 0)
        return np.stack(found).astype(np.float32)

    monkeypatch.setattr(measure, "label", label_and_remember)
    monkeypatch.setattr(phrases, "phrase_text", remember_noun)
    known = measure.measure_segmenter(know, SIDE, 4, 2)
    assert {*known["overlap of things"], *known["overlap of parts"]} == {1.0}
    assert known["absent pointed at"] == [False] * 12
    assert known["counted, all things"] == [True] * 12
    same = np.zeros((9, SIDE, SIDE), np.float32)
    blind = measure.measure_segmenter(lambda _, texts: same[: len(texts)], SIDE, 4, 2)
    assert {*blind["overlap of things"], *blind["counted, all things"]} == {0.0}
    always = measure.measure_segmenter(lambda _, texts: same[: len(texts)] + 1, SIDE, 4, 1)
    assert {*always["absent pointed at"], *always["counted, 1 of one piece"]} == {True}
    assert {*always["counted, 2 of one piece"]} == {False}


def test_an_embedder_that_knows_the_concepts_finds_each(monkeypatch: pytest.MonkeyPatch) -> None:
    some = concepts()[:12]
    monkeypatch.setattr(measure, "DRAWN_AT", 32)
    monkeypatch.setattr(measure, "concepts", lambda: some)
    one_hot = np.eye(13, dtype=np.float32)
    drawn: dict[bytes, int] = {}

    def embed(images: Sequence[Any]) -> NDArray[np.float32]:
        if not drawn:  # the drawings come first, and then their near-duplicates
            drawn.update((image.tobytes(), i % 12) for i, image in enumerate(images))
        return one_hot[[drawn.get(image.tobytes(), 12) for image in images]]

    names = {concept.phrase: i for i, concept in enumerate(some)}
    cases = measure.measure_embedder(
        embed, lambda texts: one_hot[[names.get(text, 12) for text in texts]], 2, 2
    )
    assert cases["concept of an image comes first"] == [True] * 24
    assert cases["image of a concept comes first"] == [True] * 24
    # The copies are not recognized, and lie near nothing.
    assert cases["near-duplicate nearer than its like"] == [False] * 24


@pytest.mark.full
def test_the_command_prints_means(capsys: pytest.CaptureFixture[str]) -> None:
    measure.main(["segmenter", "--images", "2", "--things", "1"])
    lines = capsys.readouterr().out.splitlines()
    (line,) = (line for line in lines if line.startswith("counted, all things"))
    mean, _, count = line.split()[3:]
    assert (0 <= float(mean) <= 1, count) == (True, "6")
