"""Reads and writes English words by short lists and rules: plurals, numbers, colors, gerunds.

The lists say which words name no thing and which are too general to name one.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hallascope.data.prompt_reading import Count

LISTS: Mapping[str, Any] = tomllib.loads(
    (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
)
NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def wordset(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


COLORS = wordset(
    "beige black blue brown crimson cyan gold golden gray green grey indigo lavender magenta maroon"
    " navy orange pink purple red scarlet silver tan teal turquoise violet white yellow"
)
_ONE_SPELLING = {"gray": "grey", "golden": "gold", "coloured": "colored"}
# words that name no thing
STOP = wordset("""
    a an the this that these those it its his her their our my your and or but nor with without of
    in on at by for from to into onto over under above below beneath underneath behind beside near
    next between among around across through along against inside outside front back top bottom left
    right side middle up down off out as than like so very each every all both some many few several
    no not is are was were be been being has have had do does did can could will would there here
    where when while who which what how during after before about toward towards upon within he she
    they them him we you i bc bce ad ce
""")
# general words, by which a question may speak of its subject without naming it
GENERAL = wordset("""
    image picture photo photograph drawing illustration painting scene view diagram figure thing
    object item part piece group animal insect bird fish plant tree flower person man woman child
    statue molecule atom planet star body flag building structure tower artifact vessel pot machine
    device vehicle food dish place city country event process type kind shape color colour size
    number simple small large big
""")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_IRREGULAR: dict[str, str] = LISTS["irregular_plurals"] | {
    f"{stem}{plural}": f"{stem}{singular}"
    for endings, stems in LISTS["plural_stems"].items()
    for plural, _, singular in [endings.partition(" ")]
    for stem in stems.split()
}
# the first plural of each is the one that is written
_PLURALS = {singular: plural for plural, singular in reversed(_IRREGULAR.items())}
_SINGULARS_IN_S = wordset(LISTS["singulars"]["in_s"])
_SINGULAR_ENDINGS = ("ss", "us", "is", "news", "series", "species")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; a word with a hyphen or an apostrophe is one."""
    return [word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))]


def one_spelling(word: str) -> str:
    """Return a word in one of its spellings: "grey" for "gray"."""
    return _ONE_SPELLING.get(word, word)


def singular(word: str) -> str:
    """Return a noun's singular by rule: "berry" of "berries", "box" of "boxes".

    A word that is no plural stays as it is.
    """
    if (
        word in _IRREGULAR
        or len(word) < 4
        or word in _SINGULARS_IN_S
        or word.endswith(_SINGULAR_ENDINGS)
        or not word.endswith("s")
    ):
        return _IRREGULAR.get(word, word)
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if re.search(r"(?:ss|x|ch|sh)es$", word) else word[:-1]


def plural(name: str) -> str:
    """Return a name with its last word in the plural, by rule."""
    first, space, last = name.rpartition(" ")
    if last in _PLURALS:
        many = _PLURALS[last]
    elif re.search(r"[^aeiou]y$", last):
        many = f"{last[:-1]}ies"
    else:
        many = f"{last}es" if re.search(r"(?:[sxz]|ch|sh)$", last) else f"{last}s"
    return f"{first}{space}{many}"


def number(word: str) -> int | None:
    """Return the number that a word or one or two digits say, 1 to 20; None for any other word."""
    if word in NUMBERS:
        value = NUMBERS.index(word)
    elif re.fullmatch(r"[0-9]{1,2}", word):
        value = int(word)
    else:
        value = 0
    return value if 1 <= value <= 20 else None


def count_words(count: Count) -> str:
    """Return a count as a text says it.

    It is "three", "at least three", "at most two", "two to three" or "about ten".
    """
    if count.exact is not None:
        return number_word(count.exact)
    if count.most is None:
        return f"at least {number_word(count.least)}"
    if count.approximate:
        return f"about {number_word((count.least + count.most) // 2)}"
    if count.least:
        return f"{number_word(count.least)} to {number_word(count.most)}"
    return f"at most {number_word(count.most)}"


def number_word(value: int) -> str:
    """Return a number as a word up to twelve, else in digits."""
    return NUMBERS[value] if 0 <= value < len(NUMBERS) else str(value)


def content(text: str) -> list[str]:
    """Return the words that carry meaning, in the singular: no stop words, numbers, colors."""
    nouns = [
        singular(word)
        for word in words(text)
        if word not in STOP and word not in COLORS and not number(word)
    ]
    return list(dict.fromkeys(word for word in nouns if len(word) > 1 and not word.isdigit()))


def gerund(verb: str) -> str:
    """Return the form in -ing of a verb, by rule: "riding", "sitting", "lying"."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if re.search(r"[^aeiouy]e$", verb) or verb.endswith(("ue", "ae")):
        return f"{verb[:-1]}ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"


def join_with_and(texts: Iterable[str]) -> str:
    """Return texts as "a, b and c"."""
    *others, last = [*texts] or [""]
    return f"{', '.join(others)} and {last}" if others else last
