"""References stand beside the image; a concept and knowledge change what is counted."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import DOMAINS
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.evaluate import run
from hallascope.pages.factualbench import concepts, page
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.support import pair_judge

FIRST: dict[Role, str | None] = {"judge": "primer/judge", "detector": "primer/segmenter"}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    found = pair_judge.build(tmp_path_factory.mktemp("home"))
    yield found
    found.store.close()


def drawn(services: Any, prompt: str = "a ladybug above a sunflower", *models: str) -> CurrentRun:
    asked = EvaluateRequest(
        prompt=prompt, models=models or ("primer/exact", "knowing/painter"), metrics=(), judge=None
    )
    return list(run.frames(services, asked, threading.Event()))[-1].current


def looked(
    services: Any,
    current: CurrentRun,
    values: tuple[Any, ...] = ("", "", None, []),
    before: EvidenceRuns | None = None,
) -> EvidenceRuns:
    run = str(current.run)
    wanted = runs.request_of(services.view(run).request, FIRST, page.TAB.metric)
    wanted = concepts.add_concept(wanted, values)
    frames = runs.frames(
        services,
        wanted,
        run,
        threading.Event(),
        SpendingPolicy(),
        tab=page.TAB,
        before=before or EvidenceRuns(),
    )
    return list(frames)[-1][2]


@pytest.fixture(scope="module")
def pair(services: Any) -> EvidenceRuns:
    return looked(services, drawn(services), ("", "", None, ["text"]))


# --- concepts ---


def test_a_concept_of_ones_own_with_its_picture_goes_into_the_request(
    services: Any, tmp_path: Path
) -> None:
    asked = EvaluateRequest(prompt="a ladybug", models=("primer/exact",))
    own = concepts.add_concept(
        asked, (" quokka ", "A wallaby.", str(tmp_path / "q.png"), ["visual", "text"])
    )
    assert (own.concept, own.definition, own.reference, own.inject) == (
        "quokka",
        "A wallaby.",
        tmp_path / "q.png",
        ("text", "visual"),
    )
    assert concepts.add_concept(asked, ("", "", None, None)) == asked
    with pytest.raises(BadRequest, match="type the concept in the field next to it"):
        concepts.add_concept(asked, ("", "A wallaby.", None, []))


def test_the_bars_are_of_the_first_level_alone_by_the_newest_judge(
    services: Any, pair: EvidenceRuns
) -> None:
    looked(services, drawn(services, "a tulip", "primer/exact", "primer/careless"))
    found = concepts.rows(services)
    assert {row.prompt.level for row in found} == {"SKCM", "MKCC"}
    ours = concepts.by_domain(found)
    assert ours.keys() == {"exact", "careless"}
    assert list(ours["exact"]) == ["plant"]
    assert (ours["exact"]["plant"].value, ours["exact"]["plant"].n) == (1.0, 1)
    figure, beneath = concepts.overview(services)
    assert [len(bar.y) for bar in figure.data if bar.type == "bar"] == [len(DOMAINS)] * 2
    assert "exact: plant 100 % of 1 prompt" in beneath
    assert "MS-Diffusion, SKCU concept: +30.5 is printed, +20.5 is right" in beneath


# --- the page ---


def test_the_slider_lays_the_chosen_picture_over_every_reference(
    services: Any, pair: EvidenceRuns
) -> None:
    view = services.view(pair.runs[0])
    html = page.reference_slider(services, pair, view.shots[0].generation)
    assert html.count("<figure") == html.count('type="range"') == 2
    assert 'aria-label="How much is seen of exact, the rest of Reference: ladybug"' in html
    assert "none" in page.reference_slider(services, EvidenceRuns(), None)
    failed = next(shot for shot in view.shots if shot.path is None)
    assert "<figure" not in page.reference_slider(services, pair, failed.generation)


def test_pictures_with_knowledge_stand_beside_those_without_and_who_cannot_use_it_says_so(
    services: Any, pair: EvidenceRuns
) -> None:
    html = page.knowledge_changes(services, pair)
    assert "prompt alone" in html
    assert "Primer exact cannot use definitions in the prompt" in html
    assert "higher" in html
    assert [shot.injected for shot in services.view(pair.runs[0]).shots] == [
        None,
        "text",
        None,
        "text",
    ]
    assert page.knowledge_changes(services, EvidenceRuns()) == ""


def test_results_of_other_images_do_not_stay_beside_those_of_the_next_run(services: Any) -> None:
    current = drawn(services)
    alone = looked(services, current)
    told = looked(services, current, ("", "", None, ["text"]), before=alone)
    assert len(told.runs) == 1
    assert told.runs != alone.runs
