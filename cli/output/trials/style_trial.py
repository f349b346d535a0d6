"""Formats how well images outside Primer's drawn style are told from those in it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn

if TYPE_CHECKING:
    from hallascope.backends.embedded.style_images.measurement import KindCount, StyleMeasurement


class WrongShare(NamedTuple):
    """Holds a share of images that are decided wrong, with its 95 % interval by Wilson (1927)."""

    kind: str
    images: int
    wrong: int
    share: float
    low: float
    high: float


def wrong_share(count: "KindCount") -> WrongShare:
    """Return the share of a kind with its interval."""
    from scipy.stats import binomtest

    interval = binomtest(count.wrong, count.images).proportion_ci(method="wilson")
    share = count.wrong / count.images
    return WrongShare(*count, share, float(interval.low), float(interval.high))


def sum_up(counts: "Sequence[KindCount]", kind: str = "all") -> WrongShare:
    """Return the share of all kinds together."""
    whole = type(counts[0])(kind, sum(c.images for c in counts), sum(c.wrong for c in counts))
    return wrong_share(whole)


def document(measured: "StyleMeasurement") -> dict[str, Any]:
    """Return the shares, of all images and by kind."""
    named = {"false_scores": measured.outside, "refused": measured.inside}
    return {
        name: {
            "all": sum_up(counts)._asdict(),
            "kinds": [wrong_share(count)._asdict() for count in counts],
        }
        for name, counts in named.items()
    }


def lines(measured: "StyleMeasurement") -> str:
    """Return a table for the images outside the style, and one for those in it."""
    return "\n\n".join(
        (
            _table("images outside the style", "given a score", measured.outside),
            _table("images in the style", "refused", measured.inside),
        )
    )


def _table(title: str, wrong: str, counts: "Sequence[KindCount]") -> str:
    columns = (
        TextColumn(title, lambda row: row.kind),
        TextColumn("images", lambda row: f"{row.images:,}"),
        TextColumn(wrong, lambda row: f"{row.wrong:,}"),
        TextColumn("share", lambda row: f"{row.share:.2%}"),
        TextColumn("95 % interval", lambda row: f"{row.low:.2%} to {row.high:.2%}"),
    )
    rows = [*map(wrong_share, counts), sum_up(counts)]
    return printing.table(columns, rows)
