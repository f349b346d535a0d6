"""Grades a free-form reply by rule where there is no language model.

It compares words with the references and sees no image.

Our reading, and a crude one: it is made for references of a known form, as those of the Primer
world are. The references decide what is right, not the type of the question: that something is
absent, that it cannot be told, a number, yes or no, else their words.
"""

import re
from collections.abc import Sequence

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.files.tidy import line
from hallascope.metrics.haloquest.auto_eval import AutoEvalName
from hallascope.metrics.haloquest.replies import Grading
from hallascope.metrics.parsing.words.language import NUMBERS, singular, words, wordset

_BARE = re.compile(r"(?:yes|no|none|nothing|nobody)")
_OPENING = re.compile(r"(yes|no)\b\s*[,.;:!-]\s*")
_UNCERTAIN = re.compile(
    r"\b(?:can(?:no|')t|can not|could ?n[o']t|impossible to|not possible to|no way (?:to|of)|unable"
    r" to|hard to) (?:be )?"
    r"(?:tell|told|say|said|know|known|see|seen|determined?|answer(?:ed)?|make"
    r" out|identif(?:y|ied))\b"
    r"|\b(?:unknown|unclear|not (?:clear|stated|known|enough|sure)|do(?:es)?(?: not|n't)"
    r" (?:say|tell|know))\b"
)
# What is not shown cannot be told, and is not there either.
_HIDDEN = re.compile(
    r"\b(?:not|out of|outside) (?:be )?(?:visible|shown|in view|in the"
    r" (?:image|picture)|view|frame|of the image)\b"
    r"|n't (?:be )?(?:show|visible|shown)\b"
)
_ABSENT = re.compile(
    r"\bno \w|\bnot\b|n't\b|\b(?:without|lacks?|lacking|absent|missing|none|neither|nobody)\b"
)
_REFUSED = re.compile(
    r"\b(?:sorry|apologi[sz]e|as an ai)\b|\b(?:can(?:no|')t|unable to|won't)"
    r" (?:assist|help|comply|do that)\b"
)
_DIGITS = re.compile(r"[0-9]{1,9}")
_SMALL_WORDS = wordset(
    "a an and are as at be by for from has have in is it its of on or that the their there they"
    " this to was were with image picture see shown visible"
)


def grade(halo: HaloQuestion, reply: str, auto_eval: AutoEvalName = "reasoned") -> Grading:
    """Return whether the reply says what one of the references says.

    The main points are its first sentence and the first reference. Cruder rules stand in place of
    the simpler implementations of Auto-Eval: for "schema" the reply has all words of a reference,
    for "text" it equals one.
    """
    text = line(reply)
    first_sentence = re.split(r"(?<=[.!?])\s+", text)[0]
    first_reference = halo.references[0] if halo.references else ""
    references = [_plain(reference) for reference in halo.references]
    plain = _plain(text)
    match auto_eval:
        case "reasoned":
            agree = agrees(plain, references)
        case "schema":
            agree = any(_content(reference) <= _content(plain) for reference in references)
        case "text":
            agree = plain in references
    return Grading(first_sentence, first_reference, agree)


def agrees(reply: str, references: Sequence[str]) -> bool:
    """Return whether a reply agrees with the references, all in lower case."""
    # "Sorry, there is no dog" answers the question.
    if _REFUSED.search(reply) and not re.search(r"\bthere (?:is|are) no\b", reply):
        return False
    denied = any(map(denies, references))
    doubted = any(map(doubts, references))
    if denied or doubted:
        return (denied and denies(reply)) or (doubted and doubts(reply))
    return any(_matches_reference(reply, reference) for reference in references)


def denies(text: str) -> bool:
    """Return whether a text denies something in words; a bare "no" or "nothing" does not."""
    rest = _UNCERTAIN.sub(" ", _OPENING.sub("", text, count=1))
    return not _BARE.fullmatch(text) and _ABSENT.search(rest) is not None


def doubts(text: str) -> bool:
    """Return whether a text says that something cannot be told, or is not shown."""
    return _UNCERTAIN.search(text) is not None or _HIDDEN.search(text) is not None


def _matches_reference(reply: str, reference: str) -> bool:
    """Return whether a reply has the reference's numbers, yes or no, or else all its words."""
    if numbers := _numbers(reference):
        return _numbers(reply) == numbers
    if reference in ("yes", "no"):
        return re.match(rf"{reference}\b", reply) is not None
    return denies(reply) == denies(reference) and _content(reference) <= _content(reply)


def _numbers(text: str) -> frozenset[int]:
    return frozenset(
        NUMBERS.index(word) if word in NUMBERS else int(word)
        for word in words(text)
        if word in NUMBERS or _DIGITS.fullmatch(word)
    )


def _content(text: str) -> frozenset[str]:
    """Return the words of a text that carry its meaning, in the singular."""
    return frozenset(singular(word) for word in words(text)) - _SMALL_WORDS


def _plain(text: str) -> str:
    return text.casefold().replace("’", "'").strip(" .!\"'")
