"""The wording that is chosen on the page: that of the run by default, and the packs there are."""

from typing import Any

from hallascope.pages.shared.evidence.wording_choice import (
    OF_RUN,
    chosen_wording,
    picker_for_run,
    wording_picker,
)


def test_every_pack_is_offered_and_ours_or_that_of_the_run_is_chosen_at_first(
    services: Any,
) -> None:
    alone = wording_picker(services, "wording")
    assert alone.value == ["ours"]
    own = services.store.folder / "wordings" / "lab"
    own.mkdir(parents=True)
    (own / "fig_describe.txt").write_text("Name it.", encoding="utf-8")
    beside = picker_for_run(services, "fig-wording")
    assert beside.value == [OF_RUN]
    assert services.wordings() == ("ours", "as-published", "lab")


def test_without_a_choice_the_default_holds() -> None:
    assert chosen_wording(None) == chosen_wording([OF_RUN]) == "ours"
    assert chosen_wording([OF_RUN], "lab") == chosen_wording([], "lab") == "lab"
    assert chosen_wording(["as-published"], "lab") == "as-published"
