"""A remedy counts for what it repairs beyond fresh images, by prompt, and is credited by another
judge and by the truth, never by the one that chose.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.models.specs import Price
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.error_analysis.remedies import (
    FailingImage,
    RemedyOutcome,
    RemedyRequest,
    remedies_estimate,
    try_remedies,
)
from hallascope.engine.error_analysis.remedy_effects import PromptFacts, estimate_effect
from hallascope.engine.error_analysis.remedy_findings import find_effects, finding_sentence
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from hallascope.primer.truth.answers import answer_from_drawing
from tests.engine.error_analysis.conftest import Serve
from tests.support.scripted_models import scripted
from tests.support.scripted_models import serve as on_models


def test_repairs_and_breaks_are_shares_of_facts_beside_those_of_fresh_images() -> None:
    prompts = [
        PromptFacts(
            before={"a": False, "b": True},
            control=({"a": False, "b": True}, {"a": True, "b": True}),
            after=({"a": True, "b": False},),
        ),
        PromptFacts(
            before={"a": False, "b": False},
            control=({"a": False, "b": False}, {"a": False, "b": True}),
            after=({"a": True, "b": False},),
        ),
    ]
    effect = estimate_effect(prompts)
    repaired, broken = effect.repaired, effect.broken
    assert (repaired.prompts, repaired.facts, broken.facts, effect.unanswered) == (2, 3, 1, 0)
    found = [
        estimate and estimate.value
        for estimate in (repaired.share, repaired.control, repaired.gain, broken.share)
    ]
    assert found == pytest.approx([2 / 3, 1 / 3, 1 / 3, 1])


def test_a_fact_without_an_answer_after_is_neither_repaired_nor_left_wrong() -> None:
    facts = PromptFacts(before={"a": False, "b": False}, control=({"a": True},), after=({},))
    effect = estimate_effect([facts] * 3)
    assert effect.repaired.facts == 0
    assert effect.repaired.gain is None
    assert effect.unanswered == 6


MODEL = "primer/careless"
PROMPTS = tuple(
    f"{number} {color} {shape}s"
    for number in ("two", "three")
    for color in ("red", "blue")
    for shape in ("circle", "star", "heart")
)
REQUEST = RemedyRequest(
    cases=tuple(FailingImage(prompt) for prompt in PROMPTS),
    model=MODEL,
    judge="a/selecting",
    evaluate_by="a/evaluating",
    images=3,
)


def knows(store: Store) -> Callable[[Ask], Answer]:
    """Return a judge that answers what was drawn."""

    def answer(ask: Ask) -> Answer:
        truth = store.truth(ask.images[0].sha256)
        assert truth is not None
        drawn = answer_from_drawing(scenes.parse(truth["prompt"]), truth["values"], ask.question)
        texts = [choice.casefold() for choice in ask.choices]
        shown = drawn.text.casefold() if drawn else ""
        return Answer("ABCDE"[texts.index(shown)] if shown in texts else "E")

    return answer


def is_fooled(store: Store) -> Callable[[Ask], Answer]:
    """Return a judge that is right about the first images, and finds nothing wrong in the second
    and in images of refined prompts: those that a remedy would choose.
    """
    right = knows(store)

    def answer(ask: Ask) -> Answer:
        truth = store.truth(ask.images[0].sha256) or {}
        chance = str(truth.get("chance", ""))
        if chance.startswith("1 ") or "facts:" in chance:
            return expected(ask)
        return right(ask)

    return answer


GOLD = {
    (question.text, question.choices): question.gold
    for prompt in PROMPTS
    for question in scenes.parse(prompt).questions().questions
}


def expected(ask: Ask) -> Answer:
    return Answer(GOLD[ask.question, ask.choices])


@pytest.fixture
def make(serve: Serve, analysis_store: Store) -> Callable[..., Services]:
    """Return services by the judge that selects and the one that evaluates."""

    def build(selecting: Any = knows, evaluating: Any = knows) -> Services:
        judges = {"a/selecting": selecting, "a/evaluating": evaluating}
        return serve({name: ("judge", judge(analysis_store)) for name, judge in judges.items()})

    return build


def run(services: Services, request: RemedyRequest = REQUEST) -> RemedyOutcome:
    *_, last = try_remedies(services, request)
    return last


@pytest.mark.full
def test_a_remedy_that_only_fools_its_judge_is_said_to(make: Callable[..., Services]) -> None:
    outcome = run(make(is_fooled))
    assert len(outcome.treated) == len(PROMPTS)
    by_name = {finding.remedy: finding for finding in find_effects(outcome)}
    for remedy in ("best-of-n", "prompt-repair"):
        finding = by_name[remedy]
        assert finding.verdict == "fools its judge"
        assert finding.effects["selecting"].repaired.gain is not None
        assert finding.effects["selecting"].repaired.gain.is_above_zero
        assert "truth" in finding.effects
        assert finding.effects["truth"].repaired.gain is not None
        assert not finding.effects["truth"].repaired.gain.is_above_zero
        assert "it fools its judge" in finding_sentence(finding, "a/selecting", "a/evaluating")


def test_a_stopped_experiment_keeps_what_is_whole(make: Callable[..., Services]) -> None:
    stop = threading.Event()
    outcomes = try_remedies(make(), REQUEST, stop=stop)
    next(outcomes)
    stop.set()
    *_, outcome = outcomes
    assert outcome.stopped
    assert len(outcome.treated) == 1


@pytest.mark.parametrize("run_cap", [5.0, 0.0], ids=["no answer", "no budget left"])
def test_a_writer_without_an_answer_is_no_remedy_that_repairs_nothing(
    analysis_store: Store, run_cap: float
) -> None:
    outage = lambda request: Failure("timeout", "The service did not answer.")  # noqa: E731
    writer = scripted("a/writer", "writer", outage, price=Price("2026-01-01", output=10.0))
    judges = [
        scripted(name, "judge", knows(analysis_store))
        for name in (REQUEST.judge, REQUEST.evaluate_by)
    ]
    services = on_models(analysis_store, writer, *judges)
    request = replace(REQUEST, writer="a/writer", remedies=("prompt-repair",))
    *_, outcome = try_remedies(services, request, SpendingPolicy(run=run_cap))
    assert outcome.stopped is (run_cap == 0)
    wrong = [case for case in outcome.treated if False in case.before.states["selecting"].values()]
    assert wrong or outcome.stopped
    assert all("prompt-repair" in case.not_tried for case in wrong)


@pytest.mark.parametrize(
    "judge, evaluate_by, words",
    [
        ("primer/judge", "primer/judge", "would evaluate what it selected itself"),
        ("primer/judge", "primer/jury", "both ask 'primer/judge'"),
    ],
)
def test_one_judge_cannot_select_and_evaluate(
    make: Callable[..., Services], judge: str, evaluate_by: str, words: str
) -> None:
    request = RemedyRequest(cases=REQUEST.cases, model=MODEL, judge=judge, evaluate_by=evaluate_by)
    with pytest.raises(BadRequest, match=words):
        remedies_estimate(make(), request)


def test_what_a_paid_writer_is_asked_is_in_the_estimate(analysis_store: Store) -> None:
    writer = scripted("a/writer", "writer", price=Price("2026-01-01", output=10.0))
    judges = [scripted(name, "judge", expected) for name in (REQUEST.judge, REQUEST.evaluate_by)]
    services = on_models(analysis_store, writer, *judges)
    request = replace(REQUEST, writer="a/writer")
    (line,) = remedies_estimate(services, request).lines
    assert (line.model, line.calls) == ("a/writer", REQUEST.images * len(PROMPTS))
    assert not remedies_estimate(services, replace(request, remedies=("definitions",))).lines


FACTS = st.dictionaries(st.sampled_from("abcde"), st.booleans(), max_size=5)


@given(
    st.lists(
        st.builds(
            PromptFacts,
            before=FACTS,
            control=st.lists(FACTS, min_size=1, max_size=3).map(tuple),
            after=st.lists(FACTS, min_size=1, max_size=3).map(tuple),
        ),
        max_size=8,
    )
)
def test_each_known_fact_is_counted_once_and_intervals_hold_their_value(
    prompts: list[PromptFacts],
) -> None:
    effect = estimate_effect(prompts)
    known = sum(len({*p.before}.union(*p.control, *p.after)) for p in prompts)
    assert effect.repaired.facts + effect.broken.facts + effect.unanswered == known
    for change in (effect.repaired, effect.broken):
        for estimate in (change.share, change.control, change.gain):
            if estimate is not None and estimate.low is not None and estimate.high is not None:
                assert estimate.low <= estimate.value + 1e-9
                assert estimate.high >= estimate.value - 1e-9


@pytest.mark.full
def test_best_of_n_by_a_judge_that_sees_helps_by_the_other_judge_and_in_truth(
    make: Callable[..., Services],
) -> None:
    services = make()
    shapes = ("circle", "star", "heart", "square", "triangle", "hexagon")
    cases = tuple(
        FailingImage(f"{number} {color} {shape}s")
        for number in ("two", "three", "four")
        for color in ("red", "blue", "green")
        for shape in shapes
    )
    request = RemedyRequest(
        cases=cases,
        model="primer/hasty",
        judge="a/selecting",
        evaluate_by="a/evaluating",
        images=4,
        remedies=("best-of-n",),
    )
    (finding,) = find_effects(run(services, request))
    assert finding.verdict == "helps"
    assert "truth" in finding.effects
    assert finding.effects["truth"].repaired == finding.effects["evaluating"].repaired
    assert finding.drawn == 4
