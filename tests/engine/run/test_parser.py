"""A parser in the line-up is asked once a prompt and identifies the run; a fault is no score.

FiG runs on scripted models; the parser is a service behind a transport that the test holds.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from hallascope.backends.base import Backend
from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.prompt_reading import Count
from hallascope.engine.events import Evaluated, EvaluateRequest, EvaluationFailed
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.fake_service import NAME, PUBLIC, Service, chat, error
from tests.support.fig_run import FIG, sees
from tests.support.scripted import Scripted
from tests.support.vision_metric import models

PARSER = "service/parser"
SPEC = ModelSpec(
    id=PARSER,
    title="A parser",
    roles=("writer",),
    backend="openai",
    repository="parser",
    settings={"temperature": 0},
    needs=(f"key:{NAME}",),
    kind="api",
    base_url="https://pretend.example/v1",
    price=Price("2026-04-06", 1.0, 2.0),
)
REQUEST = replace(FIG, parser=PARSER)
GERMAN = replace(REQUEST, prompt="zwei rote Kreise links von einem blauen Quadrat")
READING = json.dumps(
    {
        "language": "en",
        "objects": [{"id": "1", "name": "circle", "count": "7", "attributes": ["red"]}],
    }
)
TRANSLATED = json.dumps(
    {
        "language": "de",
        "translation": "two red circles left of a blue square",
        "objects": [{"id": "1", "name": "circle", "count": "2", "attributes": ["red"]}],
    }
)
FAULTS = {
    "an outage": (error(503), "503"),
    "a refusal": (chat("", message={"role": "assistant", "content": None, "refusal": "No."}), ""),
    "no JSON": (chat("It asks for a circle."), "Its reply cannot be read."),
    "a reply cut off": (chat(READING, finish="length"), "cut off at its limit of tokens"),
}
Open = Callable[..., Services]


@pytest.fixture
def serve(tmp_path: Path, store: Store) -> Open:
    """Open the store on FiG's scripted models and a parser that is this service."""

    def open_services(service: Service, *others: Scripted) -> Services:
        client = httpx2.Client(transport=httpx2.MockTransport(service))
        parser = OpenAICompatible(SPEC, ApiKeys({NAME: "sk-x"}), client, lambda host: [PUBLIC])
        backends: dict[str, Backend] = {
            **models(sees),
            PARSER: parser,
            **{other.spec.id: other for other in others},
        }
        return Services(store, read_models(), backends)

    return open_services


def evaluations(services: Services, request: EvaluateRequest) -> list[Any]:
    events = list(services.evaluate(request))
    assert not [event for event in events if isinstance(event, EvaluationFailed)]
    return [event.evaluation for event in events if isinstance(event, Evaluated)]


def test_a_prompt_is_read_in_one_call_for_all_images_and_trials(serve: Open) -> None:
    service = Service(chat(READING))
    services = serve(service)
    request = replace(REQUEST, count=2, trials=2)
    (line,) = services.estimate(request).lines
    assert (line.model, line.calls) == (PARSER, 1)
    found = evaluations(services, request)
    assert (len(found), len(service.sent)) == (4, 1)
    report = found[0].report
    assert report.evidence.reading.source == "model"
    assert report.evidence.reading.objects[0].count == Count.exactly(7)
    assert any(note.startswith("The rules read ") for note in report.evidence.notes)
    assert found[0].lineup["parser"] == PARSER
    assert services.estimate(request).lines == ()


def test_another_language_has_a_score_where_a_parser_translates_it_else_the_remedy(
    serve: Open,
) -> None:
    services = serve(Service(chat(TRANSLATED)))
    (by_rules,) = evaluations(services, replace(GERMAN, parser=None))
    assert by_rules.report.score.value is None
    (note,) = by_rules.report.evidence.notes
    assert "choose a parser" in note
    (evaluation,) = evaluations(services, GERMAN)
    assert ("parser" in by_rules.lineup, evaluation.cached) == (False, False)
    assert evaluation.report.version != by_rules.report.version
    assert len(services.store.runs()) == 2
    reading = evaluation.report.evidence.reading
    assert (reading.language, reading.unreadable) == ("de", "")
    assert reading.translation == "two red circles left of a blue square"
    assert evaluation.report.score.value is not None


@pytest.mark.parametrize("reply, words", FAULTS.values(), ids=FAULTS)
def test_a_parser_that_fails_is_asked_again_and_no_score_where_the_rules_cannot_read(
    serve: Open, reply: Any, words: str
) -> None:
    services = serve(Service(reply))
    (evaluation,) = evaluations(services, REQUEST)
    report = evaluation.report
    assert report.evidence.reading.source == "rules"
    note = report.evidence.notes[0]
    assert words in note
    assert (note.count("\n"), "sk-x" in note) == (0, False)
    (by_rules,) = evaluations(services, replace(REQUEST, parser=None))
    assert (report.version, report.scores) == (by_rules.report.version, by_rules.report.scores)
    (line,) = services.estimate(replace(REQUEST, seed=1)).lines
    assert line.calls == 1, "a reply that cannot be read was kept"

    (evaluation,) = evaluations(services, GERMAN)
    report = evaluation.report
    assert (report.score.value, report.score.counted) == (None, 0)
    (note,) = report.evidence.notes
    assert "so there is no score" in note
    assert words in note
