"""Checks with a judge what detected things are.

An open-vocabulary detector finds a little of everything, and calls one thing by another's name.

Its steps yield the questions and draw what follows from the replies.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.lexicon import noun_forms
from hallascope.data.regions import Detection
from hallascope.data.requests import Answer, Failure, Reply
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.detection.selection import is_part, labels_at, same_place
from hallascope.metrics.parsing.words.language import article
from hallascope.metrics.scene_graph import replies
from hallascope.metrics.scene_graph.crop_questions import (
    YES_NO,
    CropQuestion,
    ImageInspection,
)
from hallascope.metrics.scene_graph.matching import is_in_prompt

# probability of No from which on a name that the prompt has, and another one, is denied
SURE = 0.9
EVEN = 0.5


class LabelCheckResult(NamedTuple):
    """Holds the things by name, notes on what was left out, and the judge's first failure.

    The failure is None where it always replied.

    After a failure nobody knows which of the things are there: to believe the detector then would
    be another instrument.
    """

    segments: tuple[SegmentEvidence, ...]
    notes: tuple[str, ...]
    failure: Failure | None = None


def names(
    looking: ImageInspection, segments: Sequence[SegmentEvidence], found: Sequence[Detection]
) -> PlanSteps[LabelCheckResult]:
    """Return the segments by what the judge says they are. `found`: all that was detected.

    Our reading:

    A thing that the prompt asks for is denied only by a judge that is sure of it, where it tells
    how sure it is; where it says neither yes nor no, the detector is believed. What is denied is
    asked about again under every other name that the detector gave it and under those of the
    prompt, and is what the judge is surest of. What nobody asked for and lies within a larger thing
    is a part of that.
    """
    chances, failure = yield from _chances(looking, [(one, one.phrase) for one in segments])
    kept = [
        one
        for one, chance in zip(segments, chances, strict=True)
        if (chance or 0) < (SURE if _is_asked(looking, one.phrase) else EVEN)
    ]
    whole = [one for one in kept if _is_asked(looking, one.phrase) or not is_part(one, kept)]
    denied = [one for one in segments if one not in kept and not is_part(one, whole)]
    renamed, also = yield from _renamed(looking, denied, found)
    known = list(whole)
    for one in sorted(renamed, key=lambda one: -one.box.area):
        if not any(
            other.phrase == one.phrase and same_place(one.box, other.box) for other in known
        ):
            known.append(one)
    order = {one.name: at for at, one in enumerate(segments)}
    return LabelCheckResult(
        tuple(sorted(known, key=lambda one: order[one.name])),
        _notes(segments, kept, whole, renamed),
        failure or also,
    )


def _renamed(
    looking: ImageInspection, denied: Sequence[SegmentEvidence], found: Sequence[Detection]
) -> PlanSteps[tuple[list[SegmentEvidence], Failure | None]]:
    """Return what is denied and has another name, under it.

    One that the detector did not give it needs a judge that is sure.
    """
    wanted = [node.label for node in looking.asked.graph.nodes if not node.absent]
    others = {one.name: labels_at(one.box, found) for one in denied}
    pairs = [
        (one, phrase)
        for one in denied
        for phrase in dict.fromkeys((*wanted, *others[one.name]))
        if phrase != one.phrase
    ]
    chances, failure = yield from _chances(looking, pairs)
    best: dict[str, tuple[float, SegmentEvidence]] = {}
    for (one, phrase), chance in zip(pairs, chances, strict=True):
        least = EVEN if phrase in others[one.name] else 1 - SURE
        if chance is not None and chance < min(least, best[one.name][0] if one.name in best else 1):
            best[one.name] = chance, replace(one, phrase=phrase)
    return [one for _, one in best.values()], failure


def _chances(
    looking: ImageInspection, pairs: Sequence[tuple[SegmentEvidence, str]]
) -> PlanSteps[tuple[list[float | None], Failure | None]]:
    """Return how sure the judge is that a thing is not what it is called, or None.

    It is 1 or 0 where it says no or yes and not how sure it is.

    Also the first of its failures.
    """
    looks = [
        CropQuestion(
            about=(one.name,),
            kind="name",
            value="",
            question=f"Is this {_with_article(phrase)}?",
            choices=YES_NO,
            region=one.box,
        )
        for one, phrase in pairs
    ]
    answers = (yield [looking.ask(look) for look in looks]) if looks else []
    failure = next(
        (said for reply in answers if isinstance(said := text_reply(reply, "judge"), Failure)), None
    )
    return [_denied(look, reply) for look, reply in zip(looks, answers, strict=True)], failure


def _denied(look: CropQuestion, reply: Reply) -> float | None:
    said = text_reply(reply, "judge")
    word = replies.choice(said.text, look.choices) if isinstance(said, Answer) else None
    if isinstance(said, Failure) or not word:
        return None
    if (
        said.probabilities
        and len(said.probabilities) == len(YES_NO)
        and sum(said.probabilities) > 0
    ):
        return said.probabilities[1] / sum(said.probabilities)
    return float(word == "No")


def _is_asked(looking: ImageInspection, label: str) -> bool:
    return is_in_prompt(looking.asked, label)


def _notes(
    segments: Sequence[SegmentEvidence],
    kept: Sequence[SegmentEvidence],
    whole: Sequence[SegmentEvidence],
    renamed: Sequence[SegmentEvidence],
) -> tuple[str, ...]:
    new = {one.name: one.phrase for one in renamed}
    gone = _join_phrases(one.phrase for one in segments if one not in kept and one.name not in new)
    parts = _join_phrases(one.phrase for one in kept if one not in whole)
    called_so = _join_phrases(
        f"{one.phrase} as {new[one.name]}" for one in segments if one.name in new
    )
    told = (
        f"What was detected as {gone} is none by the judge, and was left out." if gone else "",
        f"By the judge, what was detected is something else: {called_so}." if called_so else "",
        f"What was detected within a larger thing is a part of it, and was left out: {parts}."
        if parts
        else "",
    )
    return tuple(filter(None, told))


def _join_phrases(phrases: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(phrases))


def _with_article(label: str) -> str:
    """Return "a circle"; a name of the lexicon as it says it: "the planet Saturn"."""
    noun = noun_forms().get(label.casefold())
    return noun.thing.phrase if noun else article(label)
