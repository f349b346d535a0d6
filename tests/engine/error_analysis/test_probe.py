"""A probe finds a planted weakness, draws nothing twice, and counts no missing answer as failed."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hallascope.data.records import NONE_OF_THE_ABOVE, Question, QuestionSet
from hallascope.data.requests import Answer, Ask, Failure, Generated
from hallascope.engine.error_analysis.probe.findings import (
    comparison_sentence,
    find_failures,
    model_sentence,
    probe_document,
)
from hallascope.engine.error_analysis.probe.probe import (
    ProbeOutcome,
    ProbeRequest,
    probe_estimate,
    run_probe,
)
from hallascope.engine.errors import BadRequest
from hallascope.primer import scenes
from tests.engine.error_analysis.conftest import Serve
from tests.support.board_rows import leaderboard_rows
from tests.support.images import png

COUNTS = ProbeRequest(prompt="two red circles", axis="number", models=("primer/exact",), images=24)
NAMES = ("a red circle", "two red circles", "three red circles", "four red circles")
EXPECTED = {
    (question.text, question.choices): (number, question.gold)
    for number, prompt in enumerate(NAMES, 1)
    for question in scenes.parse(prompt).questions().questions
    if question.coi == "counting"
}


def count_wrongly_above(most: int) -> Callable[[Ask], Answer]:
    """Return a judge that sees another number than was asked for above `most`."""

    def answer(ask: Ask) -> Answer:
        number, gold = EXPECTED.get((ask.question, ask.choices), (0, "A"))
        if number > most:
            return Answer("E")
        return Answer(gold)

    return answer


def run(services: Any, request: ProbeRequest, stop: threading.Event | None = None) -> ProbeOutcome:
    *_, last = run_probe(services, request, stop=stop)
    return last


def test_the_level_from_which_a_model_fails_is_found(make_services: Callable[..., Any]) -> None:
    services = make_services(count_wrongly_above(2))
    outcome = run(services, COUNTS)
    assert len(outcome.images) == 24
    (finding,) = find_failures(outcome).models
    assert finding.boundary is not None
    assert 2 < finding.boundary.value < 3
    assert finding.holds_to == 2
    words = model_sentence("number", finding)
    assert "holds up to number 2; half of the images fail at 2." in words
    drawn = [level.counts.answered for level in finding.levels]
    assert drawn[1] + drawn[2] > drawn[0] + drawn[3], "images go to the boundary"
    judge = services.registry.backend("primer/judge")
    asked = judge.requests
    assert run(services, COUNTS) == outcome
    assert judge.requests == asked, "the same probe again asks nothing again"


@pytest.mark.full
def test_an_image_without_an_answer_is_no_failure(make_services: Callable[..., Any]) -> None:
    refuses = lambda ask: Failure("refused", "I will not say: ask another.")  # noqa: E731
    outcome = run(make_services(refuses), COUNTS)
    assert {image.failed for image in outcome.images} == {None}
    findings = find_failures(outcome)
    (finding,) = findings.models
    assert finding.answered == 0
    assert sum(level.unanswered for level in finding.levels) == 24
    assert findings.comparisons == ()
    document = probe_document(outcome)
    assert document["models"][0]["half_fail_at"] is None
    assert all(level["share"] is None for level in document["models"][0]["levels"])


@pytest.mark.full
def test_models_are_compared_and_levels_without_an_order_are_halved(
    make_services: Callable[..., Any],
) -> None:
    def see_no_black(ask: Ask) -> Answer:
        right = "Black" in ask.choices and ask.choices.index("Black")
        return Answer("E") if right is not False else Answer("A")

    request = ProbeRequest(
        prompt="a red circle", axis="color", models=("primer/exact", "primer/careful"), images=32
    )
    outcome = run(make_services(see_no_black), request)
    findings = find_failures(outcome)
    assert [len(finding.levels) for finding in findings.models] == [8, 8]
    assert all(finding.boundary is None for finding in findings.models)
    (comparison,) = findings.comparisons
    assert "cannot be told apart" in comparison_sentence(comparison)
    by_level = [level.counts.answered for level in findings.models[0].levels]
    assert sum(by_level) <= 32
    assert max(by_level) > min(by_level) >= 1


@pytest.mark.parametrize("images", [8, 9, 15])
def test_levels_without_an_order_get_all_images(
    make_services: Callable[..., Any], images: int
) -> None:
    request = replace(COUNTS, prompt="a red circle", axis="color", images=images)
    outcome = run(make_services(count_wrongly_above(0)), request)
    assert len(outcome.images) == outcome.total
    assert min(outcome.image_counts("primer/exact")) == 1


def test_a_question_by_rule_replaces_no_score_of_a_prompt_with_questions(serve: Serve) -> None:
    services = serve(
        {
            "a/judge": ("judge", lambda ask: Answer("A")),
            "a/painter": ("generator", lambda request: Generated(png(request.prompt))),
        }
    )
    question = Question(
        text="Red?", choices=("Yes", *"bcd", NONE_OF_THE_ABOVE), gold="A", coi="color"
    )
    questions = tuple(replace(question, text=f"{n}?") for n in range(5))
    services.sets.save(QuestionSet(prompt="three apples", questions=questions))
    request = replace(
        COUNTS, prompt="three apples", models=("a/painter",), judge="a/judge", images=20
    )
    list(services.evaluate(request.evaluation("three apples", request.models, seed=0, count=2)))
    before = leaderboard_rows(services.store)
    assert [row.answered for row in before] == [10]
    assert {image.level for image in run(services, request).images} >= {2}
    assert leaderboard_rows(services.store) == before


def test_fewer_images_than_levels_are_refused(services: Any) -> None:
    request = replace(COUNTS, prompt="a red circle", axis="color", images=7)
    for call in (probe_estimate, run_probe):
        with pytest.raises(BadRequest, match="8 or more"):
            call(services, request)


def test_versions_by_a_writer_are_drawn_and_judged_by_the_questions_of_the_prompt(
    serve: Serve,
) -> None:
    prompt, german, hindi = "a molecule of methane", "ein Methanmolekül", "मीथेन का एक अणु"
    versions = [{"label": "Hindi", "prompt": hindi}, {"label": "German", "prompt": german}]
    drawn: list[str] = []

    def paint(request: Any) -> Generated:
        drawn.append(request.prompt)
        return Generated(png(str(len(drawn))))

    services = serve(
        {
            "a/writer": ("writer", lambda request: Answer(json.dumps({"versions": versions}))),
            "a/judge": ("judge", lambda ask: Answer("A")),
            "a/painter": ("generator", paint),
        }
    )
    request = ProbeRequest(
        prompt=prompt,
        axis="language",
        models=("a/painter",),
        judge="a/judge",
        writer="a/writer",
        images=7,
    )
    outcome = run(services, request)
    assert [level.label for level in outcome.variation.levels] == ["as it is", "German", "Hindi"]
    assert {level.judged_as for level in outcome.variation.levels} == {prompt}
    assert set(drawn) == {prompt, german, hindi}
    assert all(image.evaluation is not None for image in outcome.images)
    assert "Spanish, Chinese, Arabic, Swahili" in outcome.variation.note
