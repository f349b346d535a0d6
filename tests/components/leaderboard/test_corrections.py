"""Below a leaderboard stands what the judge says beside people, or how to have scores corrected."""

from hallascope.components.leaderboard.corrections import (
    LISTED_OPENLY,
    correction_notes,
    label_hint,
)


def test_each_sentence_is_an_item_and_many_are_folded() -> None:
    few = correction_notes(["<b>one</b>: the judge says 0.06 more than people."])
    assert few.count("<li>") == 1
    assert "<li>&lt;b&gt;one" in few
    assert "<details>" not in few
    many = correction_notes([f"sentence {i}" for i in range(LISTED_OPENLY + 1)])
    assert many.count("<li>") == LISTED_OPENLY + 1
    assert f"<summary>The judge vs. people: {LISTED_OPENLY + 1} scores</summary>" in many
    assert correction_notes([]) == ""


def test_the_hint_leads_to_the_people_tab() -> None:
    html = label_hint(10)
    assert "10 prompts" in html
    assert '<a href="?tab=people">Labels</a>' in html
