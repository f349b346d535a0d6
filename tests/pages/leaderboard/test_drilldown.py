"""What is picked on the Leaderboard leads to prompts, and they lead to evidence."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.leaderboard.disagreements import furthest
from hallascope.engine.services import Services
from hallascope.pages.leaderboard import drilldown, view
from hallascope.pages.leaderboard.choice import (
    LeaderboardChoice,
    parse_choice,
)
from hallascope.pages.leaderboard.drilldown import Pick, pick
from tests.pages.leaderboard.conftest import CARELESS, HASTY, WORDS, shown
from tests.support.ranked_store import PROMPTS


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


def test_where_methods_disagree_a_picture_leads_to_both(
    ranked: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = ranked.store.runs()
    shot, *_ = ranked.store.generated_pictures(first.id)
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
