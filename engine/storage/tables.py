"""Defines the tables of the store, whose unique constraints keep anything from counting twice.

Whoever changes them adds the change to `hallascope.engine.storage.migrations`, and counts SCHEMA up
where a release had the tables before; a test compares the two.
"""

import time
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import BigInteger, Index, Integer, UniqueConstraint
from sqlmodel import Field, SQLModel

from hallascope.data.records import Question, Report
from hallascope.data.requests import Failure, Role, Setting
from hallascope.data.teaching.exercise import Grade
from hallascope.engine.events import EvaluateRequest

SCHEMA = 18
_LARGE = BigInteger().with_variant(Integer(), "sqlite")  # SQLite's integers are large already
# what columns of JSON hold
REQUEST = TypeAdapter(EvaluateRequest)
QUESTIONS = TypeAdapter(tuple[Question, ...])
REPORT = TypeAdapter(Report)
FAILURE = TypeAdapter(Failure)
SETTINGS = TypeAdapter(dict[str, Setting])
TRUTH = TypeAdapter(dict[str, Any])
LINEUP = TypeAdapter(dict[Role, str])


class Schema(SQLModel, table=True):
    """Holds the version of these tables in one row."""

    version: int = Field(primary_key=True)


class Run(SQLModel, table=True):
    """Holds a request (JSON) with the versions of all it names; `id` is a hash of both."""

    id: str = Field(primary_key=True)
    created: float = Field(default_factory=time.time, index=True)
    state: str
    prompt: str
    request: str
    notice: str | None = None
    questions: str = "[]"


class RunNoteRow(SQLModel, table=True):
    """Holds the name that a person gave to a run or a sweep, and whether it is pinned.

    `id` is that of the run or the sweep, with a space and the owner where a visitor did; the name
    is "" where nobody gave one.
    """

    __tablename__ = "run_note"

    id: str = Field(primary_key=True)
    name: str = ""
    pinned: bool = False


class OwnerRow(SQLModel, table=True):
    """Says that something (a run, a plan, the name of a person) is that of a visitor.

    `owner` is a hash of the visitor of a public app. `is_author`: it was not there before the
    visitor asked for it.
    """

    __tablename__ = "owner"

    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    owner: str = Field(primary_key=True, index=True)
    is_author: bool = True
    created: float = Field(default_factory=time.time)


class Generation(SQLModel, table=True):
    """Holds one picture of one model, or the slot kept for it.

    `id` is the start of the hash of all it depends on.
    """

    id: str = Field(primary_key=True)
    prompt: str
    model: str = Field(index=True)
    revision: str
    seed: int = Field(sa_type=_LARGE)
    settings: str = "{}"
    state: str = "waiting"
    image: str | None = Field(default=None, index=True)
    seconds: float | None = None
    failure: str | None = None
    notes: str = "{}"
    created: float = Field(default_factory=time.time)


class RunPicture(SQLModel, table=True):
    """Says which pictures belong to a run, in which order."""

    run: str = Field(primary_key=True, foreign_key="run.id")
    generation: str = Field(primary_key=True, foreign_key="generation.id", index=True)
    position: int


class Truth(SQLModel, table=True):
    """Holds what a simulated model knows it drew.

    It is kept apart, so that nothing that judges reads it by accident.
    """

    generation: str = Field(primary_key=True, foreign_key="generation.id")
    truth: str


class EvaluationRow(SQLModel, table=True):
    """Holds what one metric says of one picture in one trial of one run.

    `report` is the whole report as JSON, `lineup` the models by role.
    """

    __tablename__ = "evaluation"
    __table_args__ = (UniqueConstraint("run", "generation", "metric", "judge", "trial"),)

    id: int | None = Field(default=None, primary_key=True)
    run: str = Field(foreign_key="run.id", index=True)
    generation: str = Field(foreign_key="generation.id", index=True)
    image: str = Field(index=True)
    model: str = Field(index=True)
    metric: str
    version: str
    judge: str
    judge_revision: str
    trial: int
    prompt: str
    category: str | None = None
    domain: str | None = None
    field: str | None = None
    difficulty: str | None = None
    value: float | None = None
    counted: int = 0
    left_out: int = 0
    strict: float | None = None
    report: str
    cached: bool = False
    lineup: str = Field(default="{}", sa_column_kwargs={"server_default": "{}"})


class VerdictRow(SQLModel, table=True):
    """Holds one question of an evaluation, for tables over many runs."""

    __tablename__ = "verdict"

    evaluation: int = Field(primary_key=True, foreign_key="evaluation.id")
    index: int = Field(primary_key=True)
    coi: str = Field(index=True)
    question: str
    gold: str
    answer: str | None = None
    state: str = Field(index=True)
    raw: str
    probability: float | None = None


class ScoreRow(SQLModel, table=True):
    """Holds one score of an evaluation: of the picture, or of one composition of interest.

    The `part` of the picture is "", that of a composition of interest, which is of its questions,
    is its name. Leaderboards are aggregates of this table. `total`, `weight`, `answered` and
    `unanswered` are those of `hallascope.metrics.running_sums.ScoreContribution`. `instrument` is a
    hash of metric, version, judge, its revision and line-up: numbers of two are never averaged.
    `model` names the knowledge that it was given, too, and `prompt` is the start of a hash.
    `domain` may be several with "+" between, `field` is Science or History. `newest`: of the same
    picture, instrument and trial in several runs, the evaluation that was written last. The others
    are counted only where their run is asked for.

    Every evaluation has one head row: that of its score "score" and part "", or one of the score ""
    that no leaderboard averages. Rows lie in the order of the key, in which leaderboards read them.
    """

    __tablename__ = "score"
    __table_args__ = (
        Index("ix_score_prompt", "prompt", "model", "metric"),
        {"sqlite_with_rowid": False},
    )

    metric: str = Field(primary_key=True)
    score: str = Field(primary_key=True)
    part: str = Field(primary_key=True)
    instrument: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    prompt: str = Field(primary_key=True)
    evaluation: int = Field(primary_key=True, foreign_key="evaluation.id")
    newest: bool
    total: float
    weight: float
    answered: int
    unanswered: int
    judge: str
    category: str
    domain: str
    level: str
    task: str
    field: str = Field(default="", sa_column_kwargs={"server_default": ""})
    difficulty: str = Field(default="", sa_column_kwargs={"server_default": ""})
    run: str
    generation: str
    seed: int = Field(sa_type=_LARGE)
    trial: int
    created: float


class CorrectedEvaluationRow(SQLModel, table=True):
    """Says that an evaluation rests on what a person says that its prompt asks for.

    `prompt` is as in `ScoreRow`, `reading` the start of a hash of what the person says. `author` is
    "" where the person is not named.
    """

    __tablename__ = "corrected_evaluation"

    evaluation: int = Field(primary_key=True, foreign_key="evaluation.id")
    prompt: str = Field(index=True)
    reading: str
    author: str


class QuestionSetRow(SQLModel, table=True):
    """Holds the saved questions of a prompt, which is in lower case with single spaces."""

    __tablename__ = "question_set"

    prompt: str = Field(primary_key=True)
    questions: str


class CachedReply(SQLModel, table=True):
    """Holds a reply of any role but the generator's by `hallascope.engine.run.calls.cache.key`."""

    __tablename__ = "cached_reply"

    key: str = Field(primary_key=True)
    reply: str
    created: float = Field(default_factory=time.time)


class SpendingRow(SQLModel, table=True):
    """Holds what a model took in a role of a run on a day (ISO, UTC).

    That is USD, paid calls, tokens and pictures. `unconfirmed`: USD of the `amount` that no service
    has confirmed, as the reply was lost or said nothing of it.
    """

    __tablename__ = "spending"

    day: str = Field(primary_key=True)
    run: str = Field(primary_key=True, index=True)
    model: str = Field(primary_key=True)
    role: str = Field(primary_key=True)
    amount: float
    calls: int = Field(sa_type=_LARGE)
    input_tokens: int = Field(sa_type=_LARGE)
    output_tokens: int = Field(sa_type=_LARGE)
    pictures: int = Field(sa_type=_LARGE)
    unconfirmed: float


class ReservationRow(SQLModel, table=True):
    """Holds back money for a call in flight: the most in nano-USD, calls, tokens and pictures.

    The row is there before the call is sent and goes when it is settled. What a process that died
    has left behind, and what is past `expires` (seconds since 1970), counts as spent: the service
    may have done the work.
    """

    __tablename__ = "reservation"

    id: str = Field(primary_key=True)
    day: str
    run: str
    model: str
    role: str
    process: str
    nano_usd: int = Field(sa_type=_LARGE)
    calls: int = Field(sa_type=_LARGE)
    input_tokens: int = Field(sa_type=_LARGE)
    output_tokens: int = Field(sa_type=_LARGE)
    pictures: int = Field(sa_type=_LARGE)
    expires: float


class EmbeddingRow(SQLModel, table=True):
    """Holds the vector of an image (its SHA-256) by an embedder, named with its revision.

    `vector` are float16 numbers, the lowest byte first. `cluster` counts from 1; 0 is none yet.
    """

    __tablename__ = "embedding"

    embedder: str = Field(primary_key=True)
    image: str = Field(primary_key=True)
    vector: bytes
    cluster: int = 0


class MapLayoutRow(SQLModel, table=True):
    """Holds where images lie on a map; `id` is a hash of the images, the embedder and the method.

    `coordinates` are float32 numbers, x and y of each image in the order of their hashes.
    """

    __tablename__ = "map_layout"

    id: str = Field(primary_key=True)
    coordinates: bytes
    created: float = Field(default_factory=time.time)


class RatingRow(SQLModel, table=True):
    """Holds what a person says of a metric's finding, or of a picture (its SHA-256) as a whole.

    No score counts it. `id` is a hash of the subject: prompts are longer than PostgreSQL's keys may
    be.
    """

    __tablename__ = "rating"

    id: str = Field(primary_key=True)
    image: str = Field(index=True)
    metric: str
    prompt: str
    finding: str
    rater: str
    value: str
    created: float = Field(default_factory=time.time)


class LabelingPlanRow(SQLModel, table=True):
    """Holds a plan of what people label (JSON); images of deleted runs leave it."""

    __tablename__ = "labeling_plan"

    id: str = Field(primary_key=True)
    created: float = Field(default_factory=time.time)
    title: str
    plan: str


class LabelingRecordRow(SQLModel, table=True):
    """Holds what a rater did with an image of a plan: it is shown to them, labeled or skipped.

    `id` is a hash of plan, rater and item, `item` the image as the plan names it, `answers` JSON.
    `shown` and `created` are in seconds since 1970.
    """

    __tablename__ = "labeling_record"

    id: str = Field(primary_key=True)
    plan: str = Field(foreign_key="labeling_plan.id", index=True)
    rater: str
    item: str
    state: str
    answers: str = "[]"
    shown: float
    created: float


class ReadingRow(SQLModel, table=True):
    """Holds what a person says that a prompt asks for, in place of what a parser reads.

    `id` is a hash of the prompt and its author, `prompt_hash` one of the prompt: prompts are longer
    than PostgreSQL's keys may be. `reading` is JSON.
    """

    __tablename__ = "reading"

    id: str = Field(primary_key=True)
    prompt_hash: str = Field(index=True)
    author: str
    reading: str
    created: float = Field(default_factory=time.time)


class SweepRow(SQLModel, table=True):
    """Holds a sweep, whose `id` is a hash of its specification and the versions of all it names.

    `spec` is JSON; `items` is how many there are.
    """

    __tablename__ = "sweep"

    id: str = Field(primary_key=True)
    created: float = Field(default_factory=time.time)
    state: str
    title: str
    spec: str
    items: int


class SweepItemRow(SQLModel, table=True):
    """Holds one item of a sweep: its run ("" where there could be none), and how far it is.

    `done`: all of it is there; with `failures` (pictures, questions, rows) it is repeated at the
    next run; `note` is the first of them.
    """

    __tablename__ = "sweep_item"

    sweep: str = Field(primary_key=True, foreign_key="sweep.id")
    position: int = Field(primary_key=True)
    run: str = Field(index=True)
    prompt: str
    done: bool = False
    pictures: int = 0
    evaluations: int = 0
    failures: int = 0
    note: str = ""


class PaceRow(SQLModel, table=True):
    """Holds how long a model took for how many requests in a role, in all sweeps."""

    __tablename__ = "pace"

    model: str = Field(primary_key=True)
    role: str = Field(primary_key=True)
    requests: int = Field(sa_type=_LARGE)
    seconds: float


class LessonRow(SQLModel, table=True):
    """Holds a set of exercises that a teacher made; `token` is all of it, as in its link."""

    __tablename__ = "lesson"

    id: str = Field(primary_key=True)
    title: str
    token: str
    created: float = Field(default_factory=time.time)


class LessonAnswerRow(SQLModel, table=True):
    """Holds a learner's first answer to an exercise (JSON), of a set or ("") in practice.

    `place` is None where the exercise has no place to point at. `id` is a hash of set, exercise and
    learner; `position` is the place in the set, from 0 on.
    """

    __tablename__ = "lesson_answer"

    id: str = Field(primary_key=True)
    lesson: str = Field(index=True)
    position: int
    exercise: str
    learner: str = Field(index=True)
    place: bool | None = None
    fact: bool
    created: float = Field(default_factory=time.time)

    @property
    def grade(self) -> Grade:
        return Grade(self.place, self.fact)
