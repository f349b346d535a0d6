"""Understands prompts that say in other words what Primer draws, and finds near ones.

A prompt is understood where Primer's grammar has a prompt for the same: other names ("a ladybird"),
other forms ("3 methane molecules", "CH4"), an opening ("a photo of"), or a setting that is one of a
concept's variations ("a ladybug on a leaf"). A setting that Primer does not draw ("a ladybug on a
table") is left out, and `UnderstoodPrompt.leaves_out` says so: nothing may then be claimed of it.
"""

import difflib
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hallascope.data.lexicon import with_article, without_article
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, SHAPE_NAMES
from hallascope.primer.scenes import MAX_PROMPT, RELATIONS, CannotDraw, Noun
from hallascope.primer.shapes import COLORS
from hallascope.primer.world import Concept

SYNONYMS = Path(__file__).with_name("synonyms.toml")
MOST_THINGS = 4  # of one kind that a prompt may ask for
NEAR = 6  # near prompts that are offered
# Offered where nothing is near: one concept of each of six domains.
WELL_KNOWN = (
    "a gentoo penguin",
    "a molecule of methane",
    "a hamburger",
    "an astronaut",
    "the planet Saturn",
    "the Eiffel Tower",
)
_ASKS = (
    r"(?:please |can you |could you )*(?:draw|show|paint|generate|create|make|give)(?: me| us)? "
)
_KINDS = (
    "images?|pictures?|photos?|photographs?|drawings?|illustrations?|sketch(?:es)?|paintings?"
    "|renders?|renderings?|cartoons?|clip ?arts?"
)
_OPENING = re.compile(
    rf"^(?:{_ASKS})?(?:(?:an?|the|one|some)?\s*(?:[a-z-]+ ){{0,2}}?(?:{_KINDS})"
    rf" (?:of|showing|with|that shows) )*"
)
_ASK = re.compile(rf"^{_ASKS}")
_SETTING = re.compile(
    r"\s*,\s*| (?:on|in|at|near|under|by|beside|behind|with|over|inside|against|during|next to"
    r"|in front of|sitting|standing|wearing|holding|surrounded by) "
)
_DIGITS = {str(number): word for number, word in enumerate(NUMBERS)}
_MANY: Mapping[str, int] = {
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "dozen": 12,
    "many": 99,
    "several": 99,
}
_EMPTY_TEXT = """
a an the of in on at with its his her to and by from into over under is being
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())


class UnderstoodPrompt(NamedTuple):
    """Holds a prompt of Primer's grammar that stands for one in other words.

    `leaves_out`: the prompt asks for more than is drawn.
    """

    prompt: str
    leaves_out: bool = False


class UnknownNoun(ValueError):
    """The words name nothing that Primer draws."""


# --- understanding


def understand_prompt(prompt: str) -> UnderstoodPrompt | None:
    """Return a prompt that Primer draws for one in other words; None where there is none.

    A prompt of the grammar stands for itself.
    """
    if len(prompt) > MAX_PROMPT:
        return None
    try:
        scenes.parse(prompt)
    except CannotDraw:
        pass
    else:
        return UnderstoodPrompt(" ".join(prompt.split()))
    text = normalize(prompt)
    if not text:
        return None
    try:
        return UnderstoodPrompt(_read_scene(text))
    except UnknownNoun:
        return _read_with_setting(text)


def normalize(prompt: str) -> str:
    """Return the words of a prompt in lower case, without its opening, first article and end.

    Subscripts become digits, so that "CH₄" is "ch4".
    """
    text = unicodedata.normalize("NFKC", prompt).casefold()
    text = " ".join(text.replace("’", "'").split()).strip(" .,!?:;\"'“”„")
    text = _OPENING.sub("", text, count=1)
    return without_article(_ASK.sub("", text).strip())


def _read_scene(text: str) -> str:
    """Return the prompt of one or two kinds of things. Raises UnknownNoun."""
    for words in RELATIONS:
        first, separator, second = text.partition(f" {words} ")
        if separator:
            return f"{_group_prompt(first)} {words} {_group_prompt(second)}"
    parts = text.split(" and ")
    if len(parts) > 2:
        raise UnknownNoun(text)
    return " and ".join(map(_group_prompt, parts))


def _group_prompt(text: str) -> str:
    """Return words of the grammar for so many of one thing. Raises UnknownNoun."""
    count, rest = _split_count(text)
    noun, color = _find_noun(rest)
    if noun is None or not 1 <= count <= MOST_THINGS:
        raise UnknownNoun(text)
    if count == 1 and color:
        return with_article(f"{color} {noun.concept.name}")
    if count == 1:
        return noun.concept.phrase
    return f"{NUMBERS[count]} {color} {noun.concept.plural}".replace("  ", " ")


def _split_count(text: str) -> tuple[int, str]:
    """Return the number that a text begins with, 1 where it has none, and the rest."""
    text = text.strip()
    first, _, rest = text.partition(" ")
    number = _DIGITS.get(first, first)
    if rest and number in NUMBERS:
        return NUMBERS.index(number), rest
    if rest and first.isdecimal():
        return int(first[:6]), rest
    if rest and first in _MANY:
        return _MANY[first], rest
    return 1, without_article(text)


@cache
def noun_forms() -> Mapping[str, Noun]:
    """Return every word for a thing in lower case: those of the grammar, and synonyms."""
    forms = dict(scenes.nouns())
    by_name = {concept.name: concept for concept in concepts()}
    for name, pairs in tomllib.loads(SYNONYMS.read_text("utf-8"))["synonyms"].items():
        for one, several in pairs:
            forms.setdefault(several, Noun(by_name[name], True))
            forms.setdefault(one, Noun(by_name[name], False))
    return forms


def _find_noun(text: str) -> tuple[Noun | None, str]:
    """Return what a text names, and the color of a plain shape, "" where it has none."""
    text = without_article(text.strip())
    color = next((c for c in COLORS if text.startswith(f"{c} ")), "")
    forms = noun_forms()
    if noun := forms.get(text):
        return noun, ""
    noun = forms.get(text.removeprefix(f"{color} ")) if color else None
    if noun and noun.concept.name in SHAPE_NAMES:
        return noun, color
    return None, ""


def _read_with_setting(text: str) -> UnderstoodPrompt | None:
    """Return the prompt of a thing with a setting: a variation, or the thing without it."""
    for start, end in _setting_places(text):
        count, words = _split_count(text[:start])
        noun, _ = _find_noun(words)
        if noun is None or not 1 <= count <= MOST_THINGS:
            continue
        variation = noun.concept.variation
        if count == 1 and variation and _is_setting(text[end:], noun.concept, variation.phrase):
            return UnderstoodPrompt(variation.phrase)
        return UnderstoodPrompt(_group_prompt(text[:start]), leaves_out=True)
    return None


def _setting_places(text: str) -> Iterator[tuple[int, int]]:
    """Return where a setting may begin: the ends of the thing before it and of its first words.

    Late ones come first, since a name may have such words itself ("woman in a hanbok").
    """
    found = [(match.start(), match.end()) for match in _SETTING.finditer(text)]
    yield from reversed(found)


def _is_setting(words: str, concept: Concept, phrase: str) -> bool:
    """Return whether words name the setting of a variation and nothing else.

    They end with its last word, as "on a leaf" does of "a ladybug sitting on a leaf".
    """
    own = _content_words(concept.phrase)
    varied = [word for word in _content_words(phrase) if word not in own]
    asked = _content_words(words)
    return bool(varied and asked) and asked[-1] == varied[-1] and set(asked) <= set(varied)


def _content_words(text: str) -> list[str]:
    return [word for word in re.findall(r"[\w-]+", text.casefold()) if word not in _EMPTY]


# --- near prompts


def find_near_prompts(prompt: str, most: int = NEAR) -> tuple[str, ...]:
    """Return prompts that Primer draws and that are near, the nearest first; none is repeated.

    Those of things that the prompt names in part come first, then those that are spelled alike.
    Empty where nothing is near: `WELL_KNOWN` are then to be offered.
    """
    text = normalize(prompt[:MAX_PROMPT])
    count, rest = _split_count(text)
    scored: dict[str, float] = {}
    for form, noun in noun_forms().items():
        score = _nearness(rest, form)
        if score:
            key = noun.concept.name
            scored[key] = max(score, scored.get(key, 0.0))
    by_name = {noun.concept.name: noun.concept for noun in noun_forms().values()}
    best = sorted(scored, key=lambda name: (-scored[name], name))
    found: dict[str, None] = {}
    for name in best:
        concept = by_name[name]
        for near in _prompts_of(concept, count, alone=len(best) <= 2):
            found.setdefault(near, None)
    return tuple(found)[:most]


def _prompts_of(concept: Concept, count: int, *, alone: bool) -> Iterator[str]:
    """Return prompts of one concept: as many as are asked for, one, and varied where `alone`."""
    if concept.name in SHAPE_NAMES:
        yield f"a {COLORS[0]} {concept.name}"
        return
    if count > 1:
        yield f"{NUMBERS[min(count, MOST_THINGS)]} {concept.plural}"
    yield concept.phrase
    if alone and concept.variation:
        yield concept.variation.phrase


def _nearness(text: str, form: str) -> float:
    """Return how near a text is to a name, in [0, 1]; 0 where it is not near."""
    words, own = _stems(text), _stems(form)
    if not words or not own:
        return 0.0
    shared = len(words & own)
    if shared:
        return 0.6 + 0.4 * shared / len(own)
    alike = max(
        difflib.SequenceMatcher(None, word, other).ratio() for word in words for other in own
    )
    return 0.6 * alike if alike >= 0.78 else 0.0


def _stems(text: str) -> frozenset[str]:
    """Return the content words of a text, without the end of a plural."""
    words = _content_words(text)
    return frozenset(re.sub(r"(?<=\w{3})(?:es|s)$", "", word) for word in words)
