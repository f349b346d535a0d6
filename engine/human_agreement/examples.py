"""Names the example tables that ship: simulated people and metrics, one example a kind."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hallascope import data
from hallascope.engine.human_agreement.table_kinds import TableKind

FOLDER = Path(data.__file__).parent / "agreement_examples"


class ExampleTables(NamedTuple):
    """Holds the file of what people say, and that of scores, None where none is needed."""

    people: Path
    scores: Path | None


EXAMPLES: Mapping[TableKind, ExampleTables] = {
    "ratings": ExampleTables(FOLDER / "ratings.csv", FOLDER / "scores.csv"),
    "preferences": ExampleTables(FOLDER / "preferences.csv", FOLDER / "scores.csv"),
    "answers": ExampleTables(FOLDER / "answers.csv", None),
}
