"""Holds what the Agreement page shows of a comparison, whatever its kind is."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from hallascope.components.labels.agreement import left_out_rows
from hallascope.data.files.tables import Complaint
from hallascope.data.nouns import count_noun

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_ROWS = 100  # of those that are left out; the downloaded result has all of them


class AgreementView(NamedTuple):
    """Holds what the page shows: a sentence, the tables as HTML, the figure if there is one.

    `document` is the whole result as JSON-able values, for download.
    """

    words: str
    tables: Markup
    figure: "Figure | None"
    document: Mapping[str, Any]


def left_out_words(complaints: Sequence[Complaint]) -> str:
    """Return how many rows are left out, as the end of a sentence; "" where none is."""
    return f"; {count_noun(len(complaints), 'row')} left out" if complaints else ""


def left_out_list(complaints: Sequence[Complaint]) -> Markup:
    """Return the rows that are left out, the first MOST_ROWS of them by file and line."""
    return left_out_rows([str(complaint) for complaint in complaints], MOST_ROWS)
