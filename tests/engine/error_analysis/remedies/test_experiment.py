"""An experiment credits remedies by another judge and by the truth, never by the one that chose."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.error_analysis.remedies.cases import failing_images, prompts_of_file
from hallascope.engine.error_analysis.remedies.experiment import (
    CaseDone,
    RemedyOutcome,
    remedies_estimate,
    try_remedies,
)
from hallascope.engine.error_analysis.remedies.findings import (
    find_effects,
    finding_sentence,
    remedies_document,
)
from hallascope.engine.error_analysis.remedies.request import (
    FailingImage,
    RemedyRequest,
    parse_remedies,
)
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from hallascope.primer.truth.answers import answer_from_drawing

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


def open_services(
    folder: Path, selecting: Callable[[Store], Any], evaluating: Callable[[Store], Any]
) -> Services:
    store = Store(folder=folder)
    replies = {"a/selecting": selecting(store), "a/evaluating": evaluating(store)}
    backends = {
        name: Scripted(ModelSpec(id=name, title=name, roles=("judge",), backend="scripted"), says)
        for name, says in replies.items()
    }
    return Services(store, read_models(), backends)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Services]]:
    opened: list[Services] = []

    def build(selecting: Any = knows, evaluating: Any = knows) -> Services:
        opened.append(open_services(tmp_path / str(len(opened)), selecting, evaluating))
        return opened[-1]

    yield build
    for services in opened:
        services.store.close()


def run(services: Services, request: RemedyRequest = REQUEST) -> RemedyOutcome:
    *_, last = try_remedies(services, request)
    assert isinstance(last, RemedyOutcome)
    return last


def test_a_remedy_that_only_fools_its_judge_is_said_to(make: Callable[..., Services]) -> None:
    outcome = run(make(is_fooled))
    assert len(outcome.treated) == len(PROMPTS)
    by_name = {finding.remedy: finding for finding in find_effects(outcome)}
    for remedy in ("best-of-n", "prompt-repair"):
        finding = by_name[remedy]
        assert finding.verdict == "fools its judge"
        assert finding.selecting.repaired.gain is not None
        assert finding.selecting.repaired.gain.is_above_zero
        assert finding.truth is not None
        assert finding.truth.repaired.gain is not None
        assert not finding.truth.repaired.gain.is_above_zero
        assert "it fools its judge" in finding_sentence(finding, "a/selecting", "a/evaluating")


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
    assert finding.truth is not None
    assert finding.truth.repaired == finding.evaluating.repaired
    assert finding.drawn == 4


def test_what_a_model_cannot_use_is_not_tried_and_says_why(make: Callable[..., Services]) -> None:
    document = remedies_document(run(make()))
    definitions = next(each for each in document["remedies"] if each["remedy"] == "definitions")
    assert definitions["verdict"] == "not tried"
    assert definitions["not_tried"] == ["Primer careless reads no definitions in a prompt."]


def test_an_evaluating_judge_that_does_not_answer_repairs_nothing(
    make: Callable[..., Services],
) -> None:
    refuses = lambda store: lambda ask: Failure("refused", "I will not say.")  # noqa: E731
    findings = find_effects(run(make(knows, refuses)))
    for finding in findings:
        assert finding.evaluating.repaired.facts == 0
        assert finding.evaluating.broken.facts == 0
        assert finding.verdict != "helps"


def test_the_same_experiment_again_asks_nothing_again(make: Callable[..., Services]) -> None:
    services = make()
    first = run(services)
    judge = services.registry.backend("a/selecting")
    assert isinstance(judge, Scripted)
    asked = judge.requests
    assert remedies_document(run(services)) == remedies_document(first)
    assert judge.requests == asked


def test_a_stopped_experiment_keeps_what_is_whole(make: Callable[..., Services]) -> None:
    stop = threading.Event()
    last = None
    for event in try_remedies(make(), REQUEST, stop=stop):
        last = event
        if isinstance(event, CaseDone):
            stop.set()
    assert isinstance(last, RemedyOutcome)
    assert last.stopped
    assert len(last.treated) == 1


@pytest.mark.parametrize(
    ("judge", "evaluate_by", "words"),
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


def test_failing_images_are_those_with_an_error_one_of_each_prompt(
    make: Callable[..., Services],
) -> None:
    services = make()
    for prompt in PROMPTS[:3]:
        asked = EvaluateRequest(
            prompt=prompt, models=(MODEL, "primer/exact"), judge="a/selecting", count=2
        )
        for _ in services.evaluate(asked):
            pass
    cases = failing_images(services.store, ErrorSelection(), MODEL)
    assert {case.prompt for case in cases} <= set(PROMPTS[:3])
    assert len({case.prompt for case in cases}) == len(cases) > 0
    assert failing_images(services.store, ErrorSelection(), "primer/exact") == ()
    assert len(failing_images(services.store, ErrorSelection(), MODEL, most=1)) == 1


def test_prompts_come_from_a_file_each_once(tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("two red circles\n\na star\ntwo red circles\n", encoding="utf-8")
    assert [case.prompt for case in prompts_of_file(file)] == ["two red circles", "a star"]
    with pytest.raises(BadRequest, match="missing"):
        prompts_of_file(tmp_path / "missing.txt")


def test_remedies_have_names() -> None:
    assert parse_remedies(()) == ("best-of-n", "definitions", "prompt-repair")
    with pytest.raises(BadRequest, match="There is no remedy 'hope'"):
        parse_remedies(("hope",))
