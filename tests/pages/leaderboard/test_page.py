"""The tab Leaderboard: choices become figure and table, what is picked becomes prompts and
evidence, an address restores it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.disagreements import furthest
from hallascope.engine.leaderboard.drilldown import pictures
from hallascope.engine.leaderboard.filters import BYS
from hallascope.engine.leaderboard.options import LeaderboardOptions, leaderboard_options
from hallascope.engine.leaderboard.redraw import redrawn
from hallascope.engine.services import Services
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import drilldown, view
from hallascope.pages.leaderboard.choice import (
    PREFIX,
    LeaderboardChoice,
    choice_fields,
    parse_address,
    parse_choice,
    resolve_choice,
)
from hallascope.pages.leaderboard.drilldown import Pick, pick
from hallascope.pages.leaderboard.page import open_address
from hallascope.primer import scenes
from tests.support.ranked_store import MODELS, PROMPTS, build

EXACT, HASTY, CARELESS = MODELS


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = build(tmp_path_factory.mktemp("ranked"))
    yield services
    services.store.close()


def shown(services: Services, **said: Any) -> view.LeaderboardView:
    return view.leaderboard_view(services, parse_choice(said))


def traces(found: view.LeaderboardView) -> list[dict[str, Any]]:
    assert found.figure is not None
    return list(found.figure.to_plotly_json()["data"])


# --- what is chosen
# --------------------------------------------------------------------------------------------------

WORDS = st.text(max_size=8)
CHOICES = st.builds(
    LeaderboardChoice,
    metric=st.sampled_from(("ihalla", "fig")),
    by=st.sampled_from(BYS),
    view=st.sampled_from(("bars", "heat", "radar", "apart")),
    models=st.lists(WORDS.filter(bool), max_size=3).map(tuple),
    score=st.sampled_from(("score", "strict")),
    domain=WORDS,
    trial=st.sampled_from(("", "0", "1")),
    run=WORDS,
    one=WORDS,
)


@given(CHOICES)
def test_a_choice_goes_through_the_controls_and_through_the_address(
    choice: LeaderboardChoice,
) -> None:
    assert parse_choice(choice_fields(choice)) == choice
    pairs = [
        (f"{PREFIX}{name}", value)
        for name, values in choice_fields(choice).items()
        for value in values
    ]
    assert (
        parse_choice(parse_address(parse_qsl(urlencode(pairs), keep_blank_values=True))) == choice
    )


@given(
    st.dictionaries(
        st.sampled_from([*vars(LeaderboardChoice()), "other"]),
        st.none() | WORDS | st.integers() | st.lists(WORDS | st.integers(), max_size=3),
    )
)
def test_whatever_an_address_says_it_is_a_choice_that_can_be_asked_for(
    said: dict[str, Any],
) -> None:
    choice = resolve_choice(
        parse_choice(said),
        LeaderboardOptions(metrics=("ihalla",), scores=("score",), models=("m",), runs={"r": "r"}),
    )
    assert choice.metric == "ihalla"
    assert choice.query.by in BYS
    assert set(choice.models) <= {"m"}
    assert choice.run in ("", "r")


@given(
    st.none()
    | st.dictionaries(
        st.sampled_from(Pick._fields),
        st.none() | WORDS | st.integers() | st.lists(WORDS),
        max_size=5,
    )
)
def test_whatever_the_page_says_was_picked_is_a_pick(said: object) -> None:
    assert pick(said).page >= 0


def test_by_composition_the_score_is_that_of_questions() -> None:
    there = LeaderboardOptions(metrics=("ihalla",), scores=("score", "strict"))
    assert resolve_choice(parse_choice({"score": ["strict"]}), there).score == "strict"
    assert (
        resolve_choice(parse_choice({"score": ["strict"], "by": ["coi"]}), there).score == "score"
    )


# --- what is shown
# --------------------------------------------------------------------------------------------------


def test_by_model_each_has_a_bar_and_a_row_and_published_ones_are_marks(ranked: Services) -> None:
    found = shown(ranked)
    drawn = [trace for trace in traces(found) if trace["type"] == "bar"]
    assert {trace["customdata"][0][0] for trace in drawn} == set(MODELS)
    assert any(
        trace["type"] == "scatter" and trace["marker"]["symbol"].endswith("-open")
        for trace in traces(found)
    )
    assert found.table.count("data-pick=") == len(MODELS)
    assert "judged by primer/judge" in found.table
    assert found.label == ""
    assert all(trace["type"] == "bar" for trace in traces(shown(ranked, published="hidden")))


def test_by_composition_the_same_model_has_the_same_colour(ranked: Services) -> None:
    colours = {
        by: {
            trace["customdata"][0][0]: trace["marker"]["color"]
            for trace in traces(shown(ranked, by=by))
            if trace["type"] == "bar"
        }
        for by in ("model", "coi", "domain")
    }
    assert colours["model"] == colours["coi"] == colours["domain"]


def test_only_the_chosen_models_are_there(ranked: Services) -> None:
    found = shown(ranked, models=[EXACT], view="heat")
    (heat,) = traces(found)
    assert heat["type"] == "heatmap"
    assert list(heat["y"]) == ["exact"]
    assert found.table.count("data-pick=") == 1


def test_a_radar_of_too_few_groups_is_a_sentence(ranked: Services) -> None:
    found = shown(ranked, view="radar")
    assert found.figure is None
    assert "three groups" in found.words
    assert {trace["type"] for trace in traces(shown(ranked, view="radar", by="coi"))} == {
        "scatterpolar"
    }


def test_the_difference_of_two_models_is_told_over_all_and_by_group(ranked: Services) -> None:
    found = shown(ranked, one=EXACT, other=CARELESS, by="domain").difference
    assert "exact less careless" in found
    assert '<th scope="row">all</th>' in found
    assert shown(ranked, one=EXACT).difference == ""
    assert "compared with itself" in shown(ranked, one=EXACT, other=EXACT).difference


def test_what_can_be_chosen_is_what_the_store_has(ranked: Services) -> None:
    there = leaderboard_options(ranked.store, "ihalla")
    assert there.metrics == ("ihalla",)
    assert there.models == tuple(sorted(MODELS))
    assert there.bys == ("model", "domain", "category", "coi")
    assert len(there.runs) == len(PROMPTS)
    html = shown(ranked).controls
    assert "FiG" not in html
    assert 'data-field="run"' in html
    assert 'data-field="trial"' not in html


def test_an_address_restores_what_was_chosen(ranked: Services) -> None:
    _, controls, figure, *_ = open_address(
        ranked,
        [("tab", "leaderboard"), (f"{PREFIX}by", "coi"), (f"{PREFIX}view", "heat"), ("run", "x")],
    )
    assert controls.value == {"by": ["coi"], "view": ["heat"]}
    assert figure.to_plotly_json()["data"][0]["type"] == "heatmap"
    _, controls, figure, *_ = open_address(ranked, [(f"{PREFIX}view", "heat")], {"by": ["coi"]})
    assert controls.value == {"by": ["coi"]}, "what was chosen since goes before the address"


# --- what is picked
# --------------------------------------------------------------------------------------------------


def test_behind_a_bar_stand_its_prompts_worst_first_with_their_pictures(ranked: Services) -> None:
    html = drilldown.prompts(ranked, LeaderboardChoice(), Pick(CARELESS))
    assert "2 prompts, the worst first" in html
    assert html.index("a ladybug") < html.index("a molecule of methane"), (
        "the script answers only of methane"
    )
    assert html.count('class="thumbnail"') == len(PROMPTS)
    assert drilldown.prompts(ranked, LeaderboardChoice(), Pick()) == ""
    assert "Nothing was counted" in drilldown.prompts(
        ranked, LeaderboardChoice(), Pick("m/unknown")
    )


def test_a_prompt_leads_to_the_evidence_of_its_picture_and_on_to_its_run(ranked: Services) -> None:
    html = drilldown.evidence(ranked, LeaderboardChoice(), Pick(HASTY, prompt=PROMPTS[0]))
    assert 'class="exhibit' in html
    assert "?tab=ihalla&amp;run=" in html
    assert 'class="exhibit' not in drilldown.evidence(ranked, LeaderboardChoice(), Pick(HASTY))
    assert "not stored here" in drilldown.evidence(
        ranked, LeaderboardChoice(), Pick(HASTY, prompt="never drawn")
    )


def test_without_a_second_method_nothing_disagrees(ranked: Services) -> None:
    assert "scored by two methods" in shown(ranked, view="apart").table


def test_what_is_of_one_metric_is_hidden_where_methods_disagree_and_stays_chosen(
    ranked: Services,
) -> None:
    (instrument,) = board(ranked.store, LeaderboardChoice().query).instruments
    choice = parse_choice(
        {"view": "apart", "instrument": instrument.key, "one": EXACT, "other": HASTY}
    )
    assert choice.query.filters.instrument == instrument.key
    assert choice.methods.instrument is None
    hidden = {name for name in vars(choice) if board_choice.is_idle(choice, name)}
    assert hidden == {"metric", "by", "score", "instrument", "published", "one", "other"}
    assert not any(board_choice.is_idle(LeaderboardChoice(), name) for name in vars(choice))
    assert (
        'data-field="metric" data-default="ihalla" hidden'
        in view.leaderboard_view(ranked, choice).controls
    )


def test_where_methods_disagree_a_picture_leads_to_both(
    ranked: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = ranked.store.runs()
    shot, *_ = ranked.store.shots(first.id)
    runs = {"ihalla": first.id, "fig": first.id, "factualbench": first.id}
    ranks = {"ihalla": 0.9, "fig": 0.5, "factualbench": 0.1}
    one = SimpleNamespace(
        generation=shot.generation,
        prompt=PROMPTS[1],
        model=HASTY,
        scores=ranks,
        ranks=ranks,
        value=0.8,
        runs=runs,
        thumbnail=None,
    )
    found = SimpleNamespace(items=(one,), page=0, total=1, considered=1)
    for module in (view, drilldown):
        monkeypatch.setattr(module, "disagreements", lambda *_, **__: found)
    assert furthest(ranks) == ("factualbench", "ihalla")
    table = shown(ranked, view="apart").table
    assert shot.generation in table
    assert (
        "lowest place</span>"
        in table.partition('data-of="T2I-FactualBench"')[2].partition("</td>")[0]
    )
    assert (
        drilldown.evidence(
            ranked, parse_choice({"view": "apart"}), Pick(picture=shot.generation)
        ).count('class="exhibit')
        == 2
    )
    assert "not stored here" in drilldown.evidence(
        ranked, parse_choice({"view": "apart"}), Pick(picture="another")
    )


# --- nothing of one's own
# --------------------------------------------------------------------------------------------------


def test_an_empty_store_shows_the_example_and_says_so(
    ranked: Services, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "demo.jsonl"
    demo.save(ranked.store, file, "a small run")
    monkeypatch.setattr(demo, "FILE", file)
    found = shown(services)
    assert "<strong>Example.</strong>" in found.label
    assert "a small run" in found.label
    assert found.table == shown(ranked).table
    assert json.dumps(PROMPTS[1])[1:-1] in drilldown.prompts(
        services, LeaderboardChoice(), Pick(HASTY)
    )
    assert "Results" not in found.controls, "there is nothing to choose"
    evidence = drilldown.evidence(services, LeaderboardChoice(), Pick(HASTY, prompt=PROMPTS[1]))
    assert "Redrawn" in evidence
    assert evidence.count("<img") == len(
        {one.seed for one in pictures(ranked.store, LeaderboardChoice().query, HASTY, PROMPTS[1])}
    )


def test_what_ships_stays_reachable_beside_own_runs_and_its_pictures_are_those_of_its_seeds(
    ranked: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "demo.jsonl"
    demo.save(ranked.store, file, "a small run", ())
    monkeypatch.setattr(demo, "FILE", file)
    own, ships = shown(ranked), shown(ranked, results="shipped")
    assert "Example." not in own.label
    assert "Shipped results" in own.controls
    assert "My runs" in own.controls
    assert "Example." in ships.label
    assert "My runs" in ships.controls
    assert ships.table == own.table
    first, *_ = pictures(ranked.store, LeaderboardChoice().query, HASTY, PROMPTS[0])
    assert first.image
    again = redrawn(ranked, HASTY, PROMPTS[0], first.seed)
    assert again == redrawn(ranked, HASTY, PROMPTS[0], first.seed), "drawn once"
    assert (
        Image.open(again).tobytes() == Image.open(ranked.store.images.path(first.image)).tobytes()
    ), "the same picture"
    with pytest.raises(BadRequest, match="only those of the models that ship"):
        redrawn(ranked, "sd-turbo", PROMPTS[0], 0)


@pytest.mark.parametrize(
    ("model", "prompt"),
    [("primer/hasty", "Stonehenge"), ("primer/careless", "a bat"), ("primer/careful", "a tulip")],
)
def test_a_redrawn_picture_has_the_score_that_ships(
    services: Services, model: str, prompt: str
) -> None:
    (one,) = pictures(
        demo.source(services.store, shipped=True).store, LeaderboardChoice().query, model, prompt
    )
    path = redrawn(services, model, prompt, one.seed)
    judge: Any = registry.load(read_models()["primer/judge"])
    case = Case(
        prompt=prompt,
        image=Picture(path.stem, path),
        questions=scenes.parse(prompt).questions().questions,
    )
    assert run(plan.plan(case), [judge.ask(next(plan.plan(case)))]).score.value == pytest.approx(
        one.value
    )


def test_with_neither_pictures_nor_example_there_is_one_sentence(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "FILE", tmp_path / "none.jsonl")
    found = shown(services)
    assert "Nothing has been judged here yet" in found.label
    assert (found.figure, found.table, found.controls) == (None, "", "")


def test_what_a_person_sees_of_a_way_of_judging_names_who_and_how_much(ranked: Services) -> None:
    (instrument,) = board(ranked.store, LeaderboardChoice().query).instruments
    assert (
        board_choice.instrument_text(instrument)
        == f"primer/judge, version {instrument.version} ({len(PROMPTS) * len(MODELS)} pairs of"
        " prompt and model)"
    )
