"""An evaluation from request to stored reports: pictures stream in, nothing is done twice."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from hallascope.backends.base import Transient
from hallascope.data.requests import (
    Ask,
    Describe,
    Detect,
    Failure,
    Generate,
    Generated,
    ReadText,
    Segment,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluationFailed,
    Finished,
    Generating,
    Judged,
    Pictured,
    PictureFailed,
    Queued,
)
from hallascope.engine.storage.store import Store
from tests.support.evaluations import PROMPT, REQUEST, events_of, first_choice
from tests.support.images import png
from tests.support.ledger_rows import model_totals
from tests.support.vision_metric import CENT, FIG, answers


def test_a_role_that_is_not_asked_needs_no_consent_and_spends_nothing(
    serve_vision: Any, store: Store
) -> None:
    services = serve_vision(price=CENT)
    services.registry._specs["m/judge"] = replace(services.registry._specs["m/judge"], price=None)
    list(services.evaluate(replace(FIG, judge="m/judge")))
    spent = model_totals(store.ledger)
    assert {total.model for total in spent} == {"m/detector", "m/segmenter", "m/captioner"}
    with pytest.raises(BadRequest, match="It is unknown what 'm/judge' costs"):
        services.evaluate(replace(FIG, metrics=("asks",), judge="m/judge"))


@pytest.mark.parametrize("role", [Detect, Segment, Describe, ReadText])
def test_whatever_role_fails_the_run_ends_with_a_report(serve_vision: Any, role: type) -> None:
    def script(request: Any) -> Any:
        failed = Failure("broken", "Broken: try another.")
        return failed if isinstance(request, role) else answers(request)

    events = list(serve_vision(script).evaluate(replace(FIG, reader="m/reader")))
    assert (events[-1].evaluations, events[-1].stopped) == (1, False)


def test_events_come_in_order_and_end_with_what_was_counted(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    services = serve_scripted(judge(first_choice), painter())
    events = list(services.evaluate(replace(REQUEST, count=2)))
    assert isinstance(events[0], Queued)
    assert [shot.state for shot in events[0].shots] == ["waiting", "waiting"]
    assert (events[0].evaluations, len(events[0].questions)) == (2, 5)
    assert len(events_of(events, Generating)) == 2
    assert [(e.done, e.of) for e in events_of(events, Judged)] == [(n, 5) for n in range(1, 6)] * 2
    assert [e.shot.seed for e in events_of(events, Pictured)] == [0, 1]
    assert isinstance(events[-1], Finished)
    assert (
        events[-1].pictures,
        events[-1].evaluations,
        events[-1].failures,
        events[-1].stopped,
    ) == (2, 2, 0, False)
    right = sum(q.gold == "A" for q in services.sets.for_prompt(PROMPT).questions)
    for said in events_of(events, Evaluated):
        assert said.evaluation.report.score.value == right / 5
        assert said.evaluation.report.image == said.evaluation.image


def test_a_picture_arrives_while_the_next_is_still_being_made(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    judged = threading.Event()

    def draw(request: Generate) -> Generated:
        assert request.seed == 0 or judged.wait(20), (
            "the second image held up the judging of the first"
        )
        return Generated(png(str(request.seed)))

    done = []
    for event in serve_scripted(judge(first_choice), painter(draw)).evaluate(
        replace(REQUEST, count=2)
    ):
        if isinstance(event, Pictured | Evaluated):
            done.append(type(event).__name__)
        if isinstance(event, Evaluated):
            judged.set()
    assert done == ["Pictured", "Evaluated", "Pictured", "Evaluated"]


def test_nothing_is_asked_twice_but_of_another_trial_and_what_was_kept_says_so(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    one, two = judge(first_choice), painter()
    services = serve_scripted(one, two, painter(name="scripted/other"))
    first = list(services.evaluate(REQUEST))
    again = list(services.evaluate(REQUEST))
    assert (one.calls, two.calls) == (5, 1)
    assert {event.run for event in first + again} == {first[0].run}
    assert all(e.cached for e in events_of(again, Pictured))
    assert all(e.evaluation.cached for e in events_of(again, Evaluated))
    assert (
        events_of(again, Evaluated)[0].evaluation.report
        == events_of(first, Evaluated)[0].evaluation.report
    )
    assert len(services.view(first[0].run).evaluations) == 1
    wider = list(services.evaluate(replace(REQUEST, models=("scripted/painter", "scripted/other"))))
    assert (one.calls, two.calls) == (10, 1)
    assert [e.evaluation.cached for e in events_of(wider, Evaluated)] == [True, False]
    trials = events_of(services.evaluate(replace(REQUEST, trials=3)), Evaluated)
    assert [e.evaluation.trial for e in trials] == [0, 1, 2]
    assert (one.calls, two.calls) == (20, 1), "judging is repeated, generating is not"


def test_two_of_five_answers_time_out_the_score_counts_three_and_going_on_asks_only_those_two(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    late = [True]

    def script(ask: Ask) -> str | Exception:
        slow = any(word in ask.question for word in ("color", "larger"))
        return (
            Transient("The judge did not answer in time: run it again.", "timeout")
            if slow and late
            else first_choice(ask)
        )

    one = judge(script)
    services = serve_scripted(one, painter())
    events = list(services.evaluate(REQUEST))
    report = events_of(events, Evaluated)[0].evaluation.report
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
    (said,) = events_of(services.evaluate(REQUEST), Evaluated)
    assert said.evaluation.report.score.left_out == 0
    assert one.calls - before == 2
    assert len(services.view(events[0].run).evaluations) == 1


def test_a_picture_that_cannot_be_made_says_why_and_the_others_come(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    services = serve_scripted(
        judge(first_choice),
        painter([Failure("cannot_draw", "Not this: try another.")]),
        painter([Generated(b"junk")], name="scripted/junk"),
        painter(name="scripted/other"),
    )
    models = ("scripted/painter", "scripted/junk", "scripted/other")
    events = list(services.evaluate(replace(REQUEST, models=models)))
    said = {event.shot.model: event.shot.failure for event in events_of(events, PictureFailed)}
    assert said["scripted/painter"].message == "Not this: try another."
    assert "PNG" in said["scripted/junk"].message
    assert [event.shot.model for event in events_of(events, Pictured)] == ["scripted/other"]
    assert (events[-1].failures, events[-1].evaluations) == (2, 1)
    states = [shot.state for shot in services.view(events[0].run).shots]
    assert states == ["failed", "failed", "done"]


def test_a_stop_leaves_the_places_open_and_going_on_gives_what_an_undisturbed_run_gives(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    stop, one, two = threading.Event(), judge(first_choice), painter()
    services = serve_scripted(one, two)
    events = []
    for event in services.evaluate(replace(REQUEST, count=4), stop):
        events.append(event)
        if isinstance(event, Evaluated):
            stop.set()
    run = events[0].run
    assert events[-1].stopped
    assert services.view(run).state == "stopped"
    assert events_of(events, PictureFailed) or events_of(events, EvaluationFailed)
    list(services.evaluate(replace(REQUEST, count=4)))
    view = services.view(run)
    assert (view.state, [shot.state for shot in view.shots], len(view.evaluations)) == (
        "finished",
        ["done"] * 4,
        4,
    )
    assert one.calls <= 20 + 1
    assert two.calls <= 4 + 1


def test_a_page_that_goes_away_leaves_a_stopped_run(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    one = judge(first_choice)
    services = serve_scripted(one, painter())
    events = services.evaluate(REQUEST)
    run = next(events).run
    while not isinstance(next(events), Judged):
        pass
    events.close()
    assert services.view(run).state == "stopped"
    assert one.calls <= 2, "nothing more is sent"
