"""Holds what metrics ask and what comes back: requests by role and typed replies.

Failures are among the replies.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar, Literal, get_args

from hallascope.data.records import JudgingProtocol, Picture
from hallascope.data.regions import Box, Detection, Mask, TextLine

Role = Literal[
    "judge",
    "captioner",
    "writer",
    "parser",
    "detector",
    "segmenter",
    "embedder",
    "reader",
    "generator",
]
ROLES: tuple[Role, ...] = get_args(Role)

Setting = str | int | float | bool | None
JsonSchema = Mapping[str, object]  # a JSON schema


@dataclass(frozen=True)
class Usage:
    """Holds what a reply took as the service counts it: tokens in and out, pictures made."""

    input_tokens: int = 0
    output_tokens: int = 0
    pictures: int = 0


def sum_of(one: Usage, other: Usage | None) -> Usage:
    """Return what two replies took together; None took nothing."""
    other = other or Usage()
    return Usage(
        one.input_tokens + other.input_tokens,
        one.output_tokens + other.output_tokens,
        one.pictures + other.pictures,
    )


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Ask a judge about pictures.

    `text` is the whole prompt for a model that follows instructions (template already filled in);
    `question` and `choices` are the same in parts, for models that rank the choices by likelihood.
    Without choices the answer is free text, or JSON that fits `schema` where one is given.
    `temperature` and `seed` go before the model's own settings, for questions that are asked
    several times on purpose. With a `region` the judge looks at that part of the first picture
    only; a second picture is the reference it is compared with. A `free` answer is generated as
    text although there are choices, by judges that can; the metric then reads it.
    """

    role: ClassVar[Role] = "judge"
    images: tuple[Picture, ...]
    text: str
    question: str
    choices: tuple[str, ...] = ()
    template: str = ""  # version of the template that made `text`; part of the cache key
    schema: JsonSchema | None = None
    temperature: float | None = None
    seed: int | None = None
    region: Box | None = None
    free: bool = False

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the choices of which the judge is made to give one; none where it is free."""
        return () if self.free else self.choices


@dataclass(frozen=True)
class Describe:
    """Ask a captioner to describe a picture, or a region of it, in its own words.

    `text` is the whole prompt for a model that follows instructions (template already filled in); a
    model that only captions leaves it aside.
    """

    role: ClassVar[Role] = "captioner"
    image: Picture
    text: str
    region: Box | None = None
    template: str = ""

    def as_question(self, question: str | None = None) -> Ask:
        """Return the request as a question for a judge; its text is the question by default."""
        return Ask(
            images=(self.image,),
            text=self.text,
            question=self.text if question is None else question,
            template=self.template,
            region=self.region,
        )


@dataclass(frozen=True)
class Write:
    """Ask a writer for a text, or for JSON that fits `schema`; `text` is the whole prompt.

    The rest is as in `Ask`.
    """

    role: ClassVar[Role] = "writer"
    text: str
    template: str = ""
    schema: JsonSchema | None = None
    temperature: float | None = None
    seed: int | None = None


@dataclass(frozen=True)
class ReadPrompt:
    """Ask a parser what a prompt asks for.

    `text` is the whole request to a model that follows instructions (template already filled in),
    which answers with JSON that fits `schema`.
    """

    role: ClassVar[Role] = "parser"
    prompt: str
    text: str
    template: str = ""
    schema: JsonSchema | None = None


@dataclass(frozen=True)
class Generate:
    """Make one picture.

    `references` show what the prompt names, for models that take pictures beside it
    (visual-knowledge injection).
    """

    role: ClassVar[Role] = "generator"
    prompt: str
    seed: int
    references: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Detect:
    """Ask a detector where in a picture the things of these phrases are.

    One phrase may be found many times.

    `threshold` in [0, 1] goes before the model's own: what it is less sure of is not told.
    """

    role: ClassVar[Role] = "detector"
    image: Picture
    phrases: tuple[str, ...]
    threshold: float | None = None


@dataclass(frozen=True)
class Segment:
    """Ask a segmenter for the thing in each box.

    `phrases`, one a box, say what it is, for models that can use it.
    """

    role: ClassVar[Role] = "segmenter"
    image: Picture
    boxes: tuple[Box, ...]
    phrases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.phrases and len(self.phrases) != len(self.boxes):
            raise ValueError(
                f"{len(self.boxes)} boxes have {len(self.phrases)} phrases: give one a box, or"
                " none."
            )


@dataclass(frozen=True)
class Embed:
    """Ask an embedder for the vector of a picture, or of a text: exactly one of them."""

    role: ClassVar[Role] = "embedder"
    image: Picture | None = None
    text: str | None = None

    def __post_init__(self) -> None:
        if (self.image is None) == (self.text is None):
            raise ValueError("An embedding is of an image or of a text: give exactly one of them.")


@dataclass(frozen=True)
class Match:
    """Ask an embedder that has a head for it how likely a text is that of a picture."""

    role: ClassVar[Role] = "embedder"
    image: Picture
    text: str


@dataclass(frozen=True)
class ReadText:
    """Asks a reader (optical character recognition) for the writing in a picture or a region."""

    role: ClassVar[Role] = "reader"
    image: Picture
    region: Box | None = None


Request = (
    Ask | Describe | Write | ReadPrompt | Generate | Detect | Segment | Embed | Match | ReadText
)


def request_pictures(request: Request) -> list[Picture]:
    """Return all pictures of a request."""
    values = [getattr(request, part.name) for part in fields(request)]
    return [
        picture
        for value in values
        for picture in (value if isinstance(value, tuple) else (value,))
        if isinstance(picture, Picture)
    ]


@dataclass(frozen=True)
class MemberReply:
    """Holds what a member of a jury replied: its text, or why it has none.

    Where `failure` is not "", the member abstained and `text` is "".
    """

    member: str
    text: str = ""
    failure: str = ""


@dataclass(frozen=True)
class Answer:
    """Holds the reply of a judge, a captioner, a writer or a parser as text.

    `probabilities` of the choices in order, where the model gives them.

    `truncated`: the service broke the text off at its limit of tokens. Stores keep it as "cut".
    `members`: what each member replied, where a jury answers. `not_applied`: what the request
    wanted and the service did not take, of temperature, seed, logprobs, schema and
    reasoning_effort. `protocol`: how one of several choices came about.
    """

    text: str
    probabilities: tuple[float, ...] | None = None
    usage: Usage | None = None
    truncated: bool = field(default=False, metadata={"alias": "cut"})
    members: tuple[MemberReply, ...] = ()
    not_applied: tuple[str, ...] = ()
    protocol: JudgingProtocol | None = None


@dataclass(frozen=True)
class Generated:
    """Holds a picture as PNG bytes, with what is worth knowing of its making.

    `truth` is what a draughtsman knows it violated (JSON-able); it is stored apart and no judge
    sees it.
    """

    png: bytes
    notes: Mapping[str, Setting] = field(default_factory=dict)
    truth: Mapping[str, object] | None = None
    usage: Usage | None = None


@dataclass(frozen=True)
class Detected:
    """Holds what a detector found, best first; nothing found is an answer, too."""

    detections: tuple[Detection, ...]
    usage: Usage | None = None


@dataclass(frozen=True)
class Segmented:
    """Holds one mask a box, in the order of the boxes; a mask may be empty."""

    masks: tuple[Mask, ...]
    usage: Usage | None = None


@dataclass(frozen=True)
class Embedded:
    """Holds a vector of unit length; comparable only with those of the same model.

    `cut_after`: how many tokens of the text were read where it has more; None where all were.
    """

    vector: tuple[float, ...]
    usage: Usage | None = None
    cut_after: int | None = None


@dataclass(frozen=True)
class Matched:
    """Holds how likely a text is that of a picture, in [0, 1]. `cut_after` is as in `Embedded`."""

    probability: float
    usage: Usage | None = None
    cut_after: int | None = None


@dataclass(frozen=True)
class TextRead:
    """Holds what a reader found written, in the order in which it is read.

    Nothing written is an answer, too.

    The boxes are shares of the whole picture, also where a region of it was read.
    """

    lines: tuple[TextLine, ...]
    usage: Usage | None = None


FailureKind = Literal[
    "timeout",
    "refused",
    "rate_limited",
    "unavailable",
    "denied",
    "empty",
    "over_budget",
    "cannot_draw",
    "outside",
    "stopped",
    "broken",
]
# not the request's fault: the same run asks again
LEFT_OPEN: tuple[FailureKind, ...] = ("stopped", "over_budget")


@dataclass(frozen=True)
class Failure:
    """Holds why there is no reply: its kind, one sentence for a person, and the tries.

    The sentence says what, where, and what to do.

    `refused`: the service will not answer this request; `denied`: it will not serve us this model
    at all (key, name, credit), so that asking on is of no use; `outside`: the image is of a kind
    that the model was not trained on; `empty`: it answered with nothing. `usage`: what it took all
    the same.
    """

    kind: FailureKind
    message: str
    attempts: int = 1
    usage: Usage | None = None


# what a cache may keep; pictures are kept as files
CacheableReply = Answer | Detected | Segmented | Embedded | Matched | TextRead
Reply = CacheableReply | Generated | Failure
_REPLIES: Mapping[type[Request], type[Reply]] = {
    **dict.fromkeys((Ask, Describe, Write, ReadPrompt), Answer),
    Generate: Generated,
    Detect: Detected,
    Segment: Segmented,
    Embed: Embedded,
    Match: Matched,
    ReadText: TextRead,
}


def fits(request: Request, reply: Reply) -> bool:
    """Return whether a reply is of the type that answers such a request; a failure is of none."""
    return isinstance(reply, _REPLIES[type(request)])
