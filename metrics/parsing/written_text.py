"""Finds words that are written in the picture and named without quotation marks.

"A sign that says STOP", "a book titled Ulysses", "with the words happy birthday". Words in
quotation marks are found in `plain_text`.
"""

import re
from collections.abc import Iterator

from hallascope.data.regions import Span
from hallascope.metrics.parsing.words.language import wordset

# things that have words on them
_CARRIERS = wordset("""
    sign signs signpost billboard banner poster placard plaque label tag sticker note card postcard
    letter envelope page paper book magazine newspaper menu ticket receipt screen display monitor
    scoreboard chalkboard blackboard whiteboard board notice headline marquee neon storefront
    shopfront awning window door gate wall fence mat doormat rug shirt t-shirt tshirt tee sweater
    sweatshirt hoodie jersey cap hat apron jacket badge pin button mug cup bottle can jar box crate
    package bag sack cake cookie cupcake candy balloon flag gauge dial clock watch meter thermometer
    calendar map certificate diploma tattoo graffiti logo emblem plate tombstone gravestone
    headstone stone monument statue keychain necklace bracelet ring collar bumper van truck bus car
    boat ship train sail kite tent umbrella blanket towel pillow carpet keyboard key cover title
    caption stamp coin bill banknote check scroll parchment tablet phone speech bubble bubbles sky
    sand skywriting fireworks lights letters sidewalk street road
""")
_SAYING = re.compile(r"\b(?:says?|saying|reads?|reading|spells?|spelling|said|stating|states)\b:?")
_TITLED = re.compile(
    r"\b(?:titled|entitled|labell?ed|inscribed|captioned|lettered|stamped|emblazoned|engraved"
    r"|imprinted)(?:\s+(?:with|as))?\b:?",
)
_NAMED = re.compile(r"\b(?:named|called)\b")
_WORDS = re.compile(
    r"\b(?P<noun>words?|letters?|text|phrase|slogan|message|caption|title|inscription|lettering"
    r"|sentence|name)\b:?(?:\s+(?:that\s+)?(?:says|saying|reads|reading)\b)?:?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\b(?:the|a)\s+(?:number|digits?|numeral|date|year)s?\b")
_WITH_WRITTEN = re.compile(
    r"\bwith\s+(?P<text>[A-Z][\w'’&-]*(?:\s+[\w'’&-]+){0,6}?)\s+(?:written|painted|printed|spelled"
    r"|carved|engraved|embroidered|inscribed|scrawled)\b"
)
_CAPITALS = re.compile(r"[A-Z0-9][A-Z0-9'’&!?-]*(?:\s+[A-Z0-9&][A-Z0-9'’&!?-]*)*(?![\w])")
_CAPITALIZED = re.compile(
    r"[A-Z][\w'’&-]*(?:\s+(?:(?:of|the|and|to|in|for|a|&)\s+)*[A-Z][\w'’&-]*)*"
)
_FIGURES = re.compile(r"\d[\d.,:/]*(?:\s?(?:%|°[CF]?|am|pm|k?m|cm|mm|kg|g|mph|ft|lb|l|k))?(?!\w)")
# the text ends before these
_END = re.compile(
    r"[.,;:!?\"“”()]|\s+(?:(?:is|are|was)?\s*(?:written|painted|printed|spelled|carved|engraved"
    r"|embroidered|inscribed|scrawled|glowing|made|formed)\b|(?:and|but|while|as|next|beside|near"
    r"|behind|above|below|under|over|across|hanging|standing|sitting|hangs|stands|sits|is|are)\b"
    r"|(?:in|on|at|with)\s+(?:an?|the|its|his|her|their|top|front|big|large|small|red|blue|green"
    r"|white|black|yellow|gold|pink|neon|bold|cursive|capital|block|bright)\b)"
)
_NO_TEXT = re.compile(
    r"\s+(?:an?|the|his|her|their|its|some|many|this|that|these|those|of|on|in|at|is|are|was|about"
    r"|from|to|written|painted|printed|carved|across|above|below|and|for|with|out|by|alone"
    r"|aloud)\b",
    re.IGNORECASE,
)
_PERSONS = wordset("""
    man men woman women boy boys girl girls person people child children kid kids he she they who
    someone everyone teacher student students lady guy couple family mother father baby
""")
_CLAUSE_START = re.compile(r"[.;!?]|,\s|\b(?:and|while|but|with|holding|wearing|whose|who)\b")
_LONGEST = 12  # words


def find_written(text: str) -> list[Span]:
    """Return the places of words that a prompt names as written, in the order of the text."""
    spans: list[Span] = []
    for span in sorted(_written(text)):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


def _written(text: str) -> Iterator[Span]:
    for match in _SAYING.finditer(text):
        carrier = _is_of_carrier(text, match.start())
        capitals = _capitals_after(text, match.end())
        if capitals and (carrier or not _is_of_person(text, match.start())):
            yield capitals
        elif carrier:
            yield from _words_after(text, match.end())
    for match in _TITLED.finditer(text):
        yield from _names_after(text, match.end())
    for match in _NAMED.finditer(text):
        if _is_of_carrier(text, match.start()):
            yield from _names_after(text, match.end(), capitalized=True)
    for match in _WORDS.finditer(text):
        yield from _words_of_noun(text, match)
    for match in _NUMBER.finditer(text):
        yield from _matched(text, match.end(), _FIGURES)
    for match in _WITH_WRITTEN.finditer(text):
        yield match.span("text")


def _words_of_noun(text: str, noun: re.Match[str]) -> Iterator[Span]:
    """Yield what follows "the word", "the words", "the text": one word, or words up to an end."""
    before = text[: noun.start()].split()[-1:]
    if before not in (["the"], ["The"], ["with"], ["a"], ["big"], ["white"], ["red"]):
        return
    capitals = _capitals_after(text, noun.end())
    if capitals:
        yield capitals
    elif noun["noun"].lower() in ("word", "name"):
        yield from _matched(text, noun.end(), _CAPITALIZED)
    elif before != ["a"]:
        yield from _words_after(text, noun.end())


def _names_after(text: str, at: int, capitalized: bool = False) -> Iterator[Span]:
    """Yield a title: words with capitals, or any words up to an end."""
    named = list(_matched(text, at, _CAPITALIZED)) or list(_matched(text, at, _FIGURES))
    if named or capitalized:
        yield from named
        return
    yield from _words_after(text, at)


def _words_after(text: str, at: int) -> Iterator[Span]:
    """Yield the words behind a place, up to where a text ends."""
    if _NO_TEXT.match(text, at) or not text[at : at + 1].isspace():
        return
    figures = list(_matched(text, at, _FIGURES))
    if figures:
        yield from figures
        return
    start = at + len(text[at:]) - len(text[at:].lstrip())
    end = _END.search(text, start)
    stop = end.start() if end else len(text)
    if text[start:stop].strip() and len(text[start:stop].split()) <= _LONGEST:
        yield start, start + len(text[start:stop].rstrip())


def _capitals_after(text: str, at: int) -> Span | None:
    """Return the place of words in capitals alone; one letter is a text behind "the letter"."""
    match = _CAPITALS.match(text, at + len(text[at:]) - len(text[at:].lstrip()))
    if match is None or match.start() == at or match[0] in ("A", "I"):
        return None
    return match.span() if any(letter.isalpha() for letter in match[0]) else None


def _matched(text: str, at: int, pattern: re.Pattern[str]) -> Iterator[Span]:
    match = pattern.match(text, at + len(text[at:]) - len(text[at:].lstrip()))
    if match is not None and match.start() > at:
        yield match.span()


def _is_of_carrier(text: str, at: int) -> bool:
    """Return whether a verb is said of a thing with words on it: "a sign that says"."""
    return _nearest(text, at) == "carrier"


def _is_of_person(text: str, at: int) -> bool:
    return _nearest(text, at) == "person"


def _nearest(text: str, at: int) -> str:
    """Return whether a carrier or a person is the first thing of the clause before a place.

    The first of "the neon sign above the diner says" speaks.
    """
    clause = _CLAUSE_START.split(text[:at])[-1]
    for word in re.findall(r"[\w-]+", clause.lower()):
        if word in _CARRIERS:
            return "carrier"
        if word in _PERSONS:
            return "person"
    return ""
