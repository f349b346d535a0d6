"""The tables of the store. Unique constraints see to it that nothing is counted twice.

Whoever changes them adds a step to ``engine/storage/migrations/versions`` and counts SCHEMA up; a test compares the two.
"""

import time

from sqlalchemy import BigInteger, Integer, UniqueConstraint
from sqlmodel import Field, SQLModel

SCHEMA = 4
_LARGE = BigInteger().with_variant(Integer(), "sqlite")  # SQLite's integers are large already


class Schema(SQLModel, table=True):
    """One row: the version of these tables."""

    version: int = Field(primary_key=True)


class Run(SQLModel, table=True):
    """A request with the versions of all it names; `request` is JSON. `id` is a hash of both."""

    id: str = Field(primary_key=True)
    created: float = Field(default_factory=time.time, index=True)
    state: str
    prompt: str
    request: str
    notice: str | None = None
    questions: str = "[]"


class Generation(SQLModel, table=True):
    """One picture of one model, or the place kept for it. `id` is the start of the hash of all it depends on."""

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
    """Which pictures belong to a run, in which order."""

    run: str = Field(primary_key=True, foreign_key="run.id")
    generation: str = Field(primary_key=True, foreign_key="generation.id", index=True)
    position: int


class Truth(SQLModel, table=True):
    """What a simulated model knows it drew; kept apart, so that nothing that judges reads it by accident."""

    generation: str = Field(primary_key=True, foreign_key="generation.id")
    truth: str


class EvaluationRow(SQLModel, table=True):
    """What one metric says of one picture in one trial of one run; `report` is the whole report as JSON, `lineup` the models by role."""

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
    value: float | None = None
    counted: int = 0
    left_out: int = 0
    strict: float | None = None
    report: str
    cached: bool = False
    lineup: str = Field(default="{}", sa_column_kwargs={"server_default": "{}"})


class VerdictRow(SQLModel, table=True):
    """One question of an evaluation, for tables over many runs."""

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


class QuestionSetRow(SQLModel, table=True):
    """The saved questions of a prompt; `prompt` in lower case with single spaces."""

    __tablename__ = "question_set"

    prompt: str = Field(primary_key=True)
    questions: str


class CachedReply(SQLModel, table=True):
    """A reply, of any role but the generator's, by the key of `engine.cache.key`."""

    __tablename__ = "cached_reply"

    key: str = Field(primary_key=True)
    reply: str
    created: float = Field(default_factory=time.time)


class SpendingRow(SQLModel, table=True):
    """What one model took in one role of one run on one day (ISO, UTC): USD, paid calls, tokens, pictures."""

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


class RatingRow(SQLModel, table=True):
    """What a person says of a finding of a metric about a picture (its SHA-256), or of the picture as a whole; no score counts it.

    `id` is a hash of what it is about: prompts are longer than PostgreSQL's keys may be.
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
