"""Matches stages 1 and 2 of FiG exactly as the paper has it, beside our own strict rule.

The paper intersects sets (section 4.2; appendix A.1, algorithm 2): objects are the same where their
names are, and (noun, attribute) pairs where both noun and attribute are. Our strict rule differs:
it takes "a wine glass" for a glass, adds up numbers that a caption gives in parts, and rejects a
color where another thing of the name has a color that was not asked for.
"""

from collections.abc import Hashable, Sequence

from hallascope.metrics.fig.asked_prompt import AskedPrompt
from hallascope.metrics.fig.pairs import AttributePair, AttributeRule, ReadingRule
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.words.position_words import INVERSE


def equal_names(name: Phrase, other: Phrase) -> bool:
    """Return whether two names have the same lemmas, or name the same concept of Primer."""
    return _name_key(name) == _name_key(other)


def caption_pairs(rule: AttributeRule | ReadingRule, caption: AskedPrompt) -> frozenset[Hashable]:
    """Return the keys of the pairs of a caption, found by the rule that finds the prompt's.

    The caption is read as a prompt is (appendix A.1, algorithm 1 for both texts).
    """
    if isinstance(rule, ReadingRule):
        find = rule.find_in_caption or rule.find
        return frozenset(pair_key(pair, caption.names) for pair in find(caption))
    text = caption.text
    return frozenset(pair_key(pair, text.phrases) for pair in rule.find(text))


def pair_key(pair: AttributePair, names: Sequence[Phrase]) -> Hashable:
    """Return what equal pairs have in common; `names` are those that the pair points at.

    A position that is said the other way round is the same pair, since a reading keeps it once.
    """
    noun, anchor = (None if at is None else _name_key(names[at]) for at in (pair.noun, pair.anchor))
    inverse = INVERSE.get(pair.value)
    if anchor is not None and inverse is not None and inverse < pair.value:
        return inverse, anchor, noun
    return pair.value.casefold(), noun, anchor


def _name_key(name: Phrase) -> Hashable:
    return name.concept or name.lemmas
