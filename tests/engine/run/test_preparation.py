"""A run is prepared with its models, pictures and questions, and all it lacks is named."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import UnknownModel
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import Picture, Question, QuestionSet
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest, NoQuestions
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    Pictured,
)
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.money.budget import SpendingPolicy
from tests.support.evaluations import PROMPT, REQUEST, events_of, first_choice
from tests.support.images import png
from tests.support.vision_metric import FIG


def test_without_a_judge_the_metrics_that_need_one_are_left_out_by_name(serve_vision: Any) -> None:
    events = list(serve_vision().evaluate(replace(FIG, metrics=("fig", "asks"))))
    assert events[0].notice == "No judge is chosen: there is no score by Asks."
    assert [said.evaluation.metric for said in events_of(events, Evaluated)] == ["fig"]
    assert (events[0].evaluations, len(events_of(events, Pictured))) == (1, 1)


def test_a_model_that_does_not_fit_its_role_is_one_sentence(serve_vision: Any) -> None:
    with pytest.raises(BadRequest, match="'m/captioner' is no detector: choose one of"):
        serve_vision().evaluate(replace(FIG, detector="m/captioner"))
    with pytest.raises(UnknownModel, match="did you mean 'm/captioner'"):
        serve_vision().evaluate(replace(FIG, captioner="m/captoner"))


def test_an_uploaded_picture_is_judged_like_any_other(
    serve_scripted: Any, judge: Any, tmp_path: Path
) -> None:
    (tmp_path / "mine.png").write_bytes(png("mine"))
    services = serve_scripted(judge(first_choice))
    events = list(
        services.evaluate(
            EvaluateRequest(prompt=PROMPT, judge="scripted/judge", images=(tmp_path / "mine.png",))
        )
    )
    (tmp_path / "mine.png").unlink()
    view = services.view(events[0].run)
    assert [(shot.model, shot.state) for shot in view.shots] == [(UPLOADED, "done")]
    assert len(view.evaluations) == 1
    assert view.request.images == (view.shots[0].path,)
    again = list(services.evaluate(view.request))
    assert {event.run for event in again} == {events[0].run}


def test_a_prompt_without_questions_still_shows_its_pictures_and_says_so(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    services = serve_scripted(judge(first_choice), painter())
    events = list(services.evaluate(replace(REQUEST, prompt="a dog that rides a bicycle")))
    assert "no questions for this prompt yet" in events[0].notice
    assert [len(events_of(events, kind)) for kind in (Pictured, Evaluated)] == [1, 0]


def test_saved_questions_go_before_those_of_the_primer_world(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    services = serve_scripted(judge(first_choice), painter())
    whole = services.sets.for_prompt(PROMPT)
    services.store.keep_question_set(
        QuestionSet(prompt="A dog that rides", questions=whole.questions[:2], source="made")
    )
    events = list(services.evaluate(replace(REQUEST, prompt="a dog that rides")))
    assert events_of(events, Evaluated)[0].evaluation.report.score.counted == 2
    with pytest.raises(NoQuestions):
        services.sets.for_prompt("a cat that rides")


# --- what people say that a prompt asks for

READING = PromptReading(
    prompt="a ladybug", objects=(AskedObject(id="o1", name="hat", spans=((2, 9),)),)
)
TIFA = EvaluateRequest(prompt="a ladybug", models=("primer/exact",), metrics=("tifa",))


def questions_of(services: Any, request: EvaluateRequest) -> list[str]:
    (said,) = events_of(services.evaluate(request), Evaluated)
    return [verdict.question.text for verdict in said.evaluation.report.verdicts]


def test_a_stored_correction_is_used_from_then_on_and_old_results_are_not(services: Any) -> None:
    by_rule = services.prepare(TIFA)
    assert by_rule.reading is None
    assert questions_of(services, TIFA)[0] == "Is there a ladybug in the image?"
    ann = services.store.readings.keep(READING, "Ann")
    corrected = services.prepare(TIFA)
    assert corrected.reading == ann
    assert questions_of(services, TIFA)[0] == "Is there a hat in the image?"
    services.store.readings.keep(READING, "Bo")
    assert len({by_rule.run, corrected.run, services.prepare(TIFA).run}) == 3
    services.store.readings.remove("a ladybug", "Bo")
    assert services.prepare(TIFA).run == corrected.run


def test_a_correction_that_is_taken_back_leaves_the_leaderboard_with_the_next_run(
    services: Any,
) -> None:
    questions_of(services, TIFA)
    services.store.readings.keep(READING, "Ann")
    questions_of(services, TIFA)
    assert board(services.store, Query("tifa")).corrections is not None
    services.store.readings.remove("a ladybug", "Ann")
    assert questions_of(services, TIFA)[0] == "Is there a ladybug in the image?"
    assert board(services.store, Query("tifa")).corrections is None


def test_a_metric_that_does_not_read_the_prompt_is_given_no_reading(services: Any) -> None:
    ihalla = replace(TIFA, metrics=("ihalla",))
    before = services.prepare(ihalla).run
    services.store.readings.keep(READING, "Ann")
    assert services.prepare(ihalla).run == before
    both = services.prepare(replace(TIFA, metrics=("ihalla", "tifa")))
    picture = Picture("ab" * 32, Path("a.png"))
    readings = [both.case(picture, metric).reading for metric in both.metrics]
    assert [reading is None for reading in readings] == [True, False]


def test_the_reading_of_a_request_goes_before_the_stored_one(services: Any) -> None:
    services.store.readings.keep(READING, "Ann")
    own = PromptReading(prompt=" a  ladybug", unreadable="a poem", source="person")
    prepared = services.prepare(replace(TIFA, reading=own))
    assert prepared.reading == replace(own, prompt="a ladybug")
    with pytest.raises(BadRequest, match="The reading is of the prompt 'a cat' and not of 'a lady"):
        services.prepare(replace(TIFA, reading=replace(own, prompt="a cat")))


def test_what_rests_on_questions_of_a_visitor_counts_in_no_leaderboard(
    services: Any, tmp_path: Path
) -> None:
    path = tmp_path / "cat.png"
    path.write_bytes(png())
    choices = ("a", "b", "c", "d", "None of the above")
    questions = tuple(
        Question(text=f"Is it {n}?", choices=choices, gold="B", coi="scene") for n in range(5)
    )
    counted = Query("ihalla", filters=Filters(models=(UPLOADED,)))
    ann = services.acting_for(Visitor("ann", "home"))
    for own, prompt, rows in ((ann, "my cat", 0), (services, "my dog", 1)):
        own.sets.save(QuestionSet(prompt=prompt, questions=questions))
        request = EvaluateRequest(prompt=prompt, images=(path,), judge="primer/judge")
        terms = SpendingPolicy(visitor=own.visitor)
        assert own.prepare(request, terms).has_own_questions == (own is ann)
        assert events_of(own.evaluate(request, terms=terms), Evaluated)
        assert len(board(services.store, counted).rows) == rows
    assert not ann.prepare(TIFA, SpendingPolicy(visitor=ann.visitor)).has_own_questions
