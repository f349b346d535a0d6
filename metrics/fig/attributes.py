"""Holds the attributes of FiG as data: their pairs in a prompt, and when captions say them.

A user adds an attribute by one entry of `ATTRIBUTES`: a list of words ("wooden", "metal"), or a
function that finds pairs in a parsed text.
"""

import difflib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from hallascope.data.prompt_reading import PICTURE, Count
from hallascope.data.regions import Span
from hallascope.metrics.fig.as_published import (
    find_number_words,
    find_position_words,
    find_quoted_words,
)
from hallascope.metrics.fig.asked_prompt import AskedPrompt, is_same
from hallascope.metrics.fig.pairs import (
    AttributePair,
    Attributes,
    NameRule,
    PairVerdict,
    PictureText,
    ReadingRule,
    instance_values,
    pair_words,
    values,
)
from hallascope.metrics.reading.mention_counts import Instance, instances, total
from hallascope.metrics.reading.names import alike, same_name
from hallascope.metrics.reading.parsed import Parsed, PhraseRelation
from hallascope.metrics.reading.words.language import COLORS, count_words, join_with_and
from hallascope.metrics.reading.words.relations import INVERSE, KIN, box_relation

SIMILAR = 0.9  # from which similarity of its letters on a text counts leniently
MOST_SHOWN = 4  # positions of a caption that are shown beside the one of the prompt
MOST_LINES = 8  # over which one text may be broken
_QUOTES = "\"'“”‘’«»"


def distinguishing_colors(prompt: AskedPrompt, at: int) -> frozenset[str]:
    """Return the colors by which the prompt tells an object apart from others of its name.

    There are none where it names it in one color only.
    """
    colors = frozenset(prompt.values(at, COLORS))
    of_name = {
        frozenset(prompt.values(other, COLORS))
        for other, _ in prompt.present()
        if is_same(prompt.names[at], prompt.names[other])
    }
    return colors if len(of_name - {frozenset()}) > 1 else frozenset()


def _object_key(prompt: AskedPrompt, at: int | None) -> tuple[object, ...]:
    """Return what objects that pairs do not tell apart have in common: name and colors."""
    if at is None:
        return ()
    name = prompt.names[at]
    return (name.concept or frozenset(name.lemmas), distinguishing_colors(prompt, at))


# --- number


def find_numbers(prompt: AskedPrompt) -> Iterator[AttributePair]:
    """Yield every object to be shown with the number that the prompt says.

    Of several numbers of one thing ("two dogs ... one dog") the largest is that in all, and what is
    one of several is counted among them.
    """
    largest: dict[tuple[object, ...], tuple[int, Count]] = {}
    for at, thing in prompt.present():
        count = thing.said_count
        is_counted_in_whole = thing.one_of and not distinguishing_colors(prompt, at)
        if count is None or is_counted_in_whole:
            continue
        key = _object_key(prompt, at)
        if key not in largest or _bounds(count) > _bounds(largest[key][1]):
            largest[key] = (at, count)
    for at, _ in largest.values():
        spans = (*prompt.objects[at].count_spans, *prompt.spans(at))
        yield AttributePair(at, count_words(count_in_all(prompt, at)), spans)


def count_in_all(prompt: AskedPrompt, at: int) -> Count:
    """Return how many things of an object's name and colors the prompt asks for in all.

    What it names apart from the counted ones and without a number is added: "one cow sniffing
    another cow" asks for two cows.
    """
    colors = distinguishing_colors(prompt, at)
    counts = [prompt.objects[at].count or Count.exactly(1)]
    counts += [
        thing.count or Count.exactly(1)
        for other, thing in prompt.present()
        if other != at
        and thing.said_count is None
        and not thing.one_of
        and is_same(prompt.names[at], prompt.names[other])
        and colors == distinguishing_colors(prompt, other)
    ]
    most = [count.most for count in counts]
    return replace(
        counts[0],
        least=sum(count.least for count in counts),
        most=None if None in most else sum(number or 0 for number in most),
    )


def _bounds(count: Count) -> tuple[int, float]:
    return count.least, math.inf if count.most is None else count.most


def _judge_number(pair: AttributePair, prompt: AskedPrompt, picture: PictureText) -> PairVerdict:
    """Return as met a number in the caption that lies within what the prompt asks for.

    Where the caption gives bounds itself ("several"), all of them must lie within.
    """
    at = pair.noun or 0
    least_asked, most_asked = _bounds(count_in_all(prompt, at))
    colors = distinguishing_colors(prompt, at)

    def named_by(rule: NameRule) -> list[Instance]:
        named = instances(picture.caption, partial(rule, prompt.names[at]), COLORS)
        return [instance for instance in named if not colors or colors & instance_values(instance)]

    def is_met(named: Sequence[Instance]) -> bool:
        least, most = _bounds(total(picture.caption, named))
        return least_asked <= least and most <= most_asked

    strictly_named = named_by(same_name)
    leniently_named = named_by(alike)
    strict = is_met(strictly_named)
    shown = strictly_named or leniently_named
    spans = tuple(picture.caption.phrases[instance.phrase].span for instance in shown)
    return PairVerdict(
        strict=strict,
        soft=strict or is_met(leniently_named),
        observed=join_with_and(dict.fromkeys(map(picture.caption.text_at, spans))),
        phrases=tuple(instance.phrase for instance in shown),
        spans=spans,
    )


# --- position


def find_position_pairs(prompt: AskedPrompt) -> Iterator[AttributePair]:
    """Yield every position that the prompt says and boxes can show, once."""
    yielded: set[tuple[object, ...]] = set()
    for relation in prompt.reading.relations:
        value = box_relation(relation.words)
        subject = prompt.index(relation.subject)
        anchor = prompt.index(relation.target)
        ends = (subject, *(() if relation.target == PICTURE else (anchor,)))
        if not value or any(at is None or prompt.objects[at].absent for at in ends):
            continue
        key = (_object_key(prompt, subject), value, _object_key(prompt, anchor))
        if key not in yielded:
            yielded.add(key)
            spans = (*prompt.spans(subject), *relation.spans, *prompt.spans(anchor))
            yield AttributePair(subject, value, spans, anchor)


def _judge_position(pair: AttributePair, prompt: AskedPrompt, picture: PictureText) -> PairVerdict:
    """Return as strictly met what the caption says in the same words.

    Leniently kin relations count too, and the same said the other way round.
    """
    positions = picture.caption.places

    def about_pair(rule: NameRule, positions: Iterable[PhraseRelation]) -> list[PhraseRelation]:
        """Return the positions of the pair's things; what is not known agrees with anything."""
        return [
            position
            for position in positions
            if _names_thing(rule, prompt, pair.noun, picture, position.subject)
            and _names_thing(rule, prompt, pair.anchor, picture, position.target)
        ]

    inverted = [
        position._replace(subject=position.target, target=position.subject)
        for position in positions
        if position.target is not None and box_relation(position.words) == INVERSE.get(pair.value)
    ]
    kin = (pair.value, *KIN.get(pair.value, ()))
    named = about_pair(same_name, positions)
    named_leniently = about_pair(alike, positions)
    strict = [position for position in named if box_relation(position.words) == pair.value]
    soft = [position for position in named_leniently if box_relation(position.words) in kin]
    soft += about_pair(alike, inverted)
    otherwise = [position for position in named_leniently if position.target is not None]
    shown = (strict or soft or otherwise)[:MOST_SHOWN]
    return PairVerdict(
        strict=bool(strict),
        soft=bool(strict or soft),
        observed=join_with_and(
            dict.fromkeys(_position_words(picture.caption, position) for position in shown)
        ),
        phrases=tuple(dict.fromkeys(at for position in shown for at in _ends(position))),
        spans=_position_spans(picture.caption, shown),
    )


def _names_thing(
    rule: NameRule,
    prompt: AskedPrompt,
    expected: int | None,
    picture: PictureText,
    observed: int | None,
) -> bool:
    if expected is None or observed is None:
        return True
    colors = distinguishing_colors(prompt, expected)
    mentions = picture.mentions(observed)
    return any(rule(prompt.names[expected], mention) for mention in mentions) and (
        not colors or any(colors & values(mention, COLORS) for mention in mentions)
    )


def _ends(position: PhraseRelation) -> list[int]:
    """Return the phrases of a position: its subject, and its anchor where it has one."""
    return [at for at in (position.subject, position.target) if at is not None]


def _position_words(text: Parsed, position: PhraseRelation) -> str:
    names = [text.phrases[at].name for at in _ends(position)]
    return pair_words("position", position.words, names).strip()


def _position_spans(text: Parsed, positions: Sequence[PhraseRelation]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for position in positions:
        subject, *anchor = [text.phrases[at].name_span for at in _ends(position)]
        spans += [subject, position.span, *anchor]
    return tuple(dict.fromkeys(spans))


# --- text


def find_asked_texts(prompt: AskedPrompt) -> Iterator[AttributePair]:
    """Yield every text that is to be written, with the object it is on."""
    for text in prompt.reading.texts:
        noun = prompt.index(text.on)
        span = () if text.span is None else (text.span,)
        yield AttributePair(noun, text.text, (*prompt.spans(noun), *span))


def _judge_text(pair: AttributePair, prompt: AskedPrompt, picture: PictureText) -> PairVerdict:
    """Judge by what was read, else by what the caption quotes.

    What it is written on does not matter, it is an object of its own.
    """
    quote = max(
        picture.caption.texts, key=lambda quote: similarity(quote.text, pair.value), default=None
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
    "number": ReadingRule(find_numbers, _judge_number, find_number_words),
    "position": ReadingRule(find_position_pairs, _judge_position, find_position_words),
    "text": ReadingRule(find_asked_texts, _judge_text, find_quoted_words),
}
