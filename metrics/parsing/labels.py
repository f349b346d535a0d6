"""Reads labels, names that stand alone, as the parser reads the things of a text."""

from functools import cache

from hallascope.metrics.parsing.name_matching import alike
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.words.language import article, plural, singular


@cache
def label_phrase(label: str) -> Phrase | None:
    """Return the words of a label as the parser reads a thing.

    In a sentence, or in the plural, the parser tells more nouns ("fire hydrant", "soda can").
    "Painting", too, is a thing where it stands alone.
    """
    if not label:
        return None
    is_plural = singular(label) != label
    named = f"the {label}" if is_plural else article(label)
    in_sentence = f"There {'are' if is_plural else 'is'} {named} ."
    in_plural = f"There are two {label if is_plural else plural(label)} ."
    for sentence in (in_sentence, in_plural):
        for phrase in parse(sentence).things:
            if phrase.name_span[1] == len(sentence) - len(" ."):
                return phrase
    alone = parse(named)
    return next(iter((*parse(in_sentence).things, *alone.things, *alone.phrases)), None)


def name_phrase(name: str) -> Phrase:
    """Return the name of one thing as the parser reads it; one it cannot read stands as it is.

    "Glasses" as the name of one thing are those that are worn.
    """
    words = name.casefold().split() or [""]
    label = "pair of glasses" if words == ["glasses"] else name
    return label_phrase(label) or Phrase(
        span=(0, len(name)),
        name_span=(0, len(name)),
        name=name,
        lemmas=tuple(words),
        head=words[-1],
    )


def labels_alike(expected: str, observed: str) -> bool:
    """Return whether two labels are equal, or name the same thing by the lenient rule."""
    if expected.casefold() == observed.casefold():
        return True
    first, second = label_phrase(expected), label_phrase(observed)
    return first is not None and second is not None and alike(first, second)
