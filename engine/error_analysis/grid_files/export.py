"""Reads what a file of a grid shows, and refuses a grid that is too large for one."""

from dataclasses import dataclass

from hallascope.data.records import State
from hallascope.engine.error_analysis.gallery import GalleryImage, read_gallery_images
from hallascope.engine.error_analysis.grid import (
    AnswerChanges,
    ImageGrid,
    cell_changes,
    first_evaluations,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.store import Store

MOST_CELLS = 3_000  # of a file
GREEN, RED, OCHRE = "#1a7f4e", "#b3261e", "#7a5b00"
COLORS: dict[State, str] = {
    "correct": GREEN,
    "incorrect": RED,
    "abstained": RED,
    "unreadable": OCHRE,
    "failed": OCHRE,
}


@dataclass(frozen=True)
class ExportedGrid:
    """Holds a grid with the image that each cell shows, by evaluation.

    `baseline` is the number of the column that others are compared with, None for none.
    """

    grid: ImageGrid
    images: dict[int, GalleryImage]
    baseline: int | None = None

    def image(self, row: int, column: int) -> GalleryImage | None:
        """Return the image that a cell shows; None where there is none."""
        ids = self.grid.cells.get((row, column))
        return self.images.get(ids[0]) if ids else None

    def changes(self, row: int, column: int) -> AnswerChanges | None:
        return cell_changes(self.grid, self.images, row, column, self.baseline)

    @property
    def title(self) -> str:
        """Say what rows and columns are, and what others are compared with."""
        words = f"{self.grid.row_axis.capitalize()} by {self.grid.column_axis}"
        if self.baseline is None:
            return words
        return f"{words}, compared with {self.grid.columns[self.baseline].value}"


def read_exported_grid(store: Store, grid: ImageGrid, baseline: int | None = None) -> ExportedGrid:
    """Return the grid with what a file shows. Raises BadRequest where it has too many cells."""
    cells = len(grid.rows) * len(grid.columns)
    if not grid.cells:
        raise BadRequest("The grid is empty: no judged image is in this selection.")
    if cells > MOST_CELLS:
        rows = max(1, MOST_CELLS // len(grid.columns))
        raise BadRequest(
            f"The grid has {cells:,} cells and a file holds at most {MOST_CELLS:,}: take the first"
            f" {rows:,} rows, or narrow the selection."
        )
    images = read_gallery_images(store, first_evaluations(grid))
    return ExportedGrid(grid, {image.evaluation: image for image in images}, baseline)


def change_words(changes: AnswerChanges | None) -> str:
    """Return in words what changed from the baseline, "" for nothing."""
    if changes is None:
        return ""
    counts = {"better": changes.better, "worse": changes.worse, "changed": changes.other}
    return ", ".join(f"{len(questions)} {name}" for name, questions in counts.items() if questions)
