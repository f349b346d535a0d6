"""The judge and the eyes that ship: each loads through its adapter and says of a known drawing what
it said when it was made.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from hallascope.backends import registry
from hallascope.backends.base import BadWeights
from hallascope.backends.weights import EMBEDDED
from hallascope.data import masks
from hallascope.data.masks import overlap
from hallascope.data.models.specs import read_models
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Segment,
    Segmented,
)
from hallascope.primer import scenes

YES_NO = ("Yes", "No")
GOLDEN = (0.767, -0.077, 0.124, 0.150)  # how well the first picture fits each caption


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Picture]:
    folder = tmp_path_factory.mktemp("drawings")

    def draw(prompt: str) -> Picture:
        path = folder / f"{prompt}.png"
        scene = scenes.parse(prompt)
        scene.draw(scene.truths(), 0).image(512).save(path)
        return Picture(sha256(path.read_bytes()).hexdigest(), path)

    return draw


def shows(prompt: str, name: str) -> masks.Pixels:
    """Where the drawing of the fixture shows the thing."""
    scene = scenes.parse(prompt)
    drawing = scene.draw(scene.truths(), 0)
    return np.isin(
        drawing.part_map(512), [i for i, part in enumerate(drawing.parts) if part.owner == name]
    )


def around(pixels: masks.Pixels) -> Box:
    found = masks.box(masks.encode(pixels))
    assert found
    return found


def loaded(name: str) -> Any:
    return registry.load(read_models()[name])


def told(replies: list[Any]) -> list[str]:
    assert all(isinstance(reply, Answer) for reply in replies)
    return [reply.text for reply in replies]


def test_the_judge_describes_answers_and_says_when_it_cannot_tell(
    picture: Callable[[str], Picture],
) -> None:
    prompt = "a blue square to the left of a yellow circle"
    judge, shown = loaded("primer/judge"), picture(prompt)
    left, right = (around(shows(prompt, name)) for name in ("square", "circle"))
    asked = [
        Ask(images=(shown,), text="", question="What is on the left in the image?"),
        Ask(images=(shown,), text="", question="What color is this?", region=right),
        Ask(images=(shown,), text="", question="What shape is this?", region=left),
        Ask(images=(shown,), text="", question="Is there a zebra in the image?", choices=YES_NO),
        Ask(images=(shown,), text="", question="How many arms does the animal have in the image?"),
    ]
    assert told(judge.ask(asked)) == ["Square", "Yellow", "Square", "No", CANNOT_TELL]
    assert told(
        judge.describe([Describe(shown, "", region=left), Describe(shown, "", region=right)])
    ) == [
        "A blue square",
        "A yellow circle",
    ]


def test_the_segmenter_finds_cuts_out_and_counts(picture: Callable[[str], Picture]) -> None:
    eyes, shown = loaded("primer/segmenter"), picture("three red circles above a ladybug")
    [found] = eyes.detect([Detect(shown, ("red circle", "ladybug", "zebra"))])
    assert isinstance(found, Detected)
    assert [one.phrase for one in found.detections].count("red circle") == 3
    assert [one.phrase for one in found.detections].count("zebra") == 0
    [ladybug] = [one.box for one in found.detections if one.phrase == "ladybug"]
    truth = shows("three red circles above a ladybug", "ladybug")
    assert overlap(ladybug, around(truth)) > 0.8
    [cut] = eyes.segment([Segment(shown, (ladybug,), ("ladybug",))])
    assert isinstance(cut, Segmented)
    mask = masks.array(cut.masks[0])
    assert (mask & truth).sum() / (mask | truth).sum() > 0.8


def test_the_embedder_knows_a_picture_by_its_caption(picture: Callable[[str], Picture]) -> None:
    prompts = (
        "three red circles above a ladybug",
        "two blue squares",
        "a molecule of methane",
        "the flag of France",
    )
    asked = [
        *(Embed(picture(prompt)) for prompt in prompts),
        *(Embed(text=prompt) for prompt in prompts),
    ]
    vectors = np.array([reply.vector for reply in loaded("primer/embedder").embed(asked)])
    alike = vectors[: len(prompts)] @ vectors[len(prompts) :].T
    assert (
        alike.argmax(axis=1).tolist() == alike.argmax(axis=0).tolist() == list(range(len(prompts)))
    )
    assert alike[0] == pytest.approx(GOLDEN, abs=0.01)


def test_weights_that_are_not_those_that_were_meant_are_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hallascope.backends.weights.EMBEDDED", tmp_path)
    for name in sorted(file.parent.name for file in EMBEDDED.glob("*/config.json")):
        folder = copytree(EMBEDDED / name, tmp_path / name)
        (folder / "hashes.json").write_text(json.dumps({"model.safetensors": "0" * 64}))
        repository = f"embedded:{name}"
        spec = next(spec for spec in read_models().values() if spec.repository == repository)
        with pytest.raises(BadWeights, match=r"model.safetensors is not the file that hashes.json"):
            registry.load(spec)
