"""A concept of one's own, which models can use knowledge, and all that was judged by domain."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import DOMAINS
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.pages.factualbench import concepts
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.pages.factualbench.conftest import drawn, looked
from tests.support import pair_judge


def test_the_page_says_which_models_can_use_what(services: Any) -> None:
    said = concepts.unable(services)
    assert said.startswith("with definitions: not primer/exact, ")
    assert "knowing/painter" not in said
    assert "openai/dall-e-3" in said.partition("with reference images")[2]


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
    with pytest.raises(BadRequest, match="say in the field beside it what is defined"):
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


def test_a_picture_that_two_runs_show_is_counted_once(services: Any, pair: EvidenceRuns) -> None:
    before = len(concepts.rows(services))
    view = services.view(pair.runs[0])
    list(services.evaluate(replace(view.request, inject=())))
    assert len(concepts.rows(services)) == before


def test_a_model_has_one_colour_with_knowledge_as_without(services: Any) -> None:
    found = concepts.colors_by_model(services, ["exact", "exact, with definitions", "careless"])
    assert found["exact"] == found["exact, with definitions"] != found["careless"]


def test_nothing_judged_yet_is_an_empty_figure_with_the_published_marks(tmp_path: Path) -> None:
    found = pair_judge.build(tmp_path)
    figure, beneath = concepts.overview(found)
    assert {trace.type for trace in figure.data} == {"scatter"}
    assert "No image of the first level has been judged here yet." in beneath
    found.store.close()
