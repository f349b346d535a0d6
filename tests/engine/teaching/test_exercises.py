"""Exercises with their pictures: drawn ones, and those of a run.

The drawing goes before people, and people before the judge.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli import main
from hallascope.cli.commands import teach
from hallascope.data.requests import Answer, Failure
from hallascope.data.teaching.exercise import MISSING
from hallascope.data.teaching.lesson import DrawnItem, RunItem
from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.teaching import exercises

PROMPT = "a molecule of methane"


FIVE = DrawnItem(PROMPT, "hydrogens", 5, 6)


def run_of(services: Services, *models: str) -> str:
    *_, done = services.evaluate(EvaluateRequest(prompt=PROMPT, models=models, seed=1))
    return done.run


def test_both_pictures_are_kept_and_differ(services: Services) -> None:
    found = exercises.exercise_view(services, FIVE)
    assert found.right
    assert found.picture.path.exists()
    assert found.picture.sha256 != found.right.sha256


def test_what_cannot_be_drawn_is_a_bad_request_in_one_sentence(services: Services) -> None:
    with pytest.raises(BadRequest, match=r"Nothing called 'wheels' .* choose of "):
        exercises.exercise_view(services, DrawnItem(PROMPT, "wheels", 5))


def test_of_a_drawing_in_a_run_the_drawing_says_what_is_wrong_whatever_the_judge_says(
    services: Services,
) -> None:
    # The judge answers all but the first question as a right picture would.
    run = run_of(services, "primer/exact", "primer/careful")
    found = exercises.faults(services, run)
    assert [(fault.by, fault.answer) for fault in found] == [("the drawing", "Five")]
    shown = exercises.exercise_view(services, found[0].item)
    assert shown.exercise.right_parts == {"hydrogen atom"}
    assert MISSING not in shown.exercise.right_parts
    assert shown.exercise.source == "Primer’s definition of methane"
    assert shown.right
    assert shown.opinion is not None
    assert exercises.sees_fault(shown, shown.opinion) is False


def uploaded(services: Services, said: str) -> tuple[str, str]:
    """A run about a picture that nobody drew here, whose judge says this to every question.

    The run and its place.
    """
    picture = exercises.exercise_view(services, FIVE).picture
    *_, done = services.evaluate(EvaluateRequest(prompt=PROMPT, models=(), images=(picture.path,)))
    return done.run, services.view(done.run).shots[0].generation


def test_of_another_picture_the_judge_says_what_is_wrong_and_no_place_is_asked(
    make_services: Any,
) -> None:
    services = make_services(lambda ask: Answer("A"))
    run, place = uploaded(services, "A")
    found = exercises.faults(services, run)
    assert found
    assert {fault.by for fault in found} == {"primer/judge"}
    shown = exercises.exercise_view(services, found[0].item).exercise
    assert shown.near is None
    assert shown.source == "primer/judge"
    assert f"In this image: {shown.shown[:1].lower()}" in shown.why
    wrong = {fault.question.text for fault in found}
    assert (
        sum(fact in {q.replace(" in the image", "") for q in wrong} for fact in shown.facts) == 1
    ), "no other wrong fact is offered"
    with pytest.raises(BadRequest, match="Nobody says any longer"):
        exercises.exercise_view(services, RunItem(run, place, "Is it?"))


def test_people_go_before_the_judge(make_services: Any) -> None:
    services = make_services(lambda ask: Answer("A"))
    run, _ = uploaded(services, "A")
    fault = exercises.faults(services, run)[0]
    shot = services.view(run).shots[0]
    about = RatingSubject(
        str(shot.image), IHALLA, PROMPT, f"{QUESTION}{fault.question.text}", "Ann"
    )
    services.store.ratings.keep(about, fault.question.choice(fault.question.gold))
    assert fault.item not in [one.item for one in exercises.faults(services, run)]
    other = next(
        choice
        for choice in fault.question.choices
        if choice not in (fault.answer, fault.question.choice(fault.question.gold))
    )
    services.store.ratings.keep(about, other)
    found = next(one for one in exercises.faults(services, run) if one.item == fault.item)
    assert (found.answer, found.by) == (other, "Ann")


def test_a_run_or_picture_that_is_not_here_is_said_so(services: Services) -> None:
    with pytest.raises(UnknownRun):
        exercises.exercise_view(services, RunItem("none", "none", "Is it?"))
    run = run_of(services, "primer/exact")
    with pytest.raises(BadRequest, match="is not in the store"):
        exercises.exercise_view(services, RunItem(run, "none", "Is it?"))


def test_a_judge_that_answers_as_the_picture_does_sees_the_fault(make_services: Any) -> None:
    services = make_services(lambda ask: Answer("ABCDE"[ask.choices.index("Five")]))
    found = exercises.exercise_view(services, FIVE)
    (opinion,) = exercises.ask_judge(services, [found])
    assert exercises.sees_fault(found, opinion)


def test_a_judge_that_does_not_answer_saw_nothing_and_nothing_is_made_up(
    make_services: Any,
) -> None:
    services = make_services(lambda ask: Failure("timeout", "It took too long: try again."))
    found = exercises.exercise_view(services, FIVE)
    (opinion,) = exercises.ask_judge(services, [found])
    assert exercises.sees_fault(found, opinion) is None
    assert opinion.verdict.failure == "It took too long: try again."


# --- commands
# --------------------------------------------------------------------------------------------------
def ran(
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *arguments: object,
) -> tuple[int, str, str]:
    monkeypatch.setattr(teach, "create_services", lambda: services)
    with pytest.raises(SystemExit) as left:
        main.main(["teach", *map(str, arguments)])
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_a_set_becomes_a_page_and_a_link(
    services: Services,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "set.yaml").write_text(
        f"title: One\nexercises: [{{prompt: {PROMPT}, wrong: hydrogens}}]", encoding="utf-8"
    )
    out = tmp_path / "set.html"
    code, said, _ = ran(services, monkeypatch, capsys, "page", tmp_path / "set.yaml", out)
    assert (code, said.startswith(f"{out}: 1 exercises")) == (0, True)
    assert "<title>One</title>" in out.read_text("utf-8")
    code, _, err = ran(services, monkeypatch, capsys, "page", tmp_path / "set.yaml", out)
    assert (code, "--force" in err) == (2, True)
    code, link, _ = ran(services, monkeypatch, capsys, "link", tmp_path / "set.yaml")
    assert link.startswith("?tab=teach&set=")
    code, said, _ = ran(
        services, monkeypatch, capsys, "answers", f"http://127.0.0.1:7860/{link.strip()}", "--json"
    )
    assert (code, json.loads(said)) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("page", "none.yaml", "out.html"), "cannot be read"),
        (("page", "none.yaml", "out.pdf"), "ends in .html"),
        (("link", "???"), "damaged"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_exit_code_2(
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    code, out, err = ran(services, monkeypatch, capsys, *arguments)
    assert (code, out, said in err, err.count("\n")) == (2, "", True, 1)
