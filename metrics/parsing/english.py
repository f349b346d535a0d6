"""Whether a prompt is English, the one language that the parser and the rules read.

Told by its letters and known words, by no model.

A simple check that says no only where that is plain: names, misspelled words and prompts of one or
two words are let through.
"""

import re
import unicodedata
from functools import cache

from hallascope.data.lexicon import noun_forms
from hallascope.metrics.parsing import language, parser

# words from which letters that English does not have tell of another language: fewer may be a name
FEWEST = 3
# of the words of a prompt, in English; where fewer are known and something tells of another
# language it is one
KNOWN = 0.4
SENTENCE = (
    "The prompt does not read as English, and {who} reads English only, so there is no score: write"
    " it in English{more}."
)
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|«[^»]*»|‘[^’]*’|(?<!\w)\'[^\']*\'(?!\w)')
# function words and small numbers of other languages of our letters; an English lexicon may hold
# them as names of notes and places
_OTHERS = language.wordset("""
    un une le la les des du de au aux dans sur avec et est el los las del una unos con sobre en y
    uma um os do da na em com ein eine einen einem einer der das dem den und im auf mit von het een
    van op il lo gli nel della di su tre och ett med af og dos tres deux trois quatre zwei drei vier
    due quattro dois twee
""")
_ENDINGS = ("'s", "s", "es", "ed", "d", "ing", "er", "r", "est", "ly", "y")


def unread(prompt: str, who: str, more: str = "") -> str:
    """The sentence why `who` cannot read a prompt, "" where it is English as far as can be told.

    `more`: what else can be done.
    """
    return "" if is_english(prompt) else SENTENCE.format(who=who, more=more)


def is_english(prompt: str) -> bool:
    """Return False where most letters are of another script, or another language shows.

    Then most words are in no English lexicon.

    It shows by a function word of its own, or by letters that English does not have. What is quoted
    is to be written in the picture, and may be in any language.
    """
    words = [
        word.casefold()
        for word in _WORD.findall(_QUOTED.sub(" ", unicodedata.normalize("NFKC", prompt)))
    ]
    letters = "".join(words)
    if not letters:
        return True
    if sum(map(_is_latin, letters)) < len(letters) / 2:
        return False
    shows = (len(words) > 1 and not _OTHERS.isdisjoint(words)) or (
        len(words) >= FEWEST and not letters.isascii()
    )
    if not shows or _share(words, _common()) >= KNOWN:
        return True
    try:
        return _share(words, _common() | parser.lexicon()) >= KNOWN
    except parser.ParserMissing:
        return True


def _is_latin(letter: str) -> bool:
    return "LATIN" in unicodedata.name(letter, "")


def _share(words: list[str], known: frozenset[str]) -> float:
    return sum(_is_known(_plain(word), known) for word in words) / len(words)


def _plain(word: str) -> str:
    """ "creme" of "crème", as English writes it, too."""
    return "".join(
        letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter)
    )


def _is_known(word: str, known: frozenset[str]) -> bool:
    """A word, or what is left of it without an ending: "cats", "berries", "running"."""
    if word in _OTHERS or (len(word) == 1 and word not in ("a", "i")):
        return False
    if word in known or language.singular(word) in known:
        return True
    bare = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return any(
        len(one) > 2 and (one in known or f"{one}e" in known or _undoubled(one) in known)
        for one in bare
    )


def _undoubled(stem: str) -> str:
    """ "run" of "runn"."""
    return stem[:-1] if stem[-1] == stem[-2] else stem


@cache
def _common() -> frozenset[str]:
    """Return words known without the parser's lexicon: short lists, and names of things.

    The lexicon takes seconds to load.
    """
    named = (word for form in noun_forms() for word in _WORD.findall(form.casefold()))
    return (
        language.STOP
        | language.COLORS
        | language.GENERAL
        | frozenset(language.NUMBERS)
        | frozenset(named)
    )
