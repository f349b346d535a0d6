"""Shows a text whose words belong to evidence: every piece is a button that lights it up."""

from collections.abc import Iterator
from itertools import pairwise

from markupsafe import Markup

from hallascope.components.evidence.exhibit import AnnotatedSpan, AnnotatedText, EvidenceKeys, worst
from hallascope.components.html.markup import key_attributes, soft_line, tag
from hallascope.components.html.signs import SignKind

_STATES = {"correct": "correct", "incorrect": "incorrect", "left-out": "left out"}


def annotated_html(annotated: AnnotatedText) -> Markup:
    """Return the text under its title; what belongs to nothing is plain."""
    text = annotated.text
    if text:
        words = (
            word_button(text[start:end], keys, kind) if keys else text[start:end]
            for start, end, keys, kind in pieces(text, annotated.words)
        )
        body = tag("p", *words, class_="words", data_ring="words")
    else:
        body = soft_line(annotated.empty)
    return tag("section", tag("h3", annotated.title), body, class_="said")


def pieces(
    text: str, words: tuple[AnnotatedSpan, ...]
) -> Iterator[tuple[int, int, EvidenceKeys, SignKind | None]]:
    """Cut the text where a word begins or ends.

    Each piece has its start, its end, the keys of all words that cover it, and their worst state.
    """
    spans = [(max(0, word.span[0]), min(len(text), word.span[1]), word) for word in words]
    spans = [(start, end, word) for start, end, word in spans if start < end]
    cuts = {0, len(text)}
    for start, end, _ in spans:
        cuts |= {start, end}
    for start, end in pairwise(sorted(cuts)):
        covering = [word for first, last, word in spans if first <= start and end <= last]
        keys = tuple(dict.fromkeys(key for word in covering for key in word.keys))
        yield start, end, keys, worst(word.kind for word in covering)


def word_button(
    text: str, keys: EvidenceKeys, kind: SignKind | None, classes: str = "word"
) -> Markup:
    """Return words that lead to their evidence; their state is in their accessible name, too."""
    return tag(
        "span",
        text,
        class_=f"{classes} {kind or 'plain'}",
        role="button",
        tabindex="-1",
        aria_pressed="false",
        **key_attributes(keys),
        aria_label=f"{text}: {_STATES[kind]}" if kind else text,
    )
