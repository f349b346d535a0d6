"""Prints slices, and what changed between two runs."""

from typing import TYPE_CHECKING

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.slices.discovery import SliceReport
    from hallascope.engine.error_analysis.slices.run_changes import RunChanges

SLICE_COLUMNS = (
    TextColumn("slice", lambda found: found.sentence),
    TextColumn("95 % interval", lambda found: printing.interval(found.low, found.high)),
    TextColumn("prompts", lambda found: f"{found.prompts:,}"),
    TextColumn("p, corrected", lambda found: f"{found.corrected_p:.2g}"),
    TextColumn("as a filter (--where)", lambda found: found.address),
)


def slice_lines(report: "SliceReport") -> str:
    """Return the slices as a table, and what they were found among."""
    if not report.images:
        return "No judged image is in this selection: judge some with `hallascope evaluate`."
    what = "answers" if report.by_questions else "images"
    among = (
        f"{report.looked_at:,} groups were looked at, over {report.images:,} images of"
        f" {report.prompts:,} prompts; the mean error of their {what} is {report.error_rate:.3f}"
        f" (n {report.counted:,}, {report.left_out:,} left out)."
    )
    if not report.slices:
        return f"No group fails more than chance explains.\n\n{among}"
    return f"{printing.table(SLICE_COLUMNS, report.slices)}\n\n{among}"


def change_lines(changes: "RunChanges") -> str:
    """Return what changed between two runs, by slice."""
    from hallascope.engine.error_analysis.slices.change_report import (
        HEADS,
        METHOD,
        MOST_SLICES,
        change_cells,
        unpaired_text,
    )

    rows = [change_cells(each) for each in (changes.whole, *changes.slices[:MOST_SLICES])]
    columns = tuple(
        TextColumn(head, lambda cells, at=at: cells[at])  # type: ignore[misc]
        for at, head in enumerate(HEADS)
    )
    return "\n\n".join(
        [
            changes.sentence,
            printing.table(columns, rows),
            f"McNemar's test on all images: p {changes.whole.mcnemar_p:.2g}. "
            f"{unpaired_text(changes)}",
            METHOD,
        ]
    )
