"""Prints scene graphs as the cells of a table."""

from dataclasses import dataclass

from hallascope.cli.output import stages
from hallascope.data.graphs import ERROR_TYPES, GraphError
from hallascope.data.records import Report
from hallascope.engine.documents.scene_graph import graphs_of


@dataclass(frozen=True, kw_only=True)
class PictureGraphRow:
    """Describes one picture in words: its grade, its shares, and its errors by type."""

    grade: str
    correct: str
    answered: str
    attribute: str
    count: str
    omission: str
    relation: str
    extraneous: str


def row(report: Report) -> PictureGraphRow:
    """Return grade, shares and errors by type as people read them, "-" where there are none."""
    graphs = graphs_of(report)
    errors = {
        error_type: ", ".join(
            _describe_error(error) for error in graphs.errors if error.type == error_type
        )
        or "-"
        for error_type in ERROR_TYPES
    }
    return PictureGraphRow(
        grade="-" if graphs.grade is None else str(graphs.grade),
        correct=stages.cell(report, "correct"),
        answered=stages.cell(report, "answered"),
        **errors,
    )


def _describe_error(error: GraphError) -> str:
    if not error.asked or error.type == "omission":
        return error.subject
    return f"{error.asked} -> {error.seen or 'nothing seen'}"
