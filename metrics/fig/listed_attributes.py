"""Adds to FiG the attributes that a person lists for objects, beside what the prompt says.

The paper invites others ("can be extended to capture hallucinations related to other attributes",
section 4.2). Each object of the prompt that the list names is to have
the listed values as well; where the prompt itself gives the object a value of that attribute, the
prompt counts and the list is silent.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from hallascope.data.files.object_attributes import ObjectAttribute
from hallascope.metrics.fig.as_published import find_words
from hallascope.metrics.fig.asked_prompt import AskedPrompt, is_same
from hallascope.metrics.fig.pairs import (
    AttributePair,
    Attributes,
    AttributeSpec,
    PairVerdict,
    PictureText,
    ReadingRule,
    find_word_pairs,
    judge_by_words,
)
from hallascope.metrics.reading.names import name_phrase, same_name
from hallascope.metrics.reading.words.language import one_spelling

LISTED = "Listed for this object, not said in the prompt."


def add_listed(attributes: Attributes, listed: Sequence[ObjectAttribute]) -> Attributes:
    """Return the attributes with those of a list; the same ones where the list is empty.

    An attribute that is a list of words, such as color, keeps its words; one that is new has the
    values of the list as its words. Raises ValueError where the list names an attribute that has a
    rule of its own.
    """
    if not listed:
        return attributes
    added: dict[str, AttributeSpec] = dict(attributes)
    for name in dict.fromkeys(item.attribute for item in listed):
        of_name = tuple(item for item in listed if item.attribute == name)
        spec = attributes.get(name, ())
        if callable(spec) or not isinstance(spec, Sequence):
            raise ValueError(f"the attribute {name!r} has a rule of its own: name another one")
        words = frozenset(word.casefold() for word in spec)
        words |= {item.value for item in of_name}
        added[name] = ReadingRule(
            partial(_find_pairs, words=words, listed=of_name),
            partial(_judge_pair, words=words),
            partial(find_words, words=words),
            words,
        )
    return added


def listed_version(listed: Sequence[ObjectAttribute]) -> str:
    """Return what a list adds to the version, so that scores of two lists are never averaged.

    The order of the rows does not matter; "" for an empty list.
    """
    if not listed:
        return ""
    rows = [f"{item.noun}|{item.attribute}|{item.value}" for item in sorted(set(listed))]
    return f"+list-{hashlib.sha256(chr(10).join(rows).encode()).hexdigest()[:8]}"


def _find_pairs(
    prompt: AskedPrompt, words: frozenset[str], listed: Sequence[ObjectAttribute]
) -> Iterator[AttributePair]:
    """Yield the pairs that the prompt says, then those of the list that it leaves open."""
    yield from find_word_pairs(prompt, words)
    names = {item.noun: name_phrase(item.noun) for item in listed}
    seen: list[int] = []
    for at, _ in prompt.present():
        name = prompt.names[at]
        if prompt.values(at, words) or any(is_same(name, prompt.names[other]) for other in seen):
            continue
        seen.append(at)
        values = dict.fromkeys(
            one_spelling(item.value) for item in listed if same_name(names[item.noun], name)
        )
        for value in values:
            yield AttributePair(at, value, prompt.spans(at), listed=True)


def _judge_pair(
    pair: AttributePair, prompt: AskedPrompt, picture: PictureText, words: frozenset[str]
) -> PairVerdict:
    verdict = judge_by_words(pair, prompt, picture, words)
    if not pair.listed:
        return verdict
    return replace(verdict, note=f"{LISTED} {verdict.note}".strip())
