"""Holds what a judgment of a picture rests on, whatever the metric.

It is segments, texts with their marked words, and findings that tie them together.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from hallascope.data.graphs import SceneGraphs
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

    What pydantic reads may name the fields as version 0.1.0 did.
    """

    kind: str
    expected: Annotated[str, Field(validation_alias=AliasChoices("expected", "asked"))]
    observed: Annotated[str, Field(validation_alias=AliasChoices("observed", "seen"))]
    state: State
    lenient_state: Annotated[
        State | None, Field(validation_alias=AliasChoices("lenient_state", "soft"))
    ] = None
    prompt_spans: Annotated[
        tuple[Span, ...], Field(validation_alias=AliasChoices("prompt_spans", "asking"))
    ] = ()
    caption_spans: Annotated[
        tuple[Span, ...], Field(validation_alias=AliasChoices("caption_spans", "saying"))
    ] = ()
    segments: tuple[str, ...] = ()
    note: str = ""


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
