"""Defines the specification of a sweep, as a person writes it into a YAML file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from hallascope.data.models.specs import Knowledge
from hallascope.data.prompt_reading import PromptReader
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
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


class BadSpec(BadRequest):
    """Reports a specification that cannot stand.

    The message has a sentence, with file and line, for every fault.
    """

    def __init__(self, file: str, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__(
            "\n".join(f"{file}, line {fault.line}: {fault.said}" for fault in self.faults)
        )


@dataclass(frozen=True, kw_only=True)
class PromptSource:
    """Says where prompts come from.

    `path` is a file or folder, or the prompt itself where `kind` is "text".

    `sample`: so many of them, drawn by `seed`; None: all. `split`: only that part of a benchmark.
    """

    kind: SourceKind
    path: str = ""
    sample: int | None = None
    seed: int = 0
    split: str | None = None
    line: int = field(default=1, compare=False)


@dataclass(frozen=True, kw_only=True)
class Spec:
    """Describes a sweep: every prompt by every model with every seed, judged by every metric.

    Each metric judges `trials` times. `roles` names who fills a role beside the judge. `wording` is
    the pack of texts that models are sent, or its folder. `prompt_reader` and `accept_readings` are
    as in `EvaluateRequest`. `budget` and `budget_day` are caps in
    USD; `store` is a database by URL. `file` is where it stands, `lines` where each name does
    ("models primer/exact": 7); the same sweep is the same wherever it stands.
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
    wording: str = OURS
    prompt_reader: PromptReader | None = None
    accept_readings: bool = False
    file: Path = field(default=Path("sweep.yaml"), compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def groups(self) -> tuple[range, ...]:
        """Return the seeds in rows of neighbors, each short enough for one request."""
        rows: list[range] = []
        for seed in sorted(self.seeds):
            if rows and len(rows[-1]) < MAX_COUNT and seed == rows[-1].stop:
                rows[-1] = range(rows[-1].start, seed + 1)
            else:
                rows.append(range(seed, seed + 1))
        return tuple(rows)

    def plain(self) -> dict[str, Any]:
        """Return what is done, for a hash and the store: no prompts, money or database address."""
        named = ("title", "models", "metrics", "judge", "trials", "seeds", "inject")
        done = {name: getattr(self, name) for name in named} | {"roles": dict(self.roles)}
        # only where they are used, so that sweeps keep the ids they had before
        if (self.prompt_reader, self.accept_readings) != (None, False):
            done |= {"prompt_reader": self.prompt_reader, "accept_readings": self.accept_readings}
        return done

    def complain(self, faults: Sequence[Fault]) -> None:
        """Raise BadSpec where there are faults."""
        if faults:
            raise BadSpec(str(self.file), faults)

    def line(self, key: str, name: str = "") -> int:
        """Return the line where a name stands under a key, else that of the key itself."""
        return self.lines.get(f"{key} {name}", self.lines.get(key, 1))
