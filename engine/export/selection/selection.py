"""Says which images and verdicts of runs are exported: by image, model, metric and outcome."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import get_args

from hallascope import metrics
from hallascope.data.evidence import State
from hallascope.data.records import COIS
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.columns import Row
from hallascope.engine.export.records import SharedEvaluation, SharedPicture
from hallascope.metrics.true_answers import JudgeOutcome

STATES: tuple[str, ...] = get_args(State)
OUTCOMES: tuple[str, ...] = get_args(JudgeOutcome)


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Holds what is chosen of runs; an empty field chooses everything.

    `images` are names of places in a run, or SHA-256 of images. `outcomes` are states of answers
    ("incorrect"), or what the judge made of a fact whose truth is known ("missed"). `cois` are
    compositions of interest, which questions have and findings have not.
    """

    images: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    metrics: frozenset[str] = frozenset()
    outcomes: frozenset[str] = frozenset()
    cois: frozenset[str] = frozenset()

    @property
    def is_by_verdict(self) -> bool:
        """Return whether single verdicts are chosen, and not only images and metrics."""
        return bool(self.outcomes or self.cois)

    @property
    def is_everything(self) -> bool:
        return self == Selection()

    def without_verdicts(self) -> "Selection":
        """Return what chooses the same images and metrics, whatever their verdicts."""
        return replace(self, outcomes=frozenset(), cois=frozenset())

    def keeps_picture(self, picture: SharedPicture) -> bool:
        is_named = not self.images or bool(self.images & {picture.generation, picture.image})
        return is_named and (not self.models or picture.model in self.models)

    def keeps_evaluation(self, evaluation: SharedEvaluation) -> bool:
        return not self.metrics or evaluation.metric in self.metrics

    def keeps_verdict(self, row: Row) -> bool:
        """Return whether the row of a question or finding is chosen."""
        if self.cois and row.get("coi") not in self.cois:
            return False
        return not self.outcomes or bool(self.outcomes & {row["state"], row.get("outcome")})


def read_selection(
    *,
    images: str = "",
    models: str = "",
    metric_names: str = "",
    outcomes: str = "",
    cois: str = "",
) -> Selection:
    """Return the selection of texts that list names with commas between.

    Raises BadRequest where a metric, an outcome or a composition of interest is none that there is.
    """
    return Selection(
        images=_names(images),
        models=_names(models),
        metrics=_known(metric_names, metrics.METRICS, "metric"),
        outcomes=_known(outcomes, (*STATES, *OUTCOMES), "outcome", _spaced),
        cois=_known(cois, COIS, "question type"),
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, (name.strip() for name in text.split(","))))


def _spaced(name: str) -> str:
    """Return a name as outcomes are written: "false-alarm" is "false alarm"."""
    return name.replace("-", " ").replace("_", " ")


def _known(
    text: str, known: Iterable[str], what: str, read: Callable[[str], str] = str
) -> frozenset[str]:
    names = frozenset(map(read, _names(text)))
    if unknown := sorted(names - frozenset(known)):
        raise BadRequest(f"There is no {what} {unknown[0]!r}: give one of {', '.join(known)}.")
    return names
