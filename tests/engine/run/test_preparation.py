"""A run is prepared with its models, images and questions, keeps its identity as long as nothing it
depends on changes, and a request that cannot stand is refused in one sentence.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import HallaScopeError, Unavailable, UnknownModel
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import Category, Question, QuestionSet
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadImage, BadRequest, NoQuestions
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    Pictured,
)
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.validation import checked_prompt
from tests.support import pair_judge
from tests.support.evaluations import PROMPT, REQUEST, events_of, first_choice
from tests.support.images import png
from tests.support.vision_metric import FIG, PLAIN


def test_without_a_judge_the_metrics_that_need_one_are_left_out_by_name(serve_vision: Any) -> None:
    events = list(serve_vision().evaluate(replace(FIG, metrics=("fig", "asks"))))
    assert events[0].notice == "No judge is chosen: there is no score by Asks."
    assert [said.evaluation.metric for said in events_of(events, Evaluated)] == ["fig"]
    assert (events[0].evaluations, len(events_of(events, Pictured))) == (1, 1)


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
    # the reading of a request goes before the stored one
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
    filters = Filters(models=(UPLOADED,))
    counted, by_category = (
        Query("ihalla", filters=filters),
        Query("tifa", "score", "category", filters),
    )
    ann = services.acting_for(Visitor("ann", "home"))
    for own, prompt, rows in ((ann, "my cat", 0), (services, "my dog", 1)):
        own.sets.save(QuestionSet(prompt=prompt, questions=questions, category=Category.BIOLOGY))
        request = EvaluateRequest(
            prompt=prompt, images=(path,), judge="primer/judge", metrics=("ihalla", "tifa")
        )
        terms = SpendingPolicy(visitor=own.visitor)
        assert own.prepare(request, terms).has_own_questions == (own is ann)
        assert events_of(own.evaluate(request, terms=terms), Evaluated)
        assert len(board(services.store, counted).rows) == rows
        groups = [row.group for row in board(services.store, by_category).rows]
        assert groups.count("Biology") == rows
    assert not ann.prepare(TIFA, SpendingPolicy(visitor=ann.visitor)).has_own_questions


def test_what_rests_on_a_visitor_s_questions_counts_once_the_operator_asks_the_same(
    serve_scripted: Any, judge: Any, tmp_path: Path
) -> None:
    path = tmp_path / "cat.png"
    path.write_bytes(png())
    services = serve_scripted(judge(first_choice))
    ann = services.acting_for(Visitor("ann", "home"))
    request = EvaluateRequest(prompt="my cat", images=(path,), judge="scripted/judge")
    uploads = Query("ihalla", filters=Filters(models=(UPLOADED,)))
    for own, shown in ((ann, 0), (services, 1)):
        own.sets.save(replace(services.sets.for_prompt(PROMPT), prompt="my cat", source="made"))
        (said,) = events_of(
            own.evaluate(request, terms=SpendingPolicy(visitor=own.visitor)), Evaluated
        )
        assert said.evaluation.cached == (own is services)
        assert len(board(services.store, uploads).rows) == shown


@pytest.mark.parametrize(
    "change, run",
    [
        ({}, "2043c13194b6"),
        ({"writer": "m/writer"}, "f9cf3ca8fae7"),
        ({"judge": None}, "7c7049832aff"),
        ({"metrics": ()}, "8867b47b6a82"),
        ({"metrics": (), "judge": None}, "e21286c69aa9"),
    ],
)
def test_runs_of_before_there_were_line_ups_keep_their_ids(
    serve_vision: Any, change: Any, run: str
) -> None:
    services = serve_vision()
    assert services.prepare(replace(PLAIN, **change)).run == run
    others: dict[str, Any] = {
        "captioner": "m/other",
        "detector": "nowhere",
        "segmenter": "nowhere",
        "reader": "nowhere",
        "embedder": "nowhere",
    }
    assert services.prepare(replace(PLAIN, **change, **others)).run == run


def test_another_model_in_a_role_that_is_asked_is_another_run_and_a_judge_that_is_not_asked_is_none(
    serve_vision: Any,
) -> None:
    services = serve_vision()
    changes: list[dict[str, Any]] = [{}, {"captioner": "m/other"}, {"reader": "m/reader"}]
    ids = [services.prepare(replace(FIG, **change)).run for change in changes]
    assert len(set(ids)) == 3
    assert services.prepare(replace(FIG, judge="m/judge", embedder="nowhere")).run == ids[0]


def test_the_run_depends_on_the_references_and_only_where_a_metric_is_given_them(
    services: Any, red: Path
) -> None:
    plain = services.prepare(pair_judge.REQUEST)
    own = services.prepare(replace(pair_judge.REQUEST, concept="ladybug", reference=red))
    assert plain.run != own.run
    assert [slot.id for slot in plain.slots] == [slot.id for slot in own.slots], (
        "the images are the same"
    )
    tifa = services.prepare(replace(pair_judge.REQUEST, metrics=("tifa",)))
    assert tifa.request.factual is None


def test_joiners_within_emoji_and_words_of_other_scripts_stay_in_a_prompt() -> None:
    for prompt in (
        "a family \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u0915\u094d\u200d\u0937 on a sign",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ):
        assert checked_prompt(prompt) == prompt
    for alone in ("\u200d", " \u200c "):
        with pytest.raises(BadRequest, match="The prompt is empty"):
            checked_prompt(alone)


WRONG: list[tuple[dict[str, Any], type[HallaScopeError], str]] = [
    ({"prompt": "   "}, BadRequest, "The prompt is empty: "),
    ({"prompt": "x" * 10_000}, BadRequest, "10,000 characters"),
    ({"prompt": "a\x00cat"}, BadRequest, "cannot be shown"),
    ({"prompt": "a \ud800 cat"}, BadRequest, "cannot be shown"),
    ({"models": ()}, BadRequest, "No model is chosen"),
    ({"models": ("scripted/paintr",)}, UnknownModel, "did you mean 'scripted/painter'"),
    ({"models": ("Primer/Exact",)}, UnknownModel, "did you mean 'primer/exact'"),
    ({"models": ("qqqqqqqq",)}, UnknownModel, "lists all"),
    ({"models": ("scripted/judge",)}, BadRequest, "is no generator: choose one of"),
    ({"models": ("openai/gpt-image-2",)}, Unavailable, "cannot run here"),
    ({"judge": "scripted/painter"}, BadRequest, "is no judge: choose one of"),
    ({"metrics": ("ihala",)}, BadRequest, "did you mean 'ihalla'"),
    ({"count": 0}, BadRequest, "number of images per model is 0"),
    ({"trials": 1000}, BadRequest, "number of judge repetitions is 1000"),
    ({"seed": -1}, BadRequest, "The seed is -1"),
    ({"images": (Path("nowhere.png"),)}, BadImage, "'nowhere.png' cannot be read"),
]


@pytest.mark.parametrize("change, kind, said", WRONG, ids=[said for _, _, said in WRONG])
def test_a_wrong_request_is_one_sentence_before_anything_starts(
    serve_scripted: Any,
    judge: Any,
    painter: Any,
    change: dict[str, Any],
    kind: type[HallaScopeError],
    said: str,
) -> None:
    services = serve_scripted(judge(first_choice), painter())
    with pytest.raises(kind, match=said.replace("(", r"\(")):
        services.evaluate(replace(REQUEST, **change))
    assert services.store.runs() == []
