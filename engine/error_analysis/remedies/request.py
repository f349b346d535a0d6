"""Defines a repair experiment: which failing images, which remedies, and which two judges."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.repair.rounds import MOST_ROUNDS
from hallascope.engine.services import Services

RemedyName = Literal["best-of-n", "definitions", "prompt-repair"]
REMEDIES: Mapping[RemedyName, str] = {
    "best-of-n": "The best of several fresh images, by the selecting judge",
    "definitions": "The prompt with definitions of what it names",
    "prompt-repair": "The prompt with the facts that were wrong, round by round (I-HallA)",
}
ALL_REMEDIES: tuple[RemedyName, ...] = get_args(RemedyName)
MOST_CASES = 1000


class FailingImage(NamedTuple):
    """Names an image that is to be repaired by its prompt and seed."""

    prompt: str
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class RemedyRequest:
    """Holds what a repair experiment is asked for.

    Each remedy draws `images` for each failing image, and so does the control. `judge` selects the
    best image and says what a repaired prompt must state; `evaluate_by` is another judge, whose
    verdicts count. `writer` None: a rule adds the facts that were wrong.
    """

    cases: tuple[FailingImage, ...]
    model: str
    judge: str
    evaluate_by: str
    images: int = 4
    remedies: tuple[RemedyName, ...] = ALL_REMEDIES
    writer: str | None = None
    wording: str = OURS

    @property
    def images_in_all(self) -> int:
        """Return how many images are drawn at most; best of N takes those of the control."""
        drawing = sum(remedy != "best-of-n" for remedy in self.remedies)
        return len(self.cases) * (1 + self.images * (1 + drawing))


def parse_remedies(names: tuple[str, ...]) -> tuple[RemedyName, ...]:
    """Return the remedies of these names, all where none is named. Raises BadRequest."""
    for name in names:
        if name not in REMEDIES:
            raise BadRequest(f"There is no remedy {name!r}: choose of {', '.join(REMEDIES)}.")
    return tuple(remedy for remedy in ALL_REMEDIES if not names or remedy in names)


def check_request(services: Services, request: RemedyRequest) -> None:
    """Raise BadRequest, UnknownModel or Unavailable where the experiment cannot be run."""
    services.registry.require(request.model, "generator")
    services.registry.require(request.judge, "judge")
    services.registry.require(request.evaluate_by, "judge")
    if not request.cases:
        raise BadRequest(
            "There is no failing image to repair: name a run with errors (--run), or prompts"
            " (--prompts)."
        )
    if len(request.cases) > MOST_CASES:
        raise BadRequest(
            f"{len(request.cases):,} images are to be repaired: name at most {MOST_CASES:,}."
        )
    if not 1 <= request.images <= MOST_ROUNDS:
        raise BadRequest(
            f"The number of images is {request.images!r}: give a whole number from 1 to"
            f" {MOST_ROUNDS}."
        )
    if not request.remedies:
        raise BadRequest(f"No remedy is chosen: choose of {', '.join(REMEDIES)}.")
    _require_other_judge(services, request)


def _require_other_judge(services: Services, request: RemedyRequest) -> None:
    """Raise BadRequest where the evaluating judge is the selecting one, or asks the same model."""
    selecting = {spec.id for spec in services.registry.with_members(request.judge)}
    evaluating = {spec.id for spec in services.registry.with_members(request.evaluate_by)}
    shared = sorted(selecting & evaluating)
    if not shared:
        return
    if request.judge == request.evaluate_by:
        reason = f"{request.judge!r} would evaluate what it selected itself"
    else:
        reason = f"{request.judge!r} and {request.evaluate_by!r} both ask {shared[0]!r}"
    raise BadRequest(
        f"{reason}, so that a remedy could win by fooling it: choose another judge to evaluate"
        " (--evaluate-by)."
    )
