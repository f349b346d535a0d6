"""Controls and addresses become a choice, and a choice hides what does not apply to it."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.leaderboard.board import Corrections, board
from hallascope.engine.leaderboard.filters import BYS
from hallascope.engine.leaderboard.options import LeaderboardOptions
from hallascope.engine.services import Services
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import view
from hallascope.pages.leaderboard.choice import (
    PREFIX,
    LeaderboardChoice,
    choice_fields,
    parse_address,
    parse_choice,
    resolve_choice,
)
from tests.pages.leaderboard.conftest import EXACT, HASTY, WORDS
from tests.support.ranked_store import MODELS, PROMPTS

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


def test_by_composition_the_score_is_that_of_questions() -> None:
    there = LeaderboardOptions(metrics=("ihalla",), scores=("score", "strict"))
    assert resolve_choice(parse_choice({"score": ["strict"]}), there).score == "strict"
    assert (
        resolve_choice(parse_choice({"score": ["strict"], "by": ["coi"]}), there).score == "score"
    )


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
    of_one = {"metric", "by", "score", "instrument", "published", "corrected", "plan"}
    of_one |= {"one", "other"}
    assert hidden == of_one
    assert not any(board_choice.is_idle(LeaderboardChoice(), name) for name in vars(choice))
    assert board_choice.is_idle(LeaderboardChoice(), "corrected", labeled=False)
    assert (
        'data-field="metric" data-default="ihalla" hidden'
        in view.leaderboard_view(ranked, choice).controls
    )


def test_what_a_person_sees_of_a_way_of_judging_names_who_and_how_much(ranked: Services) -> None:
    (instrument,) = board(ranked.store, LeaderboardChoice().query).instruments
    assert (
        board_choice.instrument_text(instrument)
        == f"primer/judge, version {instrument.version} ({len(PROMPTS) * len(MODELS)} pairs of"
        " prompt and model)"
    )


def test_the_description_says_whose_readings_the_numbers_rest_on(ranked: Services) -> None:
    shown = board(ranked.store, LeaderboardChoice().query)
    plain = board_choice.board_description(shown)
    corrections = Corrections(prompts=2, authors=("Ann",), mixed=0)
    corrected = board_choice.board_description(replace(shown, corrections=corrections))
    assert corrected == f"{plain}. What 2 prompts ask for was corrected by Ann."
