"""Defines what a repair of a prompt is asked for, and what came of each of its rounds."""

from dataclasses import dataclass
from pathlib import Path

from hallascope.data.records import Score, Verdict
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.metrics.ihalla.plan import NAME as IHALLA

MOST_ROUNDS = 10


@dataclass(frozen=True, kw_only=True)
class RepairRequest:
    """Holds a prompt to repair: who draws it, who judges, and who writes more explicit prompts.

    `writer` None: a rule adds the facts that were wrong. `rounds` is how many refined prompts are
    tried at most, after the prompt itself. All images have the same `seed`. `wording` names the
    pack of texts that judge and writer are sent, or its folder.
    """

    prompt: str
    model: str
    judge: str = "primer/judge"
    writer: str | None = None
    rounds: int = 3
    seed: int = 0
    wording: str = OURS

    @property
    def first(self) -> EvaluateRequest:
        """Return the evaluation of the prompt itself."""
        return EvaluateRequest(
            prompt=self.prompt,
            models=(self.model,),
            metrics=(IHALLA,),
            judge=self.judge,
            seed=self.seed,
            wording=self.wording,
        )


@dataclass(frozen=True, kw_only=True)
class RepairRound:
    """Holds one round: the prompt that was drawn, its image, and the score by the first questions.

    `number` is 0 for the prompt itself. `draw_run` made the image, `run` judged it; both are stored
    ("" where there is none). `image` is the SHA-256 of the image, None where none was made. `score`
    is in [0, 1] over the questions with an answer, None where nothing was judged. `wrong` are the
    questions that were answered wrongly. `failure` is one sentence where something failed.
    """

    number: int
    prompt: str
    draw_run: str = ""
    run: str = ""
    image: str | None = None
    path: Path | None = None
    score: Score | None = None
    wrong: tuple[Verdict, ...] = ()
    failure: str = ""


@dataclass(frozen=True)
class RepairEnd:
    """Says why the repair ended, in one sentence; `repaired`: every question is answered right."""

    reason: str
    repaired: bool = False


def refined_model(model: str, number: int) -> str:
    """Return the name under which an image of a refined prompt counts on leaderboards.

    It is another name than the model's: what was drawn is another prompt.
    """
    return f"{model} + refined prompt {number}" if number else model


def check_repair(request: RepairRequest) -> None:
    """Raise BadRequest with one sentence where the number of rounds cannot be."""
    if not 1 <= request.rounds <= MOST_ROUNDS:
        raise BadRequest(
            f"The number of rounds is {request.rounds!r}: give a whole number from 1 to"
            f" {MOST_ROUNDS}."
        )
