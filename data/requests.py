"""What metrics ask and what comes back: requests by role and typed replies, failures among them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from data.records import Picture

Role = Literal["judge", "writer", "detector", "segmenter", "embedder", "reader", "generator"]
ROLES: tuple[Role, ...] = ("judge", "writer", "detector", "segmenter", "embedder", "reader", "generator")

Setting = str | int | float | bool | None


@dataclass(frozen=True)
class Ask:
    """Ask a judge about pictures.

    `text` is the whole prompt for a model that follows instructions (template already filled in);
    `question` and `choices` are the same in parts, for models that rank the choices by likelihood.
    Without choices the answer is free text.
    """

    role: ClassVar[Role] = "judge"
    images: tuple[Picture, ...]
    text: str
    question: str
    choices: tuple[str, ...] = ()
    template: str = ""  # version of the template that made `text`; part of the cache key


@dataclass(frozen=True)
class Generate:
    """Make one picture. `settings`: steps, guidance, size, ... as the model takes them."""

    role: ClassVar[Role] = "generator"
    prompt: str
    seed: int
    settings: Mapping[str, Setting] = field(default_factory=dict)


Request = Ask | Generate


@dataclass(frozen=True)
class Answer:
    """A judge's reply as text; `probabilities` of the choices in order, where the model gives them."""

    text: str
    probabilities: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Generated:
    """A picture as PNG bytes, with what is worth knowing of its making.

    `truth` is what a draughtsman knows it violated (JSON-able); it is stored apart and no judge sees it.
    """

    png: bytes
    notes: Mapping[str, Setting] = field(default_factory=dict)
    truth: Mapping[str, object] | None = None


FailureKind = Literal["timeout", "refused", "rate_limited", "unavailable", "over_budget", "cannot_draw", "stopped", "broken"]


@dataclass(frozen=True)
class Failure:
    """No reply: what kind, one sentence for a person (what, where, what to do), and how often it was tried."""

    kind: FailureKind
    message: str
    attempts: int = 1


Reply = Answer | Generated | Failure
