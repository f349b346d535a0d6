"""Tells whether a prompt is English, the one language that the parser and the rules read.

It goes by letters and known words, by no model. It says no only where that is plain: names,
misspelled words and prompts of one or two words are let through.
"""

import re
import unicodedata
from functools import cache

from hallascope.data.lexicon import noun_forms
from hallascope.metrics.parsing.words import language
from hallascope.metrics.parsing.words.spacy_model import ParserMissing, lexicon

# from how many words on letters that English does not have tell of another language; in fewer
# words they may be of a name
FEWEST_WORDS = 3
# the share of English words from which on a prompt is English whatever else shows
ENGLISH_SHARE = 0.4
SENTENCE = (
    "The prompt does not read as English, and {who} reads English only, so there is no score: write"
    " it in English{more}."
)
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|«[^»]*»|‘[^’]*’|(?<!\w)\'[^\']*\'(?!\w)')
# function words and small numbers of other languages of our letters; an English lexicon may hold
# them as names of notes and places
_FOREIGN_WORDS = language.wordset("""
    un une le la les des du de au aux dans sur avec et est el los las del una unos con sobre en y
    uma um os do da na em com ein eine einen einem einer der das dem den und im auf mit von het een
    van op il lo gli nel della di su tre och ett med af og dos tres deux trois quatre zwei drei vier
    due quattro dois twee
""")
_ENDINGS = ("'s", "s", "es", "ed", "d", "ing", "er", "r", "est", "ly", "y")


def not_english_reason(prompt: str, who: str, more: str = "") -> str:
    """Return why `who` cannot read a prompt, "" where it is English as far as can be told.

    `more`: what else can be done.
    """
    return "" if is_english(prompt) else SENTENCE.format(who=who, more=more)


def is_english(prompt: str) -> bool:
    """Return False where most letters are of another script, or another language shows.

    It shows by a function word of its own, or by letters that English does not have, and most words
    are in no English lexicon then. What is quoted is to be written in the picture, and may be in
    any language.
    """
    plain = _QUOTED.sub(" ", unicodedata.normalize("NFKC", prompt))
    words = [word.casefold() for word in _WORD.findall(plain)]
    letters = "".join(words)
    if not letters:
        return True
    if sum(_is_latin(letter) for letter in letters) < len(letters) / 2:
        return False
    has_foreign_word = len(words) > 1 and not _FOREIGN_WORDS.isdisjoint(words)
    has_foreign_letters = len(words) >= FEWEST_WORDS and not letters.isascii()
    if not has_foreign_word and not has_foreign_letters:
        return True
    if _english_share(words, _common_words()) >= ENGLISH_SHARE:
        return True
    try:
        return _english_share(words, _common_words() | lexicon()) >= ENGLISH_SHARE
    except ParserMissing:
        return True


def _is_latin(letter: str) -> bool:
    return "LATIN" in unicodedata.name(letter, "")


def _english_share(words: list[str], known: frozenset[str]) -> float:
    return sum(_is_known(_without_accents(word), known) for word in words) / len(words)


def _without_accents(word: str) -> str:
    """Return "creme" for "crème", as English writes it, too."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _is_known(word: str, known: frozenset[str]) -> bool:
    """Return whether a word is known, or what is left without an ending: "cats", "running"."""
    if word in _FOREIGN_WORDS or (len(word) == 1 and word not in ("a", "i")):
        return False
    if word in known or language.singular(word) in known:
        return True
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3:
            continue
        # "run" of "running"
        undoubled = stem[:-1] if stem[-1] == stem[-2] else stem
        if stem in known or f"{stem}e" in known or undoubled in known:
            return True
    return False


@cache
def _common_words() -> frozenset[str]:
    """Return words known without the parser's lexicon: short lists, and names of things.

    The lexicon takes seconds to load.
    """
    names = {word for form in noun_forms() for word in _WORD.findall(form.casefold())}
    return language.STOP | language.COLORS | language.GENERAL | {*language.NUMBERS} | names
