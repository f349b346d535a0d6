"""Finds the phrase that a word of a parsed text belongs to, or that a pronoun stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Phrase

if TYPE_CHECKING:
    from spacy.tokens import Token


@dataclass(frozen=True)
class PhraseIndex:
    """The phrases of a text by the tokens that they cover.

    `tokens` are those of each phrase; `referents` say what each pronoun stands for, by its token.
    """

    phrases: Sequence[Phrase]
    tokens: Sequence[range]
    referents: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def by_token(self) -> Mapping[int, int]:
        """Return which of the phrases each token belongs to, pronouns among them."""
        return {token: index for index, span in enumerate(self.tokens) for token in span} | dict(
            self.referents
        )

    @cached_property
    def by_first_token(self) -> Mapping[int, int]:
        """Return which of the phrases begins at a token."""
        return {span.start: index for index, span in enumerate(self.tokens)}

    def __contains__(self, token: Token) -> bool:
        return token.i in self.by_token

    def phrase_of(self, token: Token) -> int | None:
        """Return which of the phrases a token belongs to; None where it belongs to none."""
        return self.by_token.get(token.i)

    def thing_of(self, token: Token) -> int | None:
        """Return the same, and None also where the phrase names no thing."""
        index = self.phrase_of(token)
        return index if index is not None and self.is_thing(index) else None

    def is_thing(self, index: int) -> bool:
        """Return whether a phrase names a thing."""
        return self.phrases[index].is_thing

    def phrases_before(self, token: int) -> Iterator[int]:
        """Yield the phrases that end before a token, in their order."""
        return (index for index, span in enumerate(self.tokens) if span.stop <= token)

    # --- "the wing of a ladybug"

    def whole_of(self, index: int) -> int:
        """Return what a phrase behind "of" belongs to, and any other phrase: the wing."""
        owned = self.phrases[index].owned
        while owned is not None:
            index = owned
            owned = self.phrases[index].owned
        return index

    def last_part(self, index: int) -> int:
        """Return the last of the phrases that stand behind a phrase with "of": the ladybug."""
        while index + 1 < len(self.phrases) and self.phrases[index + 1].owned == index:
            index += 1
        return index
