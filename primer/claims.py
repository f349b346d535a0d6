"""Lists what a prompt says of its picture, word by word, and whether it holds in a composition.

It looks at no pixel.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from hallascope.data.regions import Span
from hallascope.primer.groups import NUMBERS, ConceptGroup
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS
from hallascope.primer.truth.compositions import WORDS, Composition

ClaimKind = Literal["object", "color", "number", "position"]
_PHRASE = re.compile(
    rf"(?:(?:an?|the|(?P<number>{'|'.join(NUMBERS[2:])}) )\s*)?(?:(?P<color>{'|'.join(COLORS)})"
    r" )?(?P<object>.+)",
    re.IGNORECASE,
)


class Claim(NamedTuple):
    """Holds one thing that a prompt says of its picture: its subject, the word, and where.

    The subject is the name of one of them.

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
    nouns: list[Span] = []
    listed: list[Claim] = []
    for group, span in _phrases(made.scene):
        own = list(_of_group(made, group, span))
        nouns.append(own[0].spans[0])
        listed += own
    return (*listed, *_position(made, nouns))


def _phrases(scene: Scene) -> Iterator[tuple[ConceptGroup, Span]]:
    """Yield each group with the words that name it."""
    if len(scene.groups) == 1:
        yield scene.groups[0], (0, len(scene.prompt))
        return
    start, end = _words_between(scene)
    yield scene.groups[0], (0, start - 1)
    yield scene.groups[1], (end + 1, len(scene.prompt))


def _words_between(scene: Scene) -> Span:
    """Return the words between two groups."""
    words = WORDS[scene.relation] if scene.relation else "and"
    start = scene.prompt.index(f" {words} ") + 1
    return start, start + len(words)


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


def _position(made: Composition, nouns: list[Span]) -> Iterator[Claim]:
    if made.scene.relation:
        kinds = {error.kind for error in made.errors}
        holds = None if "omission" in kinds else "position" not in kinds
        yield Claim(
            "position",
            made.scene.groups[0].concept.name,
            WORDS[made.scene.relation],
            (_words_between(made.scene), *nouns),
            holds,
        )
