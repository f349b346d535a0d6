"""What metrics ask and what comes back: requests by role and typed replies, failures among them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from data.records import Picture

Role = Literal["judge", "writer", "detector", "segmenter", "embedder", "reader", "generator"]
ROLES: tuple[Role, ...] = ("judge", "writer", "detector", "segmenter", "embedder", "reader", "generator")

Setting = str | int | float | bool | None
Schema = Mapping[str, object]  # a JSON schema


@dataclass(frozen=True)
class Usage:
    """What a reply took, as the service counts it: tokens read and written, pictures made."""

    input_tokens: int = 0
    output_tokens: int = 0
    pictures: int = 0


@dataclass(frozen=True)
class Ask:
    """Ask a judge about pictures.

    `text` is the whole prompt for a model that follows instructions (template already filled in);
    `question` and `choices` are the same in parts, for models that rank the choices by likelihood.
    Without choices the answer is free text, or JSON that fits `schema` where one is given. `temperature` and
    `seed` go before the model's own settings, for questions that are asked several times on purpose.
    """

    role: ClassVar[Role] = "judge"
    images: tuple[Picture, ...]
    text: str
    question: str
    choices: tuple[str, ...] = ()
    template: str = ""  # version of the template that made `text`; part of the cache key
    schema: Schema | None = None
    temperature: float | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Write:
    """Ask a writer for a text, or for JSON that fits `schema`; `text` is the whole prompt. The rest is as in `Ask`."""

    role: ClassVar[Role] = "writer"
    text: str
    template: str = ""
    schema: Schema | None = None
    temperature: float | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Generate:
    """Make one picture. `settings`: steps, guidance, size, ... as the model takes them."""

    role: ClassVar[Role] = "generator"
    prompt: str
    seed: int
    settings: Mapping[str, Setting] = field(default_factory=dict)


Request = Ask | Write | Generate


@dataclass(frozen=True)
class Answer:
    """A judge's or writer's reply as text; `probabilities` of the choices in order, where the model gives them.

    `cut`: the service broke the text off at its limit of tokens.
    """

    text: str
    probabilities: tuple[float, ...] | None = None
    usage: Usage | None = None
    cut: bool = False


@dataclass(frozen=True)
class Generated:
    """A picture as PNG bytes, with what is worth knowing of its making.

    `truth` is what a draughtsman knows it violated (JSON-able); it is stored apart and no judge sees it.
    """

    png: bytes
    notes: Mapping[str, Setting] = field(default_factory=dict)
    truth: Mapping[str, object] | None = None
    usage: Usage | None = None


FailureKind = Literal[
    "timeout", "refused", "rate_limited", "unavailable", "denied", "empty", "over_budget", "cannot_draw", "stopped", "broken"
]  # fmt: skip


@dataclass(frozen=True)
class Failure:
    """No reply: what kind, one sentence for a person (what, where, what to do), and how often it was tried.

    `refused`: the service will not answer this request; `denied`: it will not serve us this model at all (key, name,
    credit), so that asking on is of no use; `empty`: it answered with nothing. `usage`: what it took all the same.
    """

    kind: FailureKind
    message: str
    attempts: int = 1
    usage: Usage | None = None


Reply = Answer | Generated | Failure
