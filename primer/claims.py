"""Lists what a prompt says of its picture, word by word, and whether it holds in a composition.

It looks at no pixel.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from hallascope.data.regions import Span
from hallascope.primer.groups import NUMBERS, ConceptGroup
from hallascope.primer.scenes import RELATION_PHRASES
from hallascope.primer.shapes import COLORS
from hallascope.primer.truth.compositions import Composition

ClaimKind = Literal["object", "color", "number", "position"]
_PHRASE = re.compile(
    rf"(?:(?:an?|the|(?P<number>{'|'.join(NUMBERS[2:])}) )\s*)?(?:(?P<color>{'|'.join(COLORS)})"
    r" )?(?P<object>.+)",
    re.IGNORECASE,
)


class Claim(NamedTuple):
    """Holds one thing that a prompt says of its picture: its subject, the word, and where.

    `subject`: the name of one thing of the kind that it is said of.

    `spans` are its words in the prompt, that of the claim itself first, then those of the things it
    is about. `holds`: whether it is so; None where it is said of things that are not drawn, as
    their omission is one error, not one a word.
    """

    kind: ClaimKind
    subject: str
    asked: str
    spans: tuple[Span, ...]
    holds: bool | None


def claims(made: Composition) -> tuple[Claim, ...]:
    """Return all that the prompt of a composition says, in its order. "A circle" says no number."""
    prompt, groups, relation = made.prompt, made.scene.groups, made.scene.relation
    words = RELATION_PHRASES[relation] if relation else "and"
    between = re.search(f" ({words}) ", prompt) if len(groups) > 1 else None
    phrases: list[Span] = [(0, len(prompt))]
    if between:
        phrases = [(0, between.start()), (between.end(), len(prompt))]
    listed: list[Claim] = []
    for group, span in zip(groups, phrases, strict=True):
        listed += _of_group(made, group, span)
    if relation and between:
        kinds = {error.kind for error in made.errors}
        holds = None if "omission" in kinds else "position" not in kinds
        nouns = [claim.spans[0] for claim in listed if claim.kind == "object"]
        spans = (between.span(1), *nouns)
        listed.append(Claim("position", groups[0].concept.name, words, spans, holds))
    return tuple(listed)


def _of_group(made: Composition, group: ConceptGroup, span: Span) -> Iterator[Claim]:
    match = _PHRASE.fullmatch(made.prompt, *span)
    if match is None:
        raise ValueError(
            f"The prompt {made.prompt!r} does not name {group.counted_name}: give one that a"
            " composition was made for."
        )
    name = group.concept.name
    noun = match.span("object")
    wrong = {error.kind for error in made.errors if error.subject == name}
    is_drawn = "omission" not in wrong
    yield Claim("object", name, match["object"], (noun,), is_drawn)
    kinds: tuple[ClaimKind, ...] = ("number", "color")
    for kind in kinds:
        if match[kind]:
            holds = kind not in wrong if is_drawn else None
            yield Claim(kind, name, match[kind], (match.span(kind), noun), holds)
