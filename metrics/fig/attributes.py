"""Holds the attributes of FiG as data: their pairs in a prompt, and when captions say them.

A user adds an attribute by one entry of `ATTRIBUTES`: a list of words ("wooden", "metal"), or a
function that finds pairs.
"""

import difflib
from collections.abc import Iterator, Sequence
from functools import partial

from hallascope.data.regions import Span
from hallascope.metrics.fig.pairs import (
    AttributePair,
    AttributeRule,
    Attributes,
    NameRule,
    PairVerdict,
    PictureText,
    instance_values,
    join_with_and,
    phrase_at,
    values,
)
from hallascope.metrics.parsing.mention_counts import Instance, instances, total
from hallascope.metrics.parsing.name_matching import alike, same_name
from hallascope.metrics.parsing.parsed import Parsed, Phrase, Position
from hallascope.metrics.parsing.words.noun_words import COLORS
from hallascope.metrics.parsing.words.position_words import INVERSE, KIN, RELATIONS, relation_words

SIMILAR = 0.9  # from which similarity of its letters on a text counts leniently
MOST_SHOWN = 4  # positions of a caption that are shown beside the one of the prompt
MOST_LINES = 8  # over which one text may be broken
_QUOTES = "\"'“”‘’«»"


def distinguishing_colors(prompt: Parsed, phrase: Phrase) -> frozenset[str]:
    """Return the colors by which the prompt tells a thing apart from others of its name.

    There are none where it names it in one color only.
    """
    of_name = {
        frozenset(values(other, COLORS))
        for other in prompt.things
        if same_name(phrase, other) and same_name(other, phrase)
    }
    return frozenset(values(phrase, COLORS)) if len(of_name - {frozenset()}) > 1 else frozenset()


# --- number


def find_numbers(text: Parsed) -> Iterator[AttributePair]:
    """Yield every thing with the number the text says.

    Of several numbers of one thing ("two dogs ... one dog") the largest is that in all.
    """
    largest: dict[tuple[object, ...], tuple[int, Phrase]] = {}
    for index, phrase in text.indexed_things():
        if phrase.number is None:
            continue
        key = (phrase.concept or frozenset(phrase.lemmas), distinguishing_colors(text, phrase))
        if key not in largest or phrase.number > (largest[key][1].number or 0):
            largest[key] = (index, phrase)
    for index, phrase in largest.values():
        spans = (phrase.count_span or phrase.name_span, phrase.name_span)
        yield AttributePair(index, str(phrase.number), spans)


def _judge_number(pair: AttributePair, prompt: Parsed, picture: PictureText) -> PairVerdict:
    expected = prompt.phrases[pair.noun or 0]
    colors = distinguishing_colors(prompt, expected)

    def named_by(rule: NameRule) -> list[Instance]:
        named = instances(picture.caption, partial(rule, expected), COLORS)
        return [instance for instance in named if not colors or colors & instance_values(instance)]

    strictly_named = named_by(same_name)
    leniently_named = named_by(alike)
    strict = total(strictly_named) == expected.number
    shown = strictly_named or leniently_named
    spans = tuple(picture.caption.phrases[instance.phrase].span for instance in shown)
    return PairVerdict(
        strict=strict,
        soft=strict or total(leniently_named) == expected.number,
        observed=join_with_and([picture.caption.text_at(span) for span in spans]),
        phrases=tuple(instance.phrase for instance in shown),
        spans=spans,
    )


# --- position


def find_position_pairs(text: Parsed) -> Iterator[AttributePair]:
    """Yield every position that the text says and boxes can show, once."""
    yielded: set[tuple[object, ...]] = set()
    for position in text.positions:
        if position.relation not in RELATIONS:
            continue
        subject = text.phrases[position.subject]
        anchor = phrase_at(text, position.anchor)
        if not subject.is_thing or (anchor is not None and not anchor.is_thing):
            continue
        key = (
            subject.lemmas,
            position.relation,
            anchor.lemmas if anchor else None,
            distinguishing_colors(text, subject),
        )
        if key not in yielded:
            yielded.add(key)
            anchor_spans = (anchor.name_span,) if anchor else ()
            spans = (subject.name_span, position.span, *anchor_spans)
            yield AttributePair(position.subject, position.relation, spans, position.anchor)


def _judge_position(pair: AttributePair, prompt: Parsed, picture: PictureText) -> PairVerdict:
    """Return as strictly met what the caption says in the same words.

    Leniently kin relations count too, and the same said the other way round.
    """
    caption = picture.caption
    kin = (pair.value, *KIN.get(pair.value, ()))
    inverse = INVERSE.get(pair.value)
    strict = [
        position
        for position in caption.positions
        if position.relation == pair.value
        and _is_of_pair(pair, position, prompt, caption, same_name)
    ]
    of_pair = [
        position
        for position in caption.positions
        if _is_of_pair(pair, position, prompt, caption, alike)
    ]
    inverted = [
        position._replace(subject=position.anchor, anchor=position.subject)
        for position in caption.positions
        if position.anchor is not None and position.relation == inverse
    ]
    soft = [position for position in of_pair if position.relation in kin]
    soft += [
        position for position in inverted if _is_of_pair(pair, position, prompt, caption, alike)
    ]
    otherwise = [position for position in of_pair if position.anchor is not None]
    shown = (strict or soft or otherwise)[:MOST_SHOWN]
    phrases = [phrase for position in shown for phrase in (position.subject, position.anchor)]
    return PairVerdict(
        strict=bool(strict),
        soft=bool(strict or soft),
        observed=join_with_and([_position_words(caption, position) for position in shown]),
        phrases=tuple(dict.fromkeys(phrase for phrase in phrases if phrase is not None)),
        spans=_position_spans(caption, shown),
    )


def _is_of_pair(
    pair: AttributePair, position: Position, prompt: Parsed, caption: Parsed, rule: NameRule
) -> bool:
    """Return whether a position in the caption is about the things of the pair.

    What is not known agrees with anything.
    """
    return _names_thing(rule, prompt, pair.noun, caption, position.subject) and _names_thing(
        rule, prompt, pair.anchor, caption, position.anchor
    )


def _names_thing(
    rule: NameRule, prompt: Parsed, expected: int | None, caption: Parsed, observed: int | None
) -> bool:
    if expected is None or observed is None:
        return True
    colors = distinguishing_colors(prompt, prompt.phrases[expected])
    observed_colors = values(caption.phrases[observed], COLORS).keys()
    return rule(prompt.phrases[expected], caption.phrases[observed]) and (
        not colors or bool(colors & observed_colors)
    )


def _position_words(text: Parsed, position: Position) -> str:
    anchor = "" if position.anchor is None else f" the {text.phrases[position.anchor].name}"
    subject = text.phrases[position.subject].name
    return f"{subject} {relation_words(position.relation)}{anchor}".strip()


def _position_spans(text: Parsed, positions: Sequence[Position]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for position in positions:
        spans += [text.phrases[position.subject].name_span, position.span]
        if position.anchor is not None:
            spans.append(text.phrases[position.anchor].name_span)
    return tuple(dict.fromkeys(spans))


# --- text


def find_quoted_text(text: Parsed) -> Iterator[AttributePair]:
    """Yield every text in quotation marks, with the thing it is on."""
    for quote in text.quotes:
        noun = () if quote.phrase is None else (text.phrases[quote.phrase].name_span,)
        yield AttributePair(quote.phrase, quote.text, (*noun, quote.span))


def _judge_text(pair: AttributePair, prompt: Parsed, picture: PictureText) -> PairVerdict:
    """Judge by what was read, else by what the caption quotes.

    Our reading: what it is written on does not matter, it is an object of its own.
    """
    quote = max(
        picture.caption.quotes, key=lambda quote: similarity(quote.text, pair.value), default=None
    )
    if picture.lines is not None:
        candidates = list(_line_runs(picture.lines))
    else:
        candidates = [quote.text] if quote else []
    likeness, observed = max(
        ((similarity(text, pair.value), text) for text in candidates), default=(0.0, "")
    )
    is_quoted = quote is not None and _letters(quote.text) == _letters(observed)
    note = ""
    if quote is not None and picture.lines is not None and not is_quoted:
        note = (
            f"The reader reads “{observed}” and the captioner says “{quote.text}”: the reader"
            " counts."
        )
    return PairVerdict(
        strict=likeness == 1.0,
        soft=likeness >= SIMILAR,
        observed=observed,
        phrases=(quote.phrase,) if quote and is_quoted and quote.phrase is not None else (),
        spans=(quote.span,) if quote and is_quoted else (),
        note=note,
    )


def _line_runs(lines: Sequence[str]) -> Iterator[str]:
    """Yield every run of lines, as a text may be broken over several."""
    for start in range(len(lines)):
        for stop in range(start + 1, min(len(lines), start + MOST_LINES) + 1):
            yield " ".join(lines[start:stop])


def similarity(text: str, other: str) -> float:
    """Return how alike two texts are, letter by letter, in [0, 1].

    Upper and lower case, spaces and quotation marks do not matter.
    """
    first = _letters(text)
    second = _letters(other)
    if first == second:
        return 1.0
    return min(difflib.SequenceMatcher(None, first, second, autojunk=False).ratio(), 0.9999)


def _letters(text: str) -> str:
    return "".join(
        letter for letter in text.casefold() if not letter.isspace() and letter not in _QUOTES
    )


# --- the table

ATTRIBUTES: Attributes = {
    "color": tuple(sorted(COLORS)),
    "number": AttributeRule(find_numbers, _judge_number),
    "position": AttributeRule(find_position_pairs, _judge_position),
    "text": AttributeRule(find_quoted_text, _judge_text),
}
