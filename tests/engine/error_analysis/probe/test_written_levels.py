"""A writer writes versions of a prompt, which are judged by the questions of the prompt."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Answer, Generated, Write
from hallascope.engine.error_analysis.probe.levels import CannotVary
from hallascope.engine.error_analysis.probe.probe import (
    ProbeOutcome,
    ProbeRequest,
    probe_estimate,
    run_probe,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.small_pictures import png

PROMPT = "a molecule of methane"
GERMAN, HINDI = "ein Methanmolekül", "मीथेन का एक अणु"
VERSIONS = [{"label": "Hindi", "prompt": HINDI}, {"label": "German", "prompt": GERMAN}]
PROBE = ProbeRequest(
    prompt=PROMPT,
    axis="language",
    models=("a/painter",),
    judge="a/judge",
    writer="a/writer",
    images=6,
)


class Studio:
    """Services with a painter that draws any prompt, and a writer that says what it is told to."""

    def __init__(self, folder: Path, reply: str) -> None:
        self.reply = Answer(reply)
        self.drawn: list[str] = []
        self.written: list[Write] = []
        price = Price("2026-01-01", output=1.0)
        spec = ModelSpec(
            id="a/writer", title="W", roles=("writer",), backend="scripted", kind="api", price=price
        )
        models = [
            Scripted(spec, self.write),
            Scripted(self.spec("a/judge", "judge"), lambda ask: Answer("A")),
            Scripted(self.spec("a/painter", "generator"), self.paint),
        ]
        self.services = Services(
            Store(folder=folder), read_models(), {model.spec.id: model for model in models}
        )

    def spec(self, name: str, role: Any) -> ModelSpec:
        return ModelSpec(id=name, title=name, roles=(role,), backend="scripted")

    def write(self, request: Any) -> Answer:
        self.written.append(request)
        return self.reply

    def paint(self, request: Any) -> Generated:
        self.drawn.append(request.prompt)
        return Generated(png(str(len(self.drawn))))


@pytest.fixture
def open_studio(tmp_path: Path) -> Iterator[Callable[[str], Studio]]:
    opened: list[Studio] = []

    def open_(reply: str) -> Studio:
        opened.append(Studio(tmp_path / "home", reply))
        return opened[-1]

    yield open_
    for studio in opened:
        studio.services.store.close()


def probe(studio: Studio, request: ProbeRequest = PROBE) -> ProbeOutcome:
    *_, last = run_probe(studio.services, request)
    assert isinstance(last, ProbeOutcome)
    return last


def test_the_versions_are_drawn_and_judged_by_the_questions_of_the_prompt(
    open_studio: Callable[[str], Studio],
) -> None:
    studio = open_studio(json.dumps({"versions": VERSIONS}))
    outcome = probe(studio)
    assert [level.label for level in outcome.variation.levels] == ["as it is", "German", "Hindi"]
    assert {level.judged_as for level in outcome.variation.levels} == {PROMPT}
    assert set(studio.drawn) == {PROMPT, GERMAN, HINDI}
    assert all(image.evaluation is not None for image in outcome.images)
    assert "Spanish, Chinese, Arabic, Swahili" in outcome.variation.note


def test_the_same_probe_asks_the_writer_once(open_studio: Callable[[str], Studio]) -> None:
    studio = open_studio(json.dumps({"versions": VERSIONS}))
    first, again = probe(studio), probe(studio)
    assert again.variation == first.variation
    assert len(studio.written) == 1
    assert len(studio.drawn) == len(first.images)


def test_a_reply_without_versions_is_one_sentence_and_draws_nothing(
    open_studio: Callable[[str], Studio],
) -> None:
    studio = open_studio("I would rather not.")
    with pytest.raises(CannotVary, match="choose another writer"):
        probe(studio)
    assert studio.drawn == []


def test_the_estimate_counts_the_writers_reply_and_asks_for_nothing(
    open_studio: Callable[[str], Studio],
) -> None:
    studio = open_studio("never asked")
    lines = {line.model: line.calls for line in probe_estimate(studio.services, PROBE).lines}
    assert lines == {"a/writer": 1}
    assert studio.written == []
