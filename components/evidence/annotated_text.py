"""Shows a text whose words belong to something: every piece is a button that lights it up.

It is HTML.
"""

from collections.abc import Iterator
from itertools import pairwise

from hallascope.components.cards.cards import SignKind
from hallascope.components.evidence.exhibit import AnnotatedSpan, AnnotatedText, EvidenceKeys, worst
from hallascope.components.html.markup import data, text

_STATES = {"correct": "correct", "incorrect": "incorrect", "left-out": "left out"}


def annotated_html(shown: AnnotatedText) -> str:
    """The text under its title; what belongs to nothing is plain."""
    if not shown.text:
        return (
            f'<section class="said"><h3>{text(shown.title)}</h3><p'
            f' class="soft">{text(shown.empty)}</p></section>'
        )
    body = "".join(
        _piece(shown.text[start:end], keys, kind)
        for start, end, keys, kind in pieces(shown.text, shown.words)
    )
    return (
        f'<section class="said"><h3>{text(shown.title)}</h3><p class="words"'
        f' data-ring="words">{body}</p></section>'
    )


def pieces(
    said: str, words: tuple[AnnotatedSpan, ...]
) -> Iterator[tuple[int, int, EvidenceKeys, SignKind | None]]:
    """Cut the text where a word begins or ends.

    Each piece has its start, its end, the keys of all words that cover it, and their worst state.
    """
    inside = [(max(0, word.span[0]), min(len(said), word.span[1]), word) for word in words]
    inside = [one for one in inside if one[0] < one[1]]
    cuts = sorted({0, len(said), *(cut for start, end, _ in inside for cut in (start, end))})
    for start, end in pairwise(cuts):
        over = [word for first, last, word in inside if first <= start and end <= last]
        keys = tuple(dict.fromkeys(key for word in over for key in word.keys))
        yield start, end, keys, worst(word.kind for word in over)


def _piece(said: str, keys: EvidenceKeys, kind: SignKind | None) -> str:
    if not keys:
        return text(said)
    state = f": {_STATES[kind]}" if kind else ""
    return (
        f'<span class="word {kind or "plain"}" role="button" tabindex="-1" aria-pressed="false"'
        f' data-keys="{data(keys)}" aria-label="{text(said)}{state}">{text(said)}</span>'
    )
