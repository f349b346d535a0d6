"""Shows what a prompt asks for as chips: objects, counts, attributes, relations, texts.

A chip leads to the rows that rest on the same words of the prompt.
"""

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import EvidenceGroup, key, kind, worst
from hallascope.components.html.markup import key_attributes, tag
from hallascope.data.evidence import Finding
from hallascope.data.prompt_reading import PICTURE, AskedObject, AskedRelation, PromptReading
from hallascope.data.regions import Span
from hallascope.metrics.parsing.words.language import count_words
from hallascope.metrics.parsing.words.position_words import relation_words

TITLE = "The prompt asks for"
SOURCES: Mapping[str, str] = {
    "rules": "read by rules",
    "model": "read by a language model",
}
_STATES = {"correct": "correct", "incorrect": "incorrect", "left-out": "left out"}
_PLACES = {"left": "on the left", "right": "on the right", "top": "at the top"}


def asked_group(reading: PromptReading, findings: Sequence[Finding]) -> EvidenceGroup:
    """Return the chips of a reading, an object with all that is said of it on each line."""
    lines = [tag("li", *_object_chips(reading, asked, findings)) for asked in reading.objects]
    lines += [
        tag("li", _chip(f"“{text.text}”", [text.span] if text.span else [], findings, "text"))
        for text in reading.texts
    ]
    translation = tag("p", f"In English: {reading.translation}", class_="soft")
    body = tag("ul", *lines, class_="asked-list", data_ring="words")
    if reading.translation:
        body = translation + body
    return EvidenceGroup(TITLE, body, source_words(reading))


def source_words(reading: PromptReading) -> str:
    """Return who read the prompt, in words."""
    if reading.corrected_by:
        return f"corrected by {reading.corrected_by}"
    return SOURCES[reading.source]


def _object_chips(
    reading: PromptReading, asked: AskedObject, findings: Sequence[Finding]
) -> Iterator[Markup]:
    """Yield the chip of an object, then those of its count, attributes and relations."""
    name = f"no {asked.name}" if asked.absent else asked.name
    yield _chip(name, asked.spans, findings, "absent" if asked.absent else "object", alone=True)
    if asked.count is not None:
        yield _chip(count_words(asked.count), asked.count_spans, findings, "count")
    for attribute in asked.attributes:
        yield _chip(attribute.value, attribute.spans, findings, "attribute")
    for relation in reading.relations:
        if relation.subject == asked.id:
            words = _relation_words(reading, relation)
            yield _chip(words, relation.spans, findings, "relation")


def _relation_words(reading: PromptReading, relation: AskedRelation) -> str:
    if relation.target == PICTURE:
        return _PLACES.get(relation.words, f"in the {relation.words}")
    return f"{relation_words(relation.words)} the {reading.object(relation.target).name}"


def _chip(
    words: str,
    spans: Sequence[Span],
    findings: Sequence[Finding],
    element: str,
    alone: bool = False,
) -> Markup:
    """Return a chip that leads to the findings about some words of the prompt.

    `alone`: only to those that are about nothing but these words, such as whether an object is
    there at all.
    """
    about = [at for at, finding in enumerate(findings) if _rests_on(finding, spans, alone)]
    if not about:
        return tag("span", words, class_=f"asked-chip {element}")
    state = worst(kind(findings[at].state) for at in about)
    return tag(
        "span",
        words,
        class_=f"asked-chip word {element} {state or 'plain'}",
        role="button",
        tabindex="-1",
        aria_pressed="false",
        **key_attributes(tuple(key("finding", at) for at in about)),
        aria_label=f"{words}: {_STATES[state]}" if state else words,
    )


def _rests_on(finding: Finding, spans: Sequence[Span], alone: bool) -> bool:
    own = set(finding.prompt_spans)
    return bool(own & set(spans)) and not (alone and own - set(spans))
