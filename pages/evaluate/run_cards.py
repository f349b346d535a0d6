"""Turns stored runs into what the panel of runs shows."""

from datetime import UTC, datetime

from hallascope import metrics
from hallascope.components.runs.run_list import RunCard
from hallascope.components.tiles.scores import number_text
from hallascope.engine.events import UPLOADED
from hallascope.engine.storage.catalog import ListedRun, MeanScore
from hallascope.engine.storage.images import ImageStore
from hallascope.pages.shared.nouns import count_noun

MAX_SCORES = 4  # metrics of a run that the list shows


def run_card(run: ListedRun, images: ImageStore) -> RunCard:
    """Return a run or sweep as the list shows it."""
    return RunCard(
        id=run.id,
        name=run.name,
        is_sweep=run.is_sweep,
        is_pinned=run.is_pinned,
        date=_date(run),
        state=run.state,
        prompts=run.runs,
        models=[_model(model) for model in run.models],
        judges=run.judges,
        images=run.images,
        thumbnail=images.thumbnail(run.image) if run.image else None,
        scores=[
            f"{_title(score.metric)} {number_text(score.value)}{_basis(score)}"
            for score in run.scores[:MAX_SCORES]
        ],
    )


def _basis(score: MeanScore) -> str:
    """Return in how many images the score is, and how many answers are missing: " (4 images)"."""
    images = count_noun(score.n, "image")
    return f" ({images}, {score.left_out:,} unanswered)" if score.left_out else f" ({images})"


def _date(run: ListedRun) -> str:
    return f"{datetime.fromtimestamp(run.created, UTC):%Y-%m-%d %H:%M} UTC"


def _model(model: str) -> str:
    return "your own image" if model == UPLOADED else model


def _title(metric: str) -> str:
    found = metrics.find(metric)
    return found.title if found else metric
