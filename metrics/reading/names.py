"""Decides whether two noun phrases name the same thing, and reads names that stand alone.

The lenient rule mends the paper's stated weakness (its figure 4b: a clock described,
and not called a clock).
"""

from functools import cache
from itertools import product

from hallascope.data.lexicon import with_article
from hallascope.metrics.reading import thing_names
from hallascope.metrics.reading.parsed import Phrase
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.language import LISTS
from hallascope.metrics.reading.words.lists import NOUNS


def same_name(expected: Phrase, observed: Phrase) -> bool:
    """Return whether the observed name has every word of the expected, and names the same thing.

    This is the strict rule: "a wine glass" is a glass, and "a guinea pig" is no pig. Two names that
    the Primer world knows are the same where they are of one concept.
    """
    if expected.concept and observed.concept:
        return expected.concept == observed.concept
    has_words = expected.head == observed.head and set(expected.lemmas) <= set(observed.lemmas)
    return has_words and alike(expected, observed)


def alike(expected: Phrase, observed: Phrase) -> bool:
    """Return whether two names are alike: the same either way, a synonym, or a kind.

    This is the lenient rule, also for "a slice of pizza" and "pizza". A more general name will do
    where it is not too general ("furniture" for "a chair").
    """
    if expected.concept and expected.concept == observed.concept:
        return True
    first, second = _things(expected), _things(observed)
    if {*first[0].split()} - {"of"} == {*second[0].split()} - {"of"}:
        few, many = sorted(({*expected.lemmas}, {*observed.lemmas}), key=len)
        return few <= many
    return any(thing_names.is_acceptable(one, other) for one, other in product(first, second))


def is_more_general(phrase: Phrase, other: Phrase) -> bool:
    """Return whether a phrase means what another names, or what that is a kind of.

    So "the animal" stands for "a cat" that was named before, and "the kitten" does not.
    """
    pairs = product(_things(other), _things(phrase))
    return any(thing_names.is_same_or_kind(thing, general) for thing, general in pairs)


def _things(phrase: Phrase) -> tuple[str, ...]:
    """Return what a phrase stands for: its longest name that is known, else its noun, comes first.

    A name that begins with an adjective is known only where it is listed. Others are the plural,
    which may be a name of its own ("glasses"), and what is inside ("pizza" of "slice of pizza").
    """
    lemmas, name = phrase.lemmas, phrase.head
    end = lemmas.index(name) + 1 if name in lemmas else len(lemmas)
    if lemmas[end:] and thing_names.is_known(phrase.name):
        return (phrase.name.casefold(),)
    described = [word.text for word in phrase.modifiers if word.span[1] <= phrase.name_span[0]]
    words = [*described, *lemmas[:end]]
    for start in reversed(range(len(words))):
        longer = " ".join(words[start:])
        forms = (longer, language.plural(longer)) if phrase.plural else (longer,)
        if any(thing_names.is_known(form, by_list=start < len(described)) for form in forms):
            name = longer
    if not {*words[:-1]}.difference(name.split()).isdisjoint(LISTS["names"]["toy"]):
        name = f"toy {name}"
    contents = "" if name in NOUNS["depiction"] else " ".join(lemmas[end:])
    plural = language.plural(name) if phrase.plural else ""
    return (name, *filter(None, (plural, contents)))


# --- labels


@cache
def label_phrase(label: str) -> Phrase | None:
    """Return the words of a label as the parser reads a thing.

    In a sentence, or in the plural, the parser tells more nouns ("fire hydrant", "soda can").
    "Painting", too, is a thing where it stands alone.
    """
    if not label:
        return None
    is_plural = language.singular(label) != label
    named = f"the {label}" if is_plural else with_article(label)
    plural = label if is_plural else language.plural(label)
    for sentence in (f"There is {named} .", f"There are two {plural} ."):
        for phrase in parse(sentence).objects:
            if phrase.name_span[1] == len(sentence) - len(" ."):
                return phrase
    return next(iter(parse(named).phrases), None)


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
