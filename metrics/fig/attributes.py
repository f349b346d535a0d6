"""Holds the attributes of FiG as data: their pairs in a prompt, and what captions say.

It knows no picture.

A user adds an attribute by one entry of `ATTRIBUTES`: a list of words ("wooden", "metal"), or a
function that finds pairs.
"""

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from hallascope.data.evidence import Span
from hallascope.metrics.fig.pairs import (
    AttributePair,
    AttributeRule,
    Finder,
    PairVerdict,
    PictureText,
    join_with_and,
    phrase_at,
    values,
    values_of,
)
from hallascope.metrics.parsing import positions
from hallascope.metrics.parsing.mention_counts import instances, total
from hallascope.metrics.parsing.name_matching import alike, same_name
from hallascope.metrics.parsing.parsed import Parsed, Phrase, PositionPhrase
from hallascope.metrics.parsing.parser import COLORS

SIMILAR = 0.9  # from which similarity of its letters on a text counts leniently
_QUOTES = "\"'“”‘’«»"

# --- number
# --------------------------------------------------------------------------------------------------


def told_apart(prompt: Parsed, asked: Phrase) -> frozenset[str]:
    """The colors by which the prompt tells this thing apart from others of its name.

    None where it names it in one color only.
    """
    of_name = [
        frozenset(values(phrase, COLORS))
        for phrase in prompt.things
        if same_name(asked, phrase) and same_name(phrase, asked)
    ]
    return (
        frozenset(values(asked, COLORS))
        if len({colours for colours in of_name if colours}) > 1
        else frozenset()
    )


def numbers(text: Parsed) -> Iterator[AttributePair]:
    """Every thing with the number the prompt says; of several numbers of one thing ("two dogs ...

    one dog") the largest is that in all.
    """
    best: dict[tuple[object, ...], tuple[int, Phrase]] = {}
    for index, phrase in text.indexed_things():
        if phrase.number is not None:
            key = (phrase.known or frozenset(phrase.lemmas), told_apart(text, phrase))
            if key not in best or phrase.number > (best[key][1].number or 0):
                best[key] = (index, phrase)
    for index, phrase in best.values():
        yield AttributePair(
            index, str(phrase.number), (phrase.counted or phrase.named, phrase.named)
        )


def _judge_count(pair: AttributePair, prompt: Parsed, told: PictureText) -> PairVerdict:
    asked = prompt.phrases[pair.noun or 0]
    colours = told_apart(prompt, asked)
    met = {}
    for rule in (same_name, alike):
        found = [
            one
            for one in instances(told.caption, partial(rule, asked), COLORS)
            if not colours or colours & values_of(one)
        ]
        met[rule] = (total(found) == asked.number, found)
    strict = met[same_name]
    soft = met[alike]
    shown = strict[1] or soft[1]
    spans = tuple(told.caption.phrases[one.phrase].span for one in shown)
    seen = join_with_and([told.caption.text_at(span) for span in spans])
    return PairVerdict(
        strict=strict[0],
        soft=strict[0] or soft[0],
        seen=seen,
        said=tuple(one.phrase for one in shown),
        spans=spans,
    )


# --- position
# --------------------------------------------------------------------------------------------------


def placed(text: Parsed) -> Iterator[AttributePair]:
    """Every position that the text says, once."""
    seen: set[tuple[object, ...]] = set()
    for place in text.places:
        subject = text.phrases[place.subject]
        anchor = phrase_at(text, place.anchor)
        key = (
            subject.lemmas,
            place.relation,
            anchor.lemmas if anchor else None,
            told_apart(text, subject),
        )
        if subject.is_thing and (anchor is None or anchor.is_thing) and key not in seen:
            seen.add(key)
            spans = (subject.named, place.span, *((anchor.named,) if anchor else ()))
            yield AttributePair(place.subject, place.relation, spans, place.anchor)


def _stands(pair: AttributePair, prompt: Parsed, told: PictureText) -> PairVerdict:
    """Strictly where the caption says the same.

    Leniently also by kin relations, and the other way round.
    """
    caption = told.caption
    kin = (pair.value, *positions.KIN.get(pair.value, ()))
    strict = [
        place
        for place in caption.places
        if place.relation == pair.value and _of_both(pair, place, prompt, caption, same_name)
    ]
    soft = [
        place
        for place in caption.places
        if place.relation in kin and _of_both(pair, place, prompt, caption, alike)
    ]
    inverse = positions.INVERSE.get(pair.value)
    turned = [
        place._replace(subject=place.anchor, anchor=place.subject)
        for place in caption.places
        if place.anchor is not None
    ]
    soft += [
        place
        for place in turned
        if place.relation == inverse and _of_both(pair, place, prompt, caption, alike)
    ]
    between = [
        place
        for place in caption.places
        if place.anchor is not None and _of_both(pair, place, prompt, caption, alike)
    ]
    shown = (strict or soft or between)[:4]
    said = tuple(
        dict.fromkeys(
            at for place in shown for at in (place.subject, place.anchor) if at is not None
        )
    )
    return PairVerdict(
        strict=bool(strict),
        soft=bool(strict or soft),
        seen=join_with_and([_place(caption, place) for place in shown]),
        said=said,
        spans=_spans(caption, shown),
    )


def _of_both(
    pair: AttributePair,
    place: PositionPhrase,
    prompt: Parsed,
    caption: Parsed,
    rule: Callable[[Phrase, Phrase], bool],
) -> bool:
    """Whether a position in the caption is about the things of the pair.

    What is not known agrees with anything.
    """
    one = _is_mentioned(rule, prompt, pair.noun, caption, place.subject)
    return one and _is_mentioned(rule, prompt, pair.anchor, caption, place.anchor)


def _is_mentioned(
    rule: Callable[[Phrase, Phrase], bool],
    prompt: Parsed,
    asked: int | None,
    caption: Parsed,
    said: int | None,
) -> bool:
    if asked is None or said is None:
        return True
    colours = told_apart(prompt, prompt.phrases[asked])
    here = values(caption.phrases[said], COLORS).keys()
    return rule(prompt.phrases[asked], caption.phrases[said]) and (
        not colours or bool(colours & here)
    )


def _place(text: Parsed, place: PositionPhrase) -> str:
    anchor = "" if place.anchor is None else f" the {text.phrases[place.anchor].name}"
    return f"{text.phrases[place.subject].name} {positions.words(place.relation)}{anchor}".strip()


def _spans(text: Parsed, shown: Sequence[PositionPhrase]) -> tuple[Span, ...]:
    found: list[Span] = []
    for place in shown:
        found += [text.phrases[place.subject].named, place.span]
        found += [] if place.anchor is None else [text.phrases[place.anchor].named]
    return tuple(dict.fromkeys(found))


# --- text
# --------------------------------------------------------------------------------------------------


def quoted(text: Parsed) -> Iterator[AttributePair]:
    """Every text in quotation marks, with the thing it is on."""
    for quote in text.quotes:
        noun = () if quote.phrase is None else (text.phrases[quote.phrase].named,)
        yield AttributePair(quote.phrase, quote.text, (*noun, quote.span))


def _judge_writing(pair: AttributePair, prompt: Parsed, told: PictureText) -> PairVerdict:
    """By what was read, else by what the caption quotes.

    Our reading: what it is written on does not matter, it is an object of its own.
    """
    quotes = told.caption.quotes
    said = max(quotes, key=lambda quote: similarity(quote.text, pair.value), default=None)
    if told.lines is None:
        alike_, seen = (similarity(said.text, pair.value), said.text) if said else (0.0, "")
    else:
        alike_, seen = max(
            ((similarity(text, pair.value), text) for text in _runs(told.lines)), default=(0.0, "")
        )
    differs = said is not None and told.lines is not None and folded(said.text) != folded(seen)
    note = (
        f"The reader reads “{seen}” and the captioner says “{said.text}”: the reader counts."
        if differs and said
        else ""
    )
    here = said is not None and folded(said.text) == folded(seen)
    spans, phrases = ((said.span,), (said.phrase,)) if here and said else ((), ())
    return PairVerdict(
        strict=alike_ == 1.0,
        soft=alike_ >= SIMILAR,
        seen=seen,
        said=tuple(at for at in phrases if at is not None),
        spans=spans,
        note=note,
    )


def _runs(lines: Sequence[str]) -> Iterator[str]:
    """Every run of lines, as a text may be broken over several."""
    for start in range(len(lines)):
        for stop in range(start + 1, min(len(lines), start + 8) + 1):
            yield " ".join(lines[start:stop])


def similarity(one: str, other: str) -> float:
    """Of two texts, letter by letter, in [0, 1].

    Upper and lower case, spaces and quotation marks do not matter.
    """
    first = folded(one)
    second = folded(other)
    if first == second:
        return 1.0
    return min(difflib.SequenceMatcher(None, first, second, autojunk=False).ratio(), 0.9999)


def folded(text: str) -> str:
    return "".join(sign for sign in text.casefold() if not sign.isspace() and sign not in _QUOTES)


# --- the table
# --------------------------------------------------------------------------------------------------

ATTRIBUTES: Mapping[str, Sequence[str] | Finder | AttributeRule] = {
    "color": tuple(sorted(COLORS)),
    "number": AttributeRule(numbers, _judge_count),
    "position": AttributeRule(placed, _stands),
    "text": AttributeRule(quoted, _judge_writing),
}
