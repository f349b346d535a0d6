"""Controls and addresses become a choice; what is picked leads to prompts and to their evidence."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.leaderboard.board import Corrections, LeaderboardRow, board
from hallascope.engine.leaderboard.filters import BYS
from hallascope.engine.leaderboard.options import LeaderboardOptions
from hallascope.engine.services import Services
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import drilldown
from hallascope.pages.leaderboard.choice import (
    PREFIX,
    SWITCHES,
    LeaderboardChoice,
    address_values,
    parse_address,
    parse_choice,
    resolve_choice,
)
from hallascope.pages.leaderboard.drilldown import Pick, pick
from hallascope.pages.leaderboard.page import NAMES, open_address
from tests.pages.leaderboard.conftest import CARELESS, HASTY, WORDS
from tests.support.ranked_store import PROMPTS

# --- choices and addresses ---


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
    plan=WORDS,
    results=st.sampled_from(("", "reference", "mine", "published")),
)


@given(CHOICES)
def test_a_choice_goes_through_the_controls_and_through_the_address(
    choice: LeaderboardChoice,
) -> None:
    held = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in vars(choice).items()
    }
    assert parse_choice(held) == choice
    for name in SWITCHES:
        assert parse_choice({**held, name: getattr(choice, name) == "shown"}) == choice
    pairs = [
        (f"{PREFIX}{name}", value)
        for name, values in address_values(choice).items()
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


def test_the_description_says_whose_readings_the_numbers_rest_on(ranked: Services) -> None:
    shown = board(ranked.store, LeaderboardChoice().query)
    plain = board_choice.board_description(shown)
    corrections = Corrections(prompts=2, authors=("Ann",), mixed=0)
    corrected = board_choice.board_description(replace(shown, corrections=corrections))
    assert corrected == [*plain, "What 2 prompts ask for was corrected by Ann."]


def test_an_address_restores_what_was_chosen(ranked: Services) -> None:
    address, *updates, figure, _ = open_address(
        ranked,
        [("tab", "leaderboard"), (f"{PREFIX}by", "coi"), (f"{PREFIX}view", "heat"), ("run", "x")],
    )
    assert address == {"by": ["coi"], "view": ["heat"], "results": ["mine"]}
    held = {name: update["value"] for name, update in zip(NAMES, updates, strict=False)}
    assert address_values(parse_choice(held)) == address, "controls say what the address says"
    assert figure.to_plotly_json()["data"][0]["type"] == "heatmap"


# --- drilldown ---


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


def test_behind_a_bar_stand_its_prompts_worst_first_with_their_pictures(ranked: Services) -> None:
    html = drilldown.prompts(ranked, LeaderboardChoice(), Pick(CARELESS))
    assert "2 prompts, the worst first" in html
    assert html.index("a ladybug") < html.index("a molecule of methane"), (
        "the script answers only of methane"
    )
    assert html.count('class="prompt-thumbnail"') == len(PROMPTS)
    assert drilldown.prompts(ranked, LeaderboardChoice(), Pick()) == ""
    assert "No answers here" in drilldown.prompts(ranked, LeaderboardChoice(), Pick("m/unknown"))


def test_a_prompt_leads_to_the_evidence_of_its_picture_and_on_to_its_run(ranked: Services) -> None:
    html = drilldown.evidence(ranked, LeaderboardChoice(), Pick(HASTY, prompt=PROMPTS[0]))
    assert 'class="exhibit' in html
    assert "?tab=ihalla&amp;run=" in html
    assert 'class="exhibit' not in drilldown.evidence(ranked, LeaderboardChoice(), Pick(HASTY))
    assert "not stored here" in drilldown.evidence(
        ranked, LeaderboardChoice(), Pick(HASTY, prompt="never drawn")
    )


def test_models_of_one_short_name_go_by_their_whole_names() -> None:
    models = ("primer/hasty", "hasty", "primer/exact")
    named = board_choice.bars(
        [LeaderboardRow(model=model, group="", value=0.5, n=1) for model in models]
    )
    assert [bar.name for bar in named] == ["primer/hasty", "hasty", "exact"]
