"""Choices become figure and table; an empty store shows the example and says so."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import demo, options
from hallascope.engine.leaderboard.drilldown import prompt_evaluations
from hallascope.engine.leaderboard.options import leaderboard_options, published_options
from hallascope.engine.leaderboard.redraw import redraw_picture
from hallascope.engine.services import Services
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan
from hallascope.pages.leaderboard import drilldown, view
from hallascope.pages.leaderboard.choice import (
    IN_SIGHT,
    LeaderboardChoice,
    parse_choice,
)
from hallascope.pages.leaderboard.drilldown import Pick
from hallascope.primer import scenes
from tests.pages.leaderboard.conftest import CARELESS, EXACT, HASTY, shown, traces
from tests.support.ranked_store import MODELS, PROMPTS


def test_by_model_each_has_a_dot_and_a_row_and_published_ones_are_marks(ranked: Services) -> None:
    found = shown(ranked, published="shown")
    drawn = [trace for trace in traces(found) if "customdata" in trace]
    assert {trace["mode"] for trace in drawn} == {"markers"}, "under 20 prompts: dots, no bars"
    assert {trace["customdata"][0][0] for trace in drawn} == set(MODELS)
    assert any(_is_published(trace) for trace in traces(found))
    assert found.table.count("data-pick=") == len(MODELS)
    assert "judged by primer/judge" in found.table
    assert found.label == ""
    alone = traces(shown(ranked))
    assert not any(_is_published(trace) for trace in alone)


def _is_published(trace: dict[str, Any]) -> bool:
    return str(trace.get("marker", {}).get("symbol", "")).endswith("-open")


def test_models_without_a_significant_difference_share_a_letter(labeled: Services) -> None:
    found = shown(labeled)
    (letters,) = [trace for trace in traces(found) if trace.get("mode") == "text"]
    assert len(letters["text"]) == len(found.options["models"])
    assert "Same letter: no significant difference." in found.table
    assert found.table.index("<summary>Method</summary>") < found.table.index("Holm")
    assert "not ranked" not in found.table


def test_the_difference_of_two_models_is_told_over_all_and_by_group(ranked: Services) -> None:
    found = shown(ranked, one=EXACT, other=CARELESS, by="domain").difference
    assert "exact minus careless: </strong>0.00 (-1.00 to 1.00, 2 prompts)." in found
    assert '<th scope="row">all</th>' in found
    assert shown(ranked, one=EXACT).difference == ""
    assert "compared with itself" in shown(ranked, one=EXACT, other=EXACT).difference


def test_what_can_be_chosen_is_what_the_store_has(ranked: Services) -> None:
    there = leaderboard_options(ranked.store, "ihalla")
    assert there.metrics == ("ihalla",)
    assert there.models == tuple(sorted(MODELS))
    assert there.bys == ("model", "domain", "category", "coi")
    assert len(there.runs) == len(PROMPTS)
    options = shown(ranked).options
    assert list(options["metric"]) == ["ihalla"]
    assert len(options["run"]) == 1 + len(PROMPTS)
    assert options["trial"] == {}
    assert len(IN_SIGHT) + len(options["results"]) <= 12, "controls in sight"


def test_an_older_run_stays_chosen_and_one_that_nobody_stored_is_named(
    ranked: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    oldest = list(shown(ranked).options["run"])[-1]
    monkeypatch.setattr(options, "LATEST", 1)
    found = shown(ranked, run=oldest)
    assert oldest in found.options["run"]
    assert found.choice
    assert found.choice.run == oldest
    assert "No run or sweep “gone”" in shown(ranked, run="gone").label


def test_an_empty_store_shows_the_example_and_says_so(
    ranked: Services, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "demo.jsonl"
    demo.save_demo(ranked.store, file, "a small run")
    monkeypatch.setattr(demo, "FILE", file)
    found = shown(services)
    assert "<strong>Reference.</strong>" in found.label
    assert "a small run" in found.label
    assert found.table == shown(ranked).table
    assert segments(found) == ("reference", ["reference", "mine", "published"])
    evidence = drilldown.evidence(services, LeaderboardChoice(), Pick(HASTY, prompt=PROMPTS[1]))
    assert "Redrawn" in evidence
    listed = drilldown.prompts(services, LeaderboardChoice(), Pick(HASTY))
    assert listed.count("<img") == len(PROMPTS), "each prompt has its image, drawn again"


def test_what_ships_stays_reachable_beside_own_runs_and_its_pictures_are_those_of_its_seeds(
    ranked: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "demo.jsonl"
    demo.save_demo(ranked.store, file, "a small run", ())
    monkeypatch.setattr(demo, "FILE", file)
    own, ships = shown(ranked), shown(ranked, results="reference")
    assert own.label == ""
    assert segments(own) == ("mine", ["reference", "mine", "published"])
    assert "Reference." in ships.label
    assert segments(ships) == ("reference", ["reference", "mine", "published"])
    assert shown(ranked, results="shipped") == ships, "addresses of 0.1.0 still open it"
    assert ships.table == own.table
    first, *_ = prompt_evaluations(ranked.store, LeaderboardChoice().query, HASTY, PROMPTS[0])
    assert first.image
    again = redraw_picture(ranked, HASTY, PROMPTS[0], first.seed)
    assert again == redraw_picture(ranked, HASTY, PROMPTS[0], first.seed), "drawn once"
    assert (
        Image.open(again).tobytes() == Image.open(ranked.store.images.path(first.image)).tobytes()
    ), "the same image"
    with pytest.raises(BadRequest, match="only those of the models that ship"):
        redraw_picture(ranked, "sd-turbo", PROMPTS[0], 0)


@pytest.mark.parametrize(
    "model, prompt",
    [("primer/hasty", "Stonehenge"), ("primer/careless", "a bat"), ("primer/careful", "a tulip")],
)
def test_a_redrawn_picture_has_the_score_that_ships(
    services: Services, model: str, prompt: str
) -> None:
    (one,) = prompt_evaluations(
        demo.leaderboard_source(services.store, shipped=True).store,
        LeaderboardChoice().query,
        model,
        prompt,
    )
    path = redraw_picture(services, model, prompt, one.seed)
    judge: Any = registry.load(read_models()["primer/judge"])
    case = Case(
        prompt=prompt,
        image=Picture(path.stem, path),
        questions=scenes.parse(prompt).questions().questions,
    )
    assert run(plan.plan(case), [judge.ask(next(plan.plan(case)))]).score.value == pytest.approx(
        one.value
    )


@pytest.mark.full
def test_where_methods_disagree_about_the_reference_its_pictures_are_drawn_again(
    services: Services,
) -> None:
    simulated = ["primer/hasty", "primer/careless"]
    choice = parse_choice({"view": "apart", "results": "reference", "models": simulated})
    table = view.leaderboard_view(services, choice).table
    assert table.count("<img") == view.SIZE
    picked = re.findall(r"data-pick=\"([^\"]*)\"", table)[0]
    picture = json.loads(html.unescape(picked))["picture"]
    evidence = drilldown.evidence(services, choice, Pick(picture=picture))
    assert evidence.count("<img") == 1
    assert evidence.count(" · ") >= 3, "seed and the scores of two methods"


def test_published_numbers_stand_alone_as_hollow_marks(services: Services) -> None:
    found = shown(services, results="published", metric="ihalla", models=["primer/exact"])
    assert segments(found)[0] == "published"
    assert found.figure is not None
    assert all(_is_published(trace) for trace in traces(found))
    assert "I-HallA, table 3" in found.table
    assert "data-pick" not in found.table
    assert "Numbers from papers" in found.label
    assert (
        drilldown.prompts(services, parse_choice({"results": "published"}), Pick("primer/exact"))
        == ""
    )


@pytest.mark.full
def test_every_published_metric_has_a_figure_by_each_of_its_groups(services: Services) -> None:
    for metric in published_options("ihalla").metrics:
        for by in published_options(metric).bys:
            for score in published_options(metric).scores:
                found = shown(services, results="published", metric=metric, by=by, score=score)
                assert ("no paper prints it" in found.words) == (found.figure is None)
        first = shown(services, results="published", metric=metric)
        assert first.figure is not None, "of FiG papers print the parts alone: the first is shown"
    for metric, tables in {"fig": 3, "factualbench": 1, "ihalla": 0}.items():
        found = shown(services, results="published", metric=metric)
        assert found.table.count("published-table") == tables


def segments(found: view.LeaderboardView) -> tuple[str, list[str]]:
    """The chosen results and all that can be chosen."""
    assert found.choice is not None
    return found.choice.results, list(found.options["results"])
