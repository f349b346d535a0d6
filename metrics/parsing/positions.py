"""Positions that a text says: which words say how a thing stands to another, and of what.

It knows no coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.language import wordset
from hallascope.metrics.parsing.parsed import Phrase, PositionPhrase

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# relation -> the words that say it; those of the first four also stand without what they are said
# of ("on the right", "to its left")
_SIDED = (
    "to the {} of",
    "on the {} of",
    "at the {} of",
    "{} of",
    "to the {} side of",
    "on the {} side of",
    "at the {} side of",
)
_ALONE = (
    "on the {}",
    "to the {}",
    "at the {}",
    "on the {} side",
    "on its {}",
    "to its {}",
    "on their {}",
    "to their {}",
)
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "left of": tuple(
        words.format(side) for side in ("left", "left hand", "left - hand") for words in _SIDED
    ),
    "right of": tuple(
        words.format(side) for side in ("right", "right hand", "right - hand") for words in _SIDED
    ),
    "above": ("above", "over"),
    "below": ("below", "under", "beneath", "underneath", "on the bottom of", "at the bottom of"),
    "on": ("on", "on top of", "on the top of", "atop", "upon"),
    "in": ("in", "inside", "inside of", "within"),
    "next to": ("next to", "beside", "near", "close to", "alongside", "adjacent to", "on side of"),
    "in front of": ("in front of", "in the front of"),
    "behind": ("behind", "in back of"),
}
ALONE: Mapping[str, tuple[str, ...]] = {
    "left of": tuple(words.format("left") for words in _ALONE),
    "right of": tuple(words.format("right") for words in _ALONE),
}
INVERSE: Mapping[str, str] = {
    **{"left of": "right of", "right of": "left of", "above": "below", "below": "above"},
    **{"in front of": "behind", "behind": "in front of", "next to": "next to"},
}
# what also counts where a relation is asked for, by the lenient rule
KIN: Mapping[str, tuple[str, ...]] = {"on": ("above",), "above": ("on",), "in": ("on",)}
_LONGEST = max(
    len(words.split()) for table in (RELATIONS, ALONE) for each in table.values() for words in each
)
_SHOWING = wordset("be show depict display feature showcase contain include have see there")
# what a person is "in" without a place being meant
WORN = wordset("""
    shirt suit dress hat jacket coat uniform tie outfit costume parka pants shorts skirt sweater
    clothes clothing bikini gown robe jeans vest hoodie cap helmet gear attire wear swimsuit trunks
    blouse kimono armor armour mood motion display front
""")
_THEM = wordset("it its them itself each one")
_NOUN_VERBS = ("acl", "relcl")


def words(relation: str) -> str:
    """As a sentence says it: "to the left of"."""
    return f"to the {relation}" if relation in ("left of", "right of") else relation


def places(
    doc: Doc, phrases: Sequence[Phrase], tokens: Sequence[range], quoted: frozenset[int]
) -> tuple[PositionPhrase, ...]:
    """Every position in a parsed text.

    `tokens` are those of each phrase, `quoted` those that are written on something.

    Further anchors count where each is "the" so and so. Where words are written is no position.
    """
    return tuple(_PositionReader(doc, phrases, tokens, quoted).find_positions())


@cache
def _spellings() -> Mapping[tuple[str, ...], tuple[str, bool]]:
    """Return the words of every spelling, with its relation and whether an object must follow."""
    followed = {
        tuple(said.split()): (name, True) for name, each in RELATIONS.items() for said in each
    }
    return followed | {
        tuple(said.split()): (name, False) for name, each in ALONE.items() for said in each
    }


class _PositionReader:
    def __init__(
        self, doc: Doc, phrases: Sequence[Phrase], tokens: Sequence[range], quoted: frozenset[int]
    ) -> None:
        self.doc = doc
        self.phrases = phrases
        self.tokens = tokens
        self.quoted = quoted
        self.plain = [token.lower_ for token in doc]
        self.first = {span.start: index for index, span in enumerate(tokens)}
        # looked up once: to ask a token for its sentence takes as long as the sentence is
        self.sentence = [number for number, sentence in enumerate(doc.sents) for _ in sentence]
        self.of = {at: index for index, span in enumerate(tokens) for at in span}
        self.last: tuple[int, int] | None = (
            None  # after which token the last position ended, and what it was said of
        )

    def find_positions(self) -> Iterator[PositionPhrase]:
        at = 0
        while at < len(self.plain):
            found = self._spelled(at)
            if found:
                name, length, followed = found
                yield from self._place(name, at, at + length, followed)
            at += found[1] if found else 1

    def _spelled(self, at: int) -> tuple[str, int, bool] | None:
        """The longest spelling that begins here, but not within a name."""
        for length in range(min(_LONGEST, len(self.plain) - at), 0, -1):
            found = _spellings().get(tuple(self.plain[at : at + length]))
            if found and not (length == 1 and (at in self.of or self.doc[at].tag_ == "RP")):
                return found[0], length, found[1]
        return None

    def _place(self, name: str, start: int, end: int, followed: bool) -> Iterator[PositionPhrase]:
        anchors = self._anchors(end) if followed else [None]
        subject = (
            self._continued_subject(start)
            if self._continued_subject(start) is not None
            else self._subject(start)
        )
        if (
            subject is None
            or not anchors
            or self.quoted & {*range(self.tokens[subject].stop, start)}
        ):
            return
        self.last = (end if anchors[-1] is None else self.tokens[anchors[-1]].stop, subject)
        span = (self.doc[start].idx, self.doc[end - 1].idx + len(self.doc[end - 1]))
        for anchor in anchors:
            worn = name == "in" and anchor is not None and self.phrases[anchor].head in WORN
            if anchor != subject and not worn:
                yield PositionPhrase(subject, name, anchor, span)

    def _anchors(self, at: int) -> list[int | None]:
        """What a position is said of: the phrase that begins here and those in a row with it.

        [None] for "it".
        """
        if at < len(self.plain) and self.plain[at] in _THEM and at not in self.first:
            return [None]
        first = self._anchor(at)
        if first is None:
            return []
        found: list[int | None] = [first]
        while (following := self._next(self.tokens[first].stop)) is not None:
            first = following
            found.append(first)
        return found

    def _anchor(self, at: int) -> int | None:
        """The thing that begins here; of "the side of the house" the house."""
        index = self.first.get(at)
        if index is None or self.phrases[index].is_thing:
            return index
        stop = self.tokens[index].stop
        return self._anchor(stop + 1) if self.plain[stop : stop + 1] == ["of"] else None

    def _next(self, at: int) -> int | None:
        """The phrase after a comma or "and", where it is "the" so and so."""
        while self.plain[at : at + 1] and self.plain[at] in (",", "and"):
            at += 1
            if (
                at in self.first
                and self.phrases[self.first[at]].definite
                and self.phrases[self.first[at]].is_thing
            ):
                return self.first[at]
        return None

    # --- of what it is said

    def _continued_subject(self, start: int) -> int | None:
        """What the last position was said of, where this one follows it with a comma or "and"."""
        if self.last is None:
            return None
        between = self.plain[self.last[0] : start]
        return self.last[1] if 1 <= len(between) <= 2 and set(between) <= {",", "and"} else None

    def _subject(self, start: int) -> int | None:
        here = self.sentence[start]
        before = [
            i
            for i, span in enumerate(self.tokens)
            if span.stop <= start and self.sentence[span.start] == here
        ]
        nearest = before[-1] if before else None
        if nearest is not None and self.phrases[nearest].is_thing and self._plainly(nearest, start):
            return self._wearer(nearest, before)
        found = self._governor(self.doc[start])
        if found is None or found not in before or not self.phrases[found].is_thing:
            found = next((i for i in reversed(before) if self.phrases[i].is_thing), None)
        return self._wearer(found, before)

    def _wearer(self, found: int | None, before: Sequence[int]) -> int | None:
        """Of "a man in a suit" the man."""
        if (
            found is not None
            and found in before[1:]
            and self.phrases[found].head in WORN
            and self.plain[self.tokens[found].start - 1] == "in"
        ):
            return before[before.index(found) - 1]
        return found

    def _plainly(self, nearest: int, start: int) -> bool:
        """Return whether only "is" or the like stands between, and no other verb before.

        The position could belong to that verb.
        """
        first = self.sentence.index(self.sentence[start])
        between = range(self.tokens[nearest].stop, start)
        verbs = [
            t for t in self.doc[first:start] if t.pos_ in ("VERB", "AUX") and t.i not in self.of
        ]
        quiet = all(t.lemma_ in _SHOWING or t.i in between for t in verbs)
        return quiet and all(
            self.doc[i].pos_ in ("AUX", "VERB", "ADV", "PRON", "SCONJ") for i in between
        )

    def _governor(self, token: Token) -> int | None:
        """The phrase on which the words depend, by way of the verb's subject."""
        for _ in range(8):
            head = token.head
            if head.i in self.of and head.i != token.i:
                return self.of[head.i]
            if head.pos_ in ("VERB", "AUX") and head.dep_ not in _NOUN_VERBS:
                found = self._child(head, ("nsubj", "nsubjpass"), ("dobj", "attr"))
                if found is not None:
                    return found
            if head.i == token.i:
                return None
            token = head
        return None

    def _child(self, verb: Token, *ways: tuple[str, ...]) -> int | None:
        """The thing that is the verb's subject; of "the image shows a dog" its object."""
        for dependencies in ways:
            for child in verb.children:
                if (
                    child.dep_ in dependencies
                    and child.i in self.of
                    and self.phrases[self.of[child.i]].is_thing
                ):
                    return self.of[child.i]
            if not any(
                child.dep_ in dependencies and child.i in self.of for child in verb.children
            ):
                return None
        return None
