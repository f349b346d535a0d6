"""Tests that a session of the library draws and reads each image once."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

import hallascope
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.images import uploads
from hallascope.engine.run.result import run_result
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.session import image_scores
from tests.support.drawing_functions import PENGUIN, plain_red
from tests.support.scripted import Scripted


def test_the_same_function_is_not_asked_twice_for_one_image(tmp_path: Path) -> None:
    calls = list[int]()

    def counting(prompt: str, seed: int) -> Image.Image:
        calls.append(seed)
        return plain_red(prompt, seed)

    for _ in range(2):
        hallascope.evaluate(PENGUIN, models=counting, judge="primer/judge", home=tmp_path)
    assert calls == [0]


def test_what_a_function_drew_is_not_taken_for_another_of_its_name(tmp_path: Path) -> None:
    scores = []
    for color in ((0, 0, 0), (250, 250, 250)):

        def draw(prompt: str, seed: int, color: tuple[int, int, int] = color) -> Image.Image:
            return Image.new("RGB", (64, 64), color)

        found = hallascope.evaluate("a red circle", models={"mine": draw}, home=tmp_path)
        scores.append(found.scores[0].image)
    assert scores[0] != scores[1]


def test_a_brought_image_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()

    def accept(path: Path) -> bytes:
        read.append(path.name)
        return uploads.accept(path)

    monkeypatch.setattr("hallascope.engine.services.accept", accept)
    for name, seed in (("one.png", 0), ("two.png", 9)):
        plain_red("", seed).save(tmp_path / name)
    images = [tmp_path / "one.png", tmp_path / "two.png"]
    found = hallascope.judge_images(images, PENGUIN, home=tmp_path / "home")
    assert read == ["one.png", "two.png"]
    assert list(dict.fromkeys(score.given for score in found)) == ["one.png", "two.png"]
    unnamed = hallascope.judge_images(plain_red("", 3), PENGUIN, home=tmp_path / "home")
    assert {score.given for score in unnamed} == {None}


def test_an_image_that_is_given_is_judged_as_it_is_held(tmp_path: Path) -> None:
    photo = Image.new("RGB", (40, 20))
    photo.getexif()[0x0112] = 6
    (score, *_) = hallascope.judge_images(photo, PENGUIN, home=tmp_path)
    assert score.image
    with Image.open(score.image) as judged:
        assert judged.size == (20, 40)


def scripted_judge(name: str, reply: str) -> Scripted:
    spec = ModelSpec(
        id=name, title=name, roles=("judge",), backend="scripted", settings={"reply": reply}
    )
    return Scripted(spec)


def test_several_judges_are_a_jury(tmp_path: Path) -> None:
    judges = [scripted_judge("s/b", "A"), scripted_judge("s/a", "A"), scripted_judge("s/c", "B")]
    found = hallascope.evaluate(PENGUIN, models="primer/exact", judge=judges, home=tmp_path)
    score = found.scores[0]
    assert score.judge == "jury/weighted/s/a+s/b+s/c"
    assert score.report is not None
    verdict = score.report.verdicts[0]
    assert verdict.answer == "A"
    assert [member.answer for member in verdict.members] == ["A", "A", "B"]


def test_a_judge_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="besides models and judge"):
        hallascope.evaluate(
            PENGUIN, models="primer/exact", roles={"judge": "primer/judge"}, home=tmp_path
        )


def test_trials_are_in_order_however_the_replies_came(tmp_path: Path) -> None:
    services = Services(Store(folder=tmp_path), read_models())
    request = EvaluateRequest(
        prompt=PENGUIN, models=("primer/exact",), judge="primer/judge", trials=3
    )
    result = run_result(request, services.evaluate(request))
    shuffled = replace(result, evaluations=result.evaluations[::-1])
    trials = [score.trial for score in image_scores(shuffled, ()) if score.score == "score"]
    assert trials == [0, 1, 2]


def test_one_judge_in_a_sequence_is_that_judge_and_none_is_an_error(tmp_path: Path) -> None:
    judge = scripted_judge("s/b", "A")
    found = hallascope.evaluate(PENGUIN, models="primer/exact", judge=[judge], home=tmp_path)
    assert found.scores[0].judge == "s/b"
    with pytest.raises(BadRequest, match="No judge is given"):
        hallascope.evaluate(PENGUIN, models="primer/exact", judge=[], home=tmp_path)


def test_results_are_a_sequence_and_a_score_that_is_left_out_says_why(tmp_path: Path) -> None:
    judge = scripted_judge("s/none", "I see a lovely scene.")
    found = hallascope.evaluate(PENGUIN, models="primer/exact", judge=judge, home=tmp_path)
    assert found[0] is found[:1][0] is found.scores[0]
    assert found.index(found[-1]) == len(found) - 1
    assert (found[0].value, found[0].left_out) == (None, 5)
    assert "`max_tokens`" in str(found[0].failure)
    assert len(repr(found)) < 100
