"""From a request to stored reports: pictures stream in, answers follow, everything can be gone on
with, nothing is done twice.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import HallaScopeError, Transient, Unavailable, UnknownModel
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import QuestionSet
from hallascope.data.requests import Ask, Failure, Generate, Generated
from hallascope.engine.errors import BadImage, BadRequest, NoQuestions, StoreError
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    Event,
    Finished,
    Generating,
    Judged,
    Pictured,
    PictureFailed,
    Queued,
    jsonable,
)
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.services import Services, create_services
from hallascope.engine.storage.store import Store
from tests.support.small_pictures import png

PROMPT = "a molecule of methane"
REQUEST = EvaluateRequest(prompt=PROMPT, models=("scripted/painter",), judge="scripted/judge")


@pytest.fixture
def serve(store: Store) -> Callable[..., Services]:
    def make(*backends: Scripted) -> Services:
        return Services(store, read_models(), {backend.spec.id: backend for backend in backends})

    return make


def only(events: Iterator[Event] | list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def gold(ask: Ask) -> str:
    """The first choice, whatever it is: a judge with an opinion."""
    return f"A) {ask.choices[0]}"


def test_events_come_in_order_and_end_with_what_was_counted(
    serve: Any, judge: Any, painter: Any
) -> None:
    events = list(serve(judge(gold), painter()).evaluate(replace(REQUEST, count=2)))
    assert isinstance(events[0], Queued)
    assert [shot.state for shot in events[0].shots] == ["waiting", "waiting"]
    assert (events[0].evaluations, len(events[0].questions)) == (2, 5)
    assert len(only(events, Generating)) == 2
    assert [(e.done, e.of) for e in only(events, Judged)] == [(n, 5) for n in range(1, 6)] * 2
    assert [e.shot.seed for e in only(events, Pictured)] == [0, 1]
    assert isinstance(events[-1], Finished)
    assert (
        events[-1].pictures,
        events[-1].evaluations,
        events[-1].failures,
        events[-1].stopped,
    ) == (2, 2, 0, False)


def test_every_event_is_plain_json(serve: Any, judge: Any, painter: Any) -> None:
    import json

    names = {
        json.loads(json.dumps(jsonable(event)))["event"]
        for event in serve(judge(gold), painter()).evaluate(REQUEST)
    }
    assert names == {"queued", "generating", "pictured", "judged", "evaluated", "finished"}


def test_the_score_is_that_of_the_metric_on_the_replies(
    serve: Any, judge: Any, painter: Any
) -> None:
    services = serve(judge(gold), painter())
    (said,) = only(services.evaluate(REQUEST), Evaluated)
    right = sum(q.gold == "A" for q in services.sets.for_prompt(PROMPT).questions)
    assert said.evaluation.report.score.value == right / 5
    assert said.evaluation.report.image == said.evaluation.image


def test_a_picture_arrives_while_the_next_is_still_being_made(
    serve: Any, judge: Any, painter: Any
) -> None:
    judged = threading.Event()

    def draw(request: Generate) -> Generated:
        assert request.seed == 0 or judged.wait(30), (
            "the second picture held up the judging of the first"
        )
        return Generated(png(str(request.seed)))

    done = []
    for event in serve(judge(gold), painter(draw)).evaluate(replace(REQUEST, count=2)):
        if isinstance(event, Pictured | Evaluated):
            done.append(type(event).__name__)
        if isinstance(event, Evaluated):
            judged.set()
    assert done == ["Pictured", "Evaluated", "Pictured", "Evaluated"]


def test_the_same_request_again_makes_no_call_and_says_cached(
    serve: Any, judge: Any, painter: Any
) -> None:
    one, two = judge(gold), painter()
    services = serve(one, two)
    first = list(services.evaluate(REQUEST))
    again = list(services.evaluate(REQUEST))
    assert (one.calls, two.calls) == (5, 1)
    assert {event.run for event in first + again} == {first[0].run}
    assert all(e.cached for e in only(again, Pictured))
    assert all(e.evaluation.cached for e in only(again, Evaluated))
    assert (
        only(again, Evaluated)[0].evaluation.report == only(first, Evaluated)[0].evaluation.report
    )
    assert len(services.view(first[0].run).evaluations) == 1


def test_another_run_with_the_same_picture_and_questions_answers_from_the_cache(
    serve: Any, judge: Any, painter: Any
) -> None:
    one = judge(gold)
    services = serve(one, painter(), painter(name="scripted/other"))
    list(services.evaluate(REQUEST))
    wider = list(services.evaluate(replace(REQUEST, models=("scripted/painter", "scripted/other"))))
    assert one.calls == 10
    assert [e.evaluation.cached for e in only(wider, Evaluated)] == [True, False]


def test_two_of_five_answers_time_out_the_score_counts_three_and_going_on_asks_only_those_two(
    serve: Any, judge: Any, painter: Any
) -> None:
    late = {"color", "size"}

    def script(ask: Ask) -> str | Exception:
        slow = any(word in ask.question for word in ("color", "larger"))
        return (
            Transient("The judge did not answer in time: run it again.", "timeout")
            if slow and late
            else gold(ask)
        )

    one = judge(script)
    services = serve(one, painter())
    events = list(services.evaluate(REQUEST))
    report = only(events, Evaluated)[0].evaluation.report
    assert (report.score.counted, report.score.left_out, report.scores["strict"].value) == (
        3,
        2,
        None,
    )
    assert [v.failure for v in report.verdicts if v.state == "failed"] == [
        "The judge did not answer in time: run it again."
    ] * 2
    assert events[-1].failures == 2
    late.clear()
    before = one.calls
    (said,) = only(services.evaluate(REQUEST), Evaluated)
    assert said.evaluation.report.score.left_out == 0
    assert one.calls - before == 2
    assert len(services.view(events[0].run).evaluations) == 1


def test_unreadable_replies_are_shown_and_asked_again_the_next_time(
    serve: Any, judge: Any, painter: Any
) -> None:
    one = judge(lambda ask: "I cannot tell.")
    services = serve(one, painter())
    (said,) = only(services.evaluate(REQUEST), Evaluated)
    assert {v.state for v in said.evaluation.report.verdicts} == {"unreadable"}
    assert said.evaluation.report.score.value is None
    list(services.evaluate(REQUEST))
    assert one.calls == 10


def test_a_picture_that_cannot_be_made_says_why_and_the_others_come(
    serve: Any, judge: Any, painter: Any
) -> None:
    services = serve(
        judge(gold),
        painter([Failure("cannot_draw", "Not this: try another.")]),
        painter(name="scripted/other"),
    )
    events = list(
        services.evaluate(replace(REQUEST, models=("scripted/painter", "scripted/other")))
    )
    assert [e.shot.failure.message for e in only(events, PictureFailed)] == [
        "Not this: try another."
    ]
    assert [e.shot.model for e in only(events, Pictured)] == ["scripted/other"]
    assert (events[-1].failures, events[-1].evaluations) == (1, 1)
    assert [shot.state for shot in services.view(events[0].run).shots] == ["failed", "done"]


def test_a_generator_that_gives_no_png_is_a_failure_not_a_crash(
    serve: Any, judge: Any, painter: Any
) -> None:
    events = list(serve(judge(gold), painter([Generated(b"junk")])).evaluate(REQUEST))
    assert "PNG" in only(events, PictureFailed)[0].shot.failure.message


def test_a_stop_leaves_the_places_open_and_going_on_gives_what_an_undisturbed_run_gives(
    serve: Any, judge: Any, painter: Any
) -> None:
    stop, one, two = threading.Event(), judge(gold), painter()
    services = serve(one, two)
    events = []
    for event in services.evaluate(replace(REQUEST, count=4), stop):
        events.append(event)
        if isinstance(event, Evaluated):
            stop.set()
    run = events[0].run
    assert events[-1].stopped
    assert services.view(run).state == "stopped"
    assert only(events, PictureFailed) or only(events, EvaluationFailed)
    list(services.evaluate(replace(REQUEST, count=4)))
    view = services.view(run)
    assert (view.state, [shot.state for shot in view.shots], len(view.evaluations)) == (
        "finished",
        ["done"] * 4,
        4,
    )
    assert one.calls <= 20 + 1
    assert two.calls <= 4 + 1


def test_a_page_that_goes_away_leaves_a_stopped_run(serve: Any, judge: Any, painter: Any) -> None:
    services = serve(judge(gold), painter())
    events = services.evaluate(REQUEST)
    run = next(events).run
    events.close()
    assert services.view(run).state == "stopped"


def test_trials_repeat_the_judging_not_the_generating(serve: Any, judge: Any, painter: Any) -> None:
    one, two = judge(gold), painter()
    said = only(serve(one, two).evaluate(replace(REQUEST, trials=3)), Evaluated)
    assert [e.evaluation.trial for e in said] == [0, 1, 2]
    assert (one.calls, two.calls) == (15, 1)


def test_an_uploaded_picture_is_judged_like_any_other(
    serve: Any, judge: Any, tmp_path: Path
) -> None:
    (tmp_path / "mine.png").write_bytes(png("mine"))
    services = serve(judge(gold))
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
    serve: Any, judge: Any, painter: Any
) -> None:
    events = list(
        serve(judge(gold), painter()).evaluate(
            replace(REQUEST, prompt="a dog that rides a bicycle")
        )
    )
    assert "no questions for this prompt yet" in events[0].notice
    assert (events[0].evaluations, len(only(events, Pictured)), events[-1].evaluations) == (0, 1, 0)


def test_saved_questions_go_before_those_of_the_primer_world(
    serve: Any, judge: Any, painter: Any
) -> None:
    services = serve(judge(gold), painter())
    whole = services.sets.for_prompt(PROMPT)
    services.store.keep_question_set(
        QuestionSet(prompt="A dog that rides", questions=whole.questions[:2], source="made")
    )
    events = list(services.evaluate(replace(REQUEST, prompt="a dog that rides")))
    assert only(events, Evaluated)[0].evaluation.report.score.counted == 2
    with pytest.raises(NoQuestions):
        services.sets.for_prompt("a cat that rides")


def test_the_draughtsmen_draw_and_the_store_shows_their_parts(serve: Any, judge: Any) -> None:
    services = serve(judge(gold))
    events = list(services.evaluate(replace(REQUEST, models=("primer/exact", "primer/careless"))))
    for shot in services.view(events[0].run).shots:
        assert {"carbon atom", "hydrogen atom", "bond"} <= set(services.regions(shot.image))
    assert services.regions("00") == {}


def test_no_judge_means_pictures_only(serve: Any, painter: Any) -> None:
    events = list(serve(painter()).evaluate(replace(REQUEST, judge=None)))
    assert (len(only(events, Pictured)), events[-1].evaluations, events[0].evaluations) == (1, 0, 0)


@pytest.mark.parametrize(
    "prompt",
    [
        "a family \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u0915\u094d\u200d\u0937 on a sign",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ],
)
def test_joiners_within_emoji_and_words_of_other_scripts_stay_in_a_prompt(prompt: str) -> None:
    assert checked_prompt(prompt) == prompt


@pytest.mark.parametrize("prompt", ["\u200d", " \u200c "])
def test_joiners_alone_are_no_prompt(prompt: str) -> None:
    with pytest.raises(BadRequest, match="The prompt is empty"):
        checked_prompt(prompt)


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
    ({"models": ("openai/dall-e-3",)}, Unavailable, "cannot run here"),
    ({"judge": "scripted/painter"}, BadRequest, "is no judge: choose one of"),
    ({"metrics": ("ihala",)}, BadRequest, "did you mean 'ihalla'"),
    ({"count": 0}, BadRequest, "number of count is 0"),
    ({"trials": 1000}, BadRequest, "number of trials is 1000"),
    ({"seed": -1}, BadRequest, "The seed is -1"),
    ({"images": (Path("nowhere.png"),)}, BadImage, "'nowhere.png' cannot be read"),
]


@pytest.mark.parametrize(("change", "kind", "said"), WRONG, ids=[said for _, _, said in WRONG])
def test_a_wrong_request_is_one_sentence_before_anything_starts(
    serve: Any,
    judge: Any,
    painter: Any,
    change: dict[str, Any],
    kind: type[HallaScopeError],
    said: str,
) -> None:
    services = serve(judge(gold), painter())
    with pytest.raises(kind, match=said.replace("(", r"\(")):
        services.evaluate(replace(REQUEST, **change))
    assert services.runs() == []


@pytest.mark.parametrize(
    "prompt",
    [
        "甲烷分子",
        "<script>alert(1)</script>",
        "جزيء الميثان",
        "a 'quoted' \"prompt\"; drop table run",
    ],
)
def test_prompts_in_any_script_and_with_markup_are_kept_as_they_are(
    serve: Any, judge: Any, painter: Any, prompt: str
) -> None:
    services = serve(judge(gold), painter())
    events = list(services.evaluate(replace(REQUEST, prompt=prompt)))
    assert services.view(events[0].run).request.prompt == prompt


def test_a_store_that_fills_up_is_one_sentence_and_going_on_later_completes_the_run(
    serve: Any, judge: Any, painter: Any
) -> None:
    services = serve(judge(gold), painter())
    plain = services.store.images._write
    writes = []

    def full(path: Path, data: bytes) -> None:
        writes.append(path)
        if len(writes) > 2:
            raise OSError(28, "No space left on device")
        plain(path, data)

    services.store.images._write = full
    events: list[Event] = []
    with pytest.raises(StoreError, match="No space left"):
        events.extend(services.evaluate(replace(REQUEST, count=3)))
    services.store.images._write = plain
    done = list(services.evaluate(replace(REQUEST, count=3)))
    assert (done[-1].pictures, done[-1].evaluations) == (3, 3)


def test_a_model_is_loaded_once_when_first_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Counted(Scripted):
        def __init__(self, spec: ModelSpec) -> None:
            made.append(spec.id)
            super().__init__(spec, lambda request: Generated(png(str(request.seed))))

    monkeypatch.setattr("hallascope.backends.scripted.Scripted", Counted)
    services = Services(
        store,
        {"late": ModelSpec(id="late", title="Late", roles=("generator",), backend="scripted")},
    )
    request = EvaluateRequest(prompt=PROMPT, models=("late",), judge=None, count=3)
    services.prepare(request)
    assert made == []
    list(services.evaluate(request))
    assert made == ["late"]


def test_services_know_the_models_of_the_file_by_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path))
    services = create_services()
    assert {"primer/exact", "primer/careful", "primer/hasty", "primer/careless"} <= {
        m.spec.id for m in services.generators() if m.reason is None
    }
    assert {m.spec.id for m in services.judges()} >= {"primer/judge", "openai/gpt-4o"}
    services.store.close()


def test_the_estimate_is_the_median_of_what_pictures_took(
    serve: Any, judge: Any, painter: Any
) -> None:
    services = serve(judge(gold), painter())
    assert services.seconds("scripted/painter") is None
    list(services.evaluate(replace(REQUEST, count=3)))
    assert services.seconds("scripted/painter") >= 0
