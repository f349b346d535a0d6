"""What a sweep is to do, as a person writes it into a YAML file.

It knows neither models nor metrics, and reads no prompts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from hallascope.data.models.specs import Knowledge
from hallascope.data.requests import Role
from hallascope.data.yaml_file import Fault
from hallascope.engine.errors import BadRequest
from hallascope.engine.run.validation import MAX_COUNT

SourceKind = Literal[
    "text",
    "primer",
    "file",
    "questions",
    "ihalla",
    "factualbench",
    "t2i-compbench",
    "drawbench",
    "coco",
]
KINDS: tuple[SourceKind, ...] = get_args(SourceKind)


def _line(fault: Fault) -> int:
    return fault.line


class BadSpec(BadRequest):
    """A specification that cannot stand.

    The message has a sentence, with file and line, for every fault.
    """

    def __init__(self, file: str, faults: Sequence[Fault]) -> None:
        super().__init__(
            "\n".join(
                f"{file}, line {fault.line}: {fault.said}" for fault in sorted(faults, key=_line)
            )
        )
        self.faults = tuple(sorted(faults, key=_line))


@dataclass(frozen=True, kw_only=True)
class PromptSource:
    """Where prompts come from.

    `path` is a file or folder, or the prompt itself where `kind` is "text".

    `sample`: so many of them, drawn by `seed`; None: all. `split`: only that part of a benchmark.
    """

    kind: SourceKind
    path: str = ""
    sample: int | None = None
    seed: int = 0
    split: str | None = None
    line: int = field(default=1, compare=False)


@dataclass(frozen=True)
class ConsecutiveSeeds:
    """`count` seeds from `first` on, each one more than the one before."""

    first: int
    count: int


@dataclass(frozen=True, kw_only=True)
class Spec:
    """A sweep: every prompt by every model with every seed, judged by every metric `trials` times.

    `roles` names who fills a role beside the judge. `budget` and `budget_day` are caps in USD;
    `store` a database by URL. `file` is where it stands, `lines` where each name does ("models
    primer/exact": 7); the same sweep is the same wherever it stands.
    """

    prompts: tuple[PromptSource, ...]
    models: tuple[str, ...]
    metrics: tuple[str, ...] = ("ihalla",)
    judge: str | None = "primer/judge"
    roles: Mapping[Role, str] = field(default_factory=dict)
    trials: int = 1
    seeds: tuple[int, ...] = (0,)
    inject: tuple[Knowledge, ...] = ()
    title: str = ""
    budget: float | None = None
    budget_day: float | None = None
    unpriced: bool = False
    store: str | None = None
    file: Path = field(default=Path("sweep.yaml"), compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def groups(self) -> tuple[ConsecutiveSeeds, ...]:
        """The seeds in rows of neighbours, each short enough for one request."""
        return tuple(_rows(sorted(self.seeds)))

    def plain(self) -> dict[str, Any]:
        """Return what is done, for a hash and the store: no prompts, money or database address."""
        named = ("title", "models", "metrics", "judge", "trials", "seeds", "inject")
        return {name: getattr(self, name) for name in named} | {"roles": dict(self.roles)}

    def complain(self, faults: Sequence[Fault]) -> None:
        """Raises BadSpec where there are faults."""
        if faults:
            raise BadSpec(str(self.file), faults)

    def line(self, key: str, name: str = "") -> int:
        """Where a name stands under a key, else the key itself."""
        return self.lines.get(f"{key} {name}", self.lines.get(key, 1))


def _rows(seeds: Sequence[int]) -> Iterator[ConsecutiveSeeds]:
    row: list[int] = []
    for seed in seeds:
        if row and (seed != row[-1] + 1 or len(row) == MAX_COUNT):
            yield ConsecutiveSeeds(row[0], len(row))
            row = []
        row.append(seed)
    if row:
        yield ConsecutiveSeeds(row[0], len(row))
