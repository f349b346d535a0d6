"""Holds the nouns of an evaluation: questions, pictures, verdicts, scores and reports."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Literal, get_args

from hallascope.data.evidence import Evidence
from hallascope.data.evidence import State as State
from hallascope.data.prompt_reading import PromptReading

CoI = Literal[
    "existence", "size", "color", "shape", "posture", "relation", "scene", "counting", "others"
]
COIS: tuple[CoI, ...] = get_args(CoI)

Domain = Literal["animal", "artifact", "food", "person", "plant", "celestial", "event", "location"]
DOMAINS: tuple[Domain, ...] = get_args(Domain)

Criterion = Literal["shape", "color", "texture", "details"]
Task = Literal["action", "attribute", "scene"]

Letter = Literal["A", "B", "C", "D", "E"]
LETTERS: tuple[Letter, ...] = get_args(Letter)
NONE_OF_THE_ABOVE = "None of the above"
CANNOT_TELL = "I cannot tell"  # of a judge that was not shown what it is asked about
STATED_FACTS = ". Facts: "  # stands between a prompt and the facts that its repair states

Difficulty = Literal["easy", "medium", "hard"]
JudgingProtocol = Literal["ranked", "schema", "free"]
# how a judge comes to one of several choices; scores under two protocols are never averaged
PROTOCOLS: Mapping[JudgingProtocol, str] = {
    "ranked": "the likeliest of the choices, so that no reply is unreadable",
    "schema": "a letter in a JSON schema, without reasoning before it",
    "free": "text, from which the choice is read",
}
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)

IHallaField = Literal["Science", "History"]
FIELDS: tuple[IHallaField, ...] = get_args(IHallaField)


class Category(StrEnum):
    """Holds the nine categories of I-HallA v1.0 (table 1)."""

    PHYSICS = "Physics"
    BIOLOGY = "Biology"
    EARTH_SCIENCE = "Earth Science"
    EASTERN_ANCIENT = "Eastern Ancient"
    EASTERN_MEDIEVAL = "Eastern Medieval"
    EASTERN_MODERN = "Eastern Modern"
    WESTERN_AFRICAN_ANCIENT = "Western & African Ancient"
    WESTERN_AFRICAN_MEDIEVAL = "Western & African Medieval"
    WESTERN_AFRICAN_MODERN = "Western & African Modern"

    @property
    def field(self) -> IHallaField:
        """Return the half of the benchmark the category belongs to (in the paper, the domain)."""
        return (
            "Science"
            if self in (Category.PHYSICS, Category.BIOLOGY, Category.EARTH_SCIENCE)
            else "History"
        )


def hardest(levels: Iterable[Difficulty]) -> Difficulty | None:
    """Return the hardest of some difficulties, None where there is none."""
    return max(levels, key=DIFFICULTIES.index, default=None)


@dataclass(frozen=True)
class Picture:
    """Holds an image by the SHA-256 of its file's bytes, and where the file lies.

    `is_drawn`: a model of the Primer world made it, so that it is in the style that models which
    ship know.
    """

    sha256: str
    path: Path
    is_drawn: bool = field(default=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Question:
    """Holds a multiple-choice question of I-HallA: five choices A to E.

    E is "None of the above".

    `gold` is the letter a factual picture leads to. `regions` names the parts of the picture the
    question is about, where they are known (in the Primer world they are). `origin` says who made
    it, and whether a person changed it; "" where the set as a whole says so. `parents` are the
    numbers in the set, from 1 on, of the questions on whose answers this one depends (DSG).
    """

    text: str
    choices: tuple[str, ...]
    gold: Letter
    coi: CoI
    regions: tuple[str, ...] = ()
    origin: str = ""
    parents: tuple[int, ...] = ()

    def choice(self, letter: Letter) -> str:
        return self.choices[LETTERS.index(letter)]


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Holds how a made set came to be: models, merged reasoning, template versions, and day.

    Versions are by role, the day is ISO.

    `difficulty` by picture (its SHA-256): how often of five the judge told right whether it is
    factual.
    """

    judge: str = ""
    writer: str = ""
    reasoning: str = ""
    templates: Mapping[str, str] = field(default_factory=dict)
    difficulty: Mapping[str, Difficulty] = field(default_factory=dict)
    made: str = ""


@dataclass(frozen=True, kw_only=True)
class QuestionSet:
    """Holds the questions of one prompt and their source: primer, ihalla-v1.0, made or a file.

    `field` is needed only where the category is not known. `difficulty` is that of the prompt,
    where its file says it.
    """

    prompt: str
    questions: tuple[Question, ...]
    category: Category | None = None
    domain: Domain | None = None
    source: str = "primer"
    provenance: Provenance | None = None
    field: IHallaField | None = None
    difficulty: Difficulty | None = None

    @property
    def known_field(self) -> IHallaField | None:
        """Return the field of I-HallA: that of the category, else the given one."""
        return self.category.field if self.category else self.field

    @property
    def known_difficulty(self) -> Difficulty | None:
        """Return the difficulty of the prompt: the given one, else that of its hardest image.

        The paper (table 1) grades pairs of a prompt and an image; here a prompt is as hard as the
        hardest of the images that its set was made from.
        """
        if self.difficulty or self.provenance is None:
            return self.difficulty
        return hardest(self.provenance.difficulty.values())


@dataclass(frozen=True, kw_only=True)
class MemberAnswer:
    """Holds what a member of a jury answered: the letter as read, and the raw reply.

    `answer` is None where no letter could be read, or where the member abstained; `failure` says
    why it did.
    """

    member: str
    answer: Letter | None = None
    raw: str = ""
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Holds what became of one question: the answer as read, its state, and the raw reply.

    `probability` is the judge's own for the answer, in [0, 1], where it gives one. `members`: what
    each member answered, where the judge is a jury.
    """

    question: Question
    answer: Letter | None
    state: State
    raw: str
    probability: float | None = None
    failure: str | None = None
    members: tuple[MemberAnswer, ...] = ()


@dataclass(frozen=True)
class Score:
    """Holds a mean that says what it counted.

    `value` is None where nothing was counted, never 0.
    """

    value: float | None
    counted: int
    left_out: int


@dataclass(frozen=True, kw_only=True)
class Report:
    """Holds what a metric says of one picture: its scores by name and their evidence.

    `scores["score"]` is the main one; `published` the same under the papers' policy, in which a
    question without a readable answer counts as wrong. `version` changes with every change of
    template or reading rule. `evidence` is what metrics rest on that ask no fixed questions.
    """

    metric: str
    version: str
    prompt: str
    image: str
    scores: Mapping[str, Score]
    verdicts: tuple[Verdict, ...] = ()
    published: Mapping[str, float | None] = field(default_factory=dict)
    evidence: Evidence | None = None

    @property
    def score(self) -> Score:
        return self.scores["score"]

    def without_author(self) -> "Report":
        """Return the report without the name of who corrected what the prompt asks for."""
        evidence = self.evidence
        if evidence is None or evidence.reading is None or not evidence.reading.author:
            return self
        reading = replace(evidence.reading, author="")
        return replace(self, evidence=replace(evidence, reading=reading))

    @property
    def protocol(self) -> str:
        """Return by which of PROTOCOLS the judge chose; of several: "free+ranked", of none: ""."""
        return version_protocol(self.version)

    @property
    def not_applied(self) -> tuple[str, ...]:
        """Return what services did not take of that which the metric wants, as `Answer` names it.

        Protocol and these stand in `version`, after ~ and before the mark of the wording:
        "3~free-seed-temperature".
        """
        return tuple(_conditions(self.version)[1:])

    def with_conditions(
        self, protocols: Iterable[JudgingProtocol], not_applied: Iterable[str], concepts: str = ""
    ) -> "Report":
        """Return the report with the protocols, and what was not applied, in its version.

        `concepts` is the mark of a person's own concepts.
        """
        protocol = "+".join(sorted(protocols))
        marks = "-".join((protocol, *sorted(not_applied)))
        bare, at, wording = self.version.partition("@")
        added = f"{concepts}~{marks}" if marks else concepts
        return replace(self, version=f"{bare}{added}{at}{wording}")

    @property
    def reading(self) -> PromptReading | None:
        """What the prompt was read to ask for, where the metric reads it."""
        return self.evidence.reading if self.evidence else None

    @property
    def corrected_by(self) -> str:
        """Who corrected what the prompt asks for, as `PromptReading.corrected_by`; "": nobody."""
        return self.reading.corrected_by if self.reading else ""


def version_protocol(version: str) -> str:
    """Return the protocol in the version of a report, as `Report.protocol`."""
    return _conditions(version)[0]


def protocol_text(protocol: str) -> str:
    """Return a protocol, or several joined by +, in words for people."""
    return "; ".join(
        f"{name}: {words}" for name, words in PROTOCOLS.items() if name in protocol.split("+")
    )


def without_conditions(version: str) -> str:
    """Return the version of a report without protocol and what was not applied."""
    head, at, wording = version.partition("@")
    return f"{head.partition('~')[0]}{at}{wording}"


def _conditions(version: str) -> list[str]:
    """Return the protocol in the version of a report ("": none), and what was not applied."""
    return version.partition("@")[0].partition("~")[2].split("-")
