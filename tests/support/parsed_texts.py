"""Puts what the parser finds in short words, for tests to compare."""

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.parser import parse


def phrase_words(phrase: Phrase) -> str:
    """Return a phrase in short: "2 red circle", "dog"."""
    words = " ".join(word.text for word in phrase.modifiers)
    return " ".join(filter(None, (str(phrase.number or ""), words, phrase.name)))


def things(text: str) -> list[str]:
    """Return the things of a text in short."""
    return [phrase_words(phrase) for phrase in parse(text).things]


def absent(text: str) -> list[str]:
    """Return the names of what a text says not to be there."""
    return [phrase.name for phrase in parse(text).phrases if phrase.absent]


def positions(text: str) -> list[tuple[str, str, str | None]]:
    """Return who stands how to what."""
    parsed = parse(text)
    return [
        (
            parsed.phrases[position.subject].name,
            position.relation,
            None if position.anchor is None else parsed.phrases[position.anchor].name,
        )
        for position in parsed.positions
    ]


def actions(text: str) -> list[tuple[str, str, str | None, bool]]:
    """Return who does what to what, and whether the text says that it does not."""
    parsed = parse(text)
    return [
        (
            parsed.phrases[action.subject].name,
            action.words,
            None if action.object is None else parsed.phrases[action.object].name,
            action.negated,
        )
        for action in parsed.actions
    ]
