"""The published table of judges is shown as it was printed, with its faults marked."""

from hallascope.data.published import haloquest as leaderboard
from hallascope.pages.judges import view


def test_the_published_table_re_averages_from_its_types_but_for_the_marked_rows() -> None:
    slack = (
        1.0  # some rows are off by more than rounding explains, none of them by more than a point
    )
    for row, found in zip(view.published_rows(), leaderboard.leaderboard(), strict=True):
        apart = abs(view.by_types(found.human, found.sizes) - found.human["overall"])
        apart = max(apart, abs(view.by_types(found.auto, found.sizes) - found.auto["overall"]))
        assert (apart > slack) == bool(row.note), row.model
    assert sum(bool(row.note) for row in view.published_rows()) == 2
