"""Shows what a prompt asks for as chips: objects, counts, attributes, relations, texts.

A chip leads to the rows that rest on the same words of the prompt.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from hallascope.components.evidence.annotated_text import word_button
from hallascope.components.evidence.exhibit import EvidenceGroup, key, kind, worst
from hallascope.components.html.markup import soft_line, tag
from hallascope.data.evidence import Finding
from hallascope.data.prompt_reading import PICTURE, AskedObject, AskedRelation, PromptReading
from hallascope.data.regions import Span
from hallascope.metrics.reading.differences import is_reading_difference
from hallascope.metrics.reading.words.language import count_words, plural
from hallascope.metrics.reading.words.relations import relation_words

TITLE = "The prompt asks for"
SOURCES: Mapping[str, str] = {
    "rules": "read by rules, not by an AI",
    "model": "read by a language model",
}
ChipElement = Literal["object", "absent", "count", "one_of", "attribute", "relation", "text"]
UNSURE = 0.8  # confidence below which an object or a relation is marked
_PLACES = {"left": "on the left", "right": "on the right", "top": "at the top"}


@dataclass(frozen=True)
class AskedChip:
    """Is one thing that a prompt asks for, in a few words, and where the prompt says it.

    `item` is what it is in the reading: the id of its object, or the index of a relation or text.
    `is_unsure`: the rules, which read it, are often wrong where they are so sure of it.
    """

    element: ChipElement
    words: str
    spans: tuple[Span, ...]
    item: str
    is_unsure: bool = False


def asked_group(
    reading: PromptReading, findings: Sequence[Finding], notes: Sequence[str] = ()
) -> EvidenceGroup:
    """Return the chips of a reading, an object with all that is said of it on each line.

    Of the notes, those on what the rules read otherwise stand beneath. It is one sentence where the
    prompt cannot be read.
    """
    if reading.unreadable:
        source = source_words(reading) if reading.corrected_by else ""
        return EvidenceGroup(TITLE, soft_line(reading.unreadable), source)
    lines = [
        tag("li", *(_finding_chip(chip, findings) for chip in line))
        for line in asked_lines(reading)
    ]
    body = tag("ul", *lines, class_="asked-list", data_ring="words")
    if reading.translation:
        translation = soft_line(f"In English: {reading.translation}")
        body = translation + body
    body += style_line(reading)
    differences = [tag("li", note) for note in notes if is_reading_difference(note)]
    if differences:
        body += tag("ul", *differences, class_="asked-differences")
    return EvidenceGroup(TITLE, body, source_words(reading))


def source_words(reading: PromptReading) -> str:
    """Return who read the prompt, in words."""
    if reading.corrected_by:
        return f"corrected by {reading.corrected_by}"
    return SOURCES[reading.source]


def asked_lines(reading: PromptReading) -> list[list[AskedChip]]:
    """Return the chips of a reading: a line for each object, then one for each text."""
    lines = [list(_object_chips(reading, asked)) for asked in reading.objects]
    for index, text in enumerate(reading.texts):
        spans = (text.span,) if text.span else ()
        place = f" on the {reading.object(text.on).name}" if text.on else ""
        lines.append([AskedChip("text", f"“{text.text}”{place}", spans, str(index))])
    return lines


def style_line(reading: PromptReading) -> Markup:
    """Return the words of the prompt that are about its style; no metric asks for them."""
    if not reading.style:
        return Markup()
    words = ", ".join(style.text for style in reading.style)
    return tag("p", f"Style, not evaluated: {words}", class_="soft asked-style")


def _object_chips(reading: PromptReading, asked: AskedObject) -> Iterator[AskedChip]:
    """Yield the chip of an object, then those of its count, attributes and relations."""
    if asked.absent:
        yield AskedChip("absent", f"no {asked.name}", asked.spans, asked.id)
    else:
        is_unsure = asked.confidence < UNSURE
        yield AskedChip("object", asked.name, asked.spans, asked.id, is_unsure)
    if asked.count is not None:
        yield AskedChip("count", count_words(asked.count), asked.count_spans, asked.id)
    if asked.one_of:
        whole = plural(reading.object(asked.one_of).name)
        yield AskedChip("one_of", f"one of the {whole}", (), asked.id)
    for attribute in asked.attributes:
        yield AskedChip("attribute", attribute.value, attribute.spans, asked.id)
    for index, relation in enumerate(reading.relations):
        if relation.subject == asked.id:
            words = _relation_words(reading, relation)
            is_unsure = relation.confidence < UNSURE
            yield AskedChip("relation", words, relation.spans, str(index), is_unsure)


def _relation_words(reading: PromptReading, relation: AskedRelation) -> str:
    if relation.target == PICTURE:
        return _PLACES.get(relation.words, f"in the {relation.words}")
    target = reading.object(relation.target)
    return f"{relation_words(relation.words)} {'no' if target.absent else 'the'} {target.name}"


def _finding_chip(chip: AskedChip, findings: Sequence[Finding]) -> Markup:
    """Return a chip that leads to the findings about its words of the prompt.

    That of an object leads only to those that are about nothing but these words, such as whether
    it is there at all.
    """
    alone = chip.element in ("object", "absent")
    about = [at for at, finding in enumerate(findings) if _rests_on(finding, chip.spans, alone)]
    if not about:
        return tag("span", chip.words, class_=f"asked-chip asked-{chip.element}")
    return word_button(
        chip.words,
        tuple(key("finding", at) for at in about),
        worst(kind(findings[at].state) for at in about),
        f"asked-chip word asked-{chip.element}",
    )


def _rests_on(finding: Finding, spans: Sequence[Span], alone: bool) -> bool:
    own = set(finding.prompt_spans)
    return bool(own & set(spans)) and not (alone and own - set(spans))
