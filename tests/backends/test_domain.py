"""The models that ship refuse photographs and images of other styles, and no drawing."""

import io
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import gradio
import pytest
from PIL import Image

from hallascope.backends import domain, registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Describe, Detect, Embed, Failure, Segment
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan
from hallascope.primer import scenes

PHOTOGRAPHS = Path(gradio.__file__).parent / "media_assets" / "images"  # they come with Gradio
NAMES = ("cheetah.jpg", "cheetah1.jpg", "lion.jpg")
PROMPT = "a gentoo penguin"
BOX = Box(0.2, 0.2, 0.8, 0.8)


@pytest.fixture(scope="module")
def judge() -> Any:
    return registry.load(read_models()["primer/judge"])


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[Image.Image], Picture]:
    def keep(image: Image.Image) -> Picture:
        image.convert("RGB").save(stream := io.BytesIO(), "PNG")
        path = tmp_path / f"{sha256(stream.getvalue()).hexdigest()}.png"
        path.write_bytes(stream.getvalue())
        return Picture(path.stem, path)

    return keep


def draw(prompt: str) -> Image.Image:
    scene = scenes.parse(prompt)
    return scene.draw(scene.truths(), prompt).image(512)


def smaller(image: Image.Image) -> Image.Image:
    return image.resize((100, 100), Image.Resampling.BICUBIC)


def jpeg(image: Image.Image) -> Image.Image:
    image.convert("RGB").save(stream := io.BytesIO(), "JPEG", quality=40)
    return Image.open(stream)


CHANGES: tuple[Callable[[Image.Image], Image.Image], ...] = (lambda image: image, smaller, jpeg)


def test_a_photograph_has_no_score_and_one_sentence(
    judge: Any, kept: Callable[[Image.Image], Picture]
) -> None:
    questions = scenes.parse(PROMPT).questions().questions
    for name, change in zip(NAMES, CHANGES, strict=True):
        image = kept(change(Image.open(PHOTOGRAPHS / name)))
        case = Case(prompt=PROMPT, image=image, questions=questions)
        report = run(plan.plan(case), [judge.ask(next(plan.plan(case)))])
        assert report.score.value is None, "not 0"
        assert (report.score.counted, report.score.left_out) == (0, 5)
        (sentence,) = {verdict.failure for verdict in report.verdicts}
        assert "cannot see photos or other images outside its drawn style" in str(sentence)
        assert "Choose another judge." in str(sentence)


def test_a_part_of_a_photograph_a_description_and_a_reference_are_refused_too(
    judge: Any, kept: Callable[[Image.Image], Picture]
) -> None:
    photograph, drawing = kept(Image.open(PHOTOGRAPHS / "lion.jpg")), kept(draw(PROMPT))
    asked = [
        Ask(images=(photograph,), text="", question="What is this?", region=BOX),
        Ask(
            images=(drawing, photograph),
            text="",
            question="Is the shape the same?",
            choices=("Yes", "No"),
        ),
    ]
    replies = [*judge.ask(asked), *judge.describe([Describe(photograph, "")])]
    assert [isinstance(reply, Failure) and reply.kind for reply in replies] == ["outside"] * 3
    assert isinstance(
        judge.ask([Ask(images=(drawing,), text="", question="What is this?", region=BOX)])[0],
        Answer,
    )


@pytest.mark.parametrize(
    "question",
    [
        "Does this figure show 'two zebras'?",
        "Does this figure show 'a gentoo penguin'?",
        "Is the woman wearing a tuxedo?",
        "Can you see a red circle?",
    ],
)
def test_a_question_that_the_judge_has_not_learned_has_no_answer(
    judge: Any, kept: Callable[[Image.Image], Picture], question: str
) -> None:
    foreign = Ask(images=(kept(draw(PROMPT)),), text="", question=question, choices=("Yes", "No"))
    learned = replace(foreign, question="Is there a gentoo penguin in the image?")
    first, refused, free = judge.ask([learned, foreign, replace(foreign, choices=())])
    assert first.probabilities[0] > 0.9, "the answers keep their order"
    assert refused.kind == "outside"
    assert f"cannot judge “{question}”. Choose another judge." in refused.message
    assert free.text == CANNOT_TELL


def test_every_question_of_primer_has_been_learned(judge: Any) -> None:
    picture = Picture("0" * 64, Path("not opened"))
    for prompt in scenes.benchmark(250):
        for fact in scenes.parse(prompt).fact_questions():
            asked = Ask(images=(picture,), text="", question=fact.text, choices=fact.choices)
            assert judge.foreign_reply(asked) is None, fact.text


def test_every_model_that_ships_refuses_a_photograph_and_sees_a_drawing(
    kept: Callable[[Image.Image], Picture],
) -> None:
    photograph, drawing = kept(Image.open(PHOTOGRAPHS / "cheetah.jpg")), kept(draw(PROMPT))
    segmenter: Any = registry.load(read_models()["primer/segmenter"])
    embedder: Any = registry.load(read_models()["primer/embedder"])
    images = (photograph, drawing)
    for name, (refused, seen) in (
        ("segmenter", segmenter.detect([Detect(one, ("penguin",)) for one in images])),
        ("segmenter", segmenter.segment([Segment(one, (BOX,)) for one in images])),
        ("embedder", embedder.embed([Embed(image=one) for one in images])),
    ):
        assert refused.kind == "outside"
        assert f"The built-in {name} cannot see photos" in refused.message
        assert f"Choose another {name}." in refused.message
        assert not isinstance(seen, Failure)


def test_the_detector_belongs_to_every_key_of_the_cache(judge: Any) -> None:
    assert judge.revision == registry.revision(judge.spec)
    assert judge.revision.count("+") == 3, "weights, weights for pairs, features, detector"
    for model in ("primer/judge", "primer/segmenter", "primer/embedder"):
        revision = registry.revision(read_models()[model])
        assert str(revision).endswith(domain.fingerprint())
