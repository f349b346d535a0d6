"""Holds what a judgment of a picture rests on, whatever the metric.

It is segments, texts with their marked words, and findings that tie them together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hallascope.data.graphs import SceneGraphs
from hallascope.data.older_fields import read_older
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.regions import Box, Mask, Span

State = Literal["correct", "incorrect", "abstained", "unreadable", "failed"]


@dataclass(frozen=True, kw_only=True)
class SegmentEvidence:
    """Holds a part of the picture that a metric looked at.

    `name` is what findings call it, such as "s1". `phrase` is what was looked for and `score` how
    sure the detector is of it, in [0, 1]; `caption` is what the captioner says of it and `written`
    what the reader read in it. `failure`: one sentence where it could not be looked at to the end,
    and was left out.
    """

    name: str
    phrase: str
    box: Box
    score: float
    mask: Mask | None = None
    caption: str = ""
    written: str = ""
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Holds one thing that was asked and what was found: a row, an error or a criterion.

    A row is that of a stage, an error that of a scene graph.

    `kind` is the metric's own: "object", "color", "number", "position", "text", "extraneous", ...
    `expected` and `observed` are in words, "" where nothing was. `state` is by the strict rule,
    `lenient_state` by the lenient one where there are two. `prompt_spans` and `caption_spans` are
    its words in the prompt and in the caption of the picture; `segments` are those it is about, by
    name. `note`: one sentence on what else is to be known, such as why it was left out.

    What pydantic reads may name the fields as version 0.1.0 did (`OLD_NAMES`).
    """

    kind: str
    expected: str
    observed: str
    state: State
    lenient_state: State | None = None
    prompt_spans: tuple[Span, ...] = ()
    caption_spans: tuple[Span, ...] = ()
    segments: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Return the schema of the fields, before which old names become new ones."""
        return read_older(source, handler, with_new_names)


OLD_NAMES: Mapping[str, str] = {
    "asked": "expected",
    "seen": "observed",
    "soft": "lenient_state",
    "asking": "prompt_spans",
    "saying": "caption_spans",
}


def with_new_names(fields: object) -> object:
    """Return the fields of a finding under today's names; what is no mapping stays as it is."""
    if not isinstance(fields, Mapping):
        return fields
    return {OLD_NAMES.get(name, name): value for name, value in fields.items()}


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Holds what the judgment of one picture rests on.

    `phrases` are what was looked for, `caption` is the text made of what was seen (the meta-caption
    of FiG). `graphs`: the graph of the prompt beside that of the picture, where a metric makes
    them.

    `reading` is what the prompt was read to ask for, where a metric reads it.

    `notes`: one sentence for each thing that was left out, or done otherwise than usual.
    """

    segments: tuple[SegmentEvidence, ...] = ()
    findings: tuple[Finding, ...] = ()
    phrases: tuple[str, ...] = ()
    caption: str = ""
    notes: tuple[str, ...] = ()
    graphs: SceneGraphs | None = None
    reading: PromptReading | None = None
