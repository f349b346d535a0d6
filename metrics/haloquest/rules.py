"""Grades a free-form reply by rule where there is no language model.

It compares words with the references and sees no image.

It is crude, made for references of a known form, as those of the Primer
world are. The references decide what is right, not the type of the question: that something is
absent, that it cannot be told, a number, yes or no, else their words.
"""

import re
from collections.abc import Sequence

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.files.tidy import line
from hallascope.metrics.haloquest.auto_eval import AutoEvalName
from hallascope.metrics.haloquest.replies import Grading
from hallascope.metrics.reading.words.language import COLORS, NUMBERS, singular, words, wordset

_OPENING = re.compile(r"(yes|no)\b\s*[,.;:!-]\s*")
_CANNOT = r"(?:can(?:no|')t|can not|could ?n[o']t|impossible to|not possible to|unable to)"
_UNCERTAIN = re.compile(
    rf"\b(?:{_CANNOT}|no way (?:to|of)|hard to) (?:be )?"
    r"(?:tell|told|say|said|know|known|determined?|answer(?:ed)?|identif(?:y|ied))\b"
    r"|\b(?:unknown|unclear|not (?:clear|stated|known|enough|sure)|do(?:es)?(?: not|n't)"
    r" (?:say|tell|know))\b"
)
_APOLOGY = re.compile(r"\A(?:i'm |i am |we're )?(?:\w+ )?sorry\b|\A(?:i |we )?apologi[sz]e\b")
_DECLINED = re.compile(
    rf"\b(?:{_CANNOT}|won't|will not)"
    r"(?: (?:assist|help|comply|do th(?:at|is)|answer|respond)\b|(?=[.,;!]|$))"
)
# What is not shown cannot be told, and is not there either.
_HIDDEN = re.compile(
    r"\b(?:not|out of|outside) (?:be )?(?:visible|shown|in view|in the"
    r" (?:image|picture)|view|frame|of the image)\b"
    rf"|n't (?:be )?(?:show|visible|shown)\b|\b{_CANNOT} (?:be )?(?:see|seen|make out)\b"
)
_BARE = frozenset({"yes", "no", "none", "nothing", "nobody", "zero", "0"})
_NO_COUNT = frozenset({"none", "nobody", "zero", "0"})  # of things that a question counts
_NEGATION = re.compile(
    r"\b(?:no|zero|0)(?= \w)|\b(?:not|cannot|without|lacks?|lacking|absent|missing|none|neither"
    r"|nobody|nothing|unable to)\b|n't\b"
)
_CLAUSE_END = re.compile(r"[.,;:!?]|\b(?:but|because|so|since|as)\b")
_PREPOSITION = re.compile(r"\b(?:of|in|on|at|with|from|near|by|inside|besides?|behind|to)\b")
_DIGITS = re.compile(r"[0-9]{1,9}")
_SMALL_WORDS = wordset(
    "a an and any anyone anything appear are as at be been being by can cannot contain depict do"
    " depicted does for from had has have having he her hers him his holding i image in included is"
    " it its me my no not of on one only or our photo picture pictured present see seen she show"
    " shown that the their them there they this to us visible visibly was we wear wearing were"
    " which with you your zero"
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
            agree = agrees(plain, references, halo.text.casefold())
        case "schema":
            agree = any(_content(reference) <= _content(plain) for reference in references)
        case "text":
            agree = plain in references
    return Grading(first_sentence, first_reference, agree)


def agrees(reply: str, references: Sequence[str], question: str = "") -> bool:
    """Return whether a reply agrees with one of the references, all in lower case.

    One that equals a reference does. A denial and a doubt agree only where they name what the
    reference, or a question whose reference names nothing, speaks of, or name nothing at all.
    """
    if reply in references:
        return True
    if _refuses(reply):
        return False
    reply = _APOLOGY.sub("", reply)
    if question.startswith("how many"):
        reply, *references = (
            "there are none" if text in _NO_COUNT else text for text in (reply, *references)
        )
    return any(_agrees_with(reply, reference, question) for reference in references)


def _agrees_with(reply: str, reference: str, question: str) -> bool:
    if denies(reference) and denies(reply):
        denied = _denied(reply)
        return not denied or not denied.isdisjoint(_denied(reference) or _content(question))
    if doubts(reference) and doubts(reply):
        topic = _content(_UNCERTAIN.sub(" ", reply))
        return not topic or not topic.isdisjoint(_content(f"{reference} {question}"))
    is_plain = not (denies(reference) or doubts(reference))
    return is_plain and _matches_reference(reply, reference, question)


def _refuses(reply: str) -> bool:
    """Return whether a reply declines to answer: "Sorry, there is no dog" answers."""
    rest = _DECLINED.sub(" ", reply)
    declines = rest != reply or _APOLOGY.match(reply) is not None or "as an ai" in reply
    return declines and not (denies(rest) or doubts(rest))


def denies(text: str) -> bool:
    """Return whether a text denies something in words; a bare "no" or "nothing" does not."""
    rest = _UNCERTAIN.sub(" ", _OPENING.sub("", text, count=1))
    return text not in _BARE and _NEGATION.search(rest) is not None


def _denied(text: str) -> frozenset[str]:
    """Return the words for what a text denies: "bee" of "there is no bee on it"."""
    denied: set[str] = set()
    for clause in _CLAUSE_END.split(_OPENING.sub("", text, count=1)):
        for negation in _NEGATION.finditer(clause):
            before, after = clause[: negation.start()], clause[negation.end() :]
            heads = (_PREPOSITION.split(part)[0] for part in (after, before))
            denied |= next(filter(None, map(_content, (*heads, after))), frozenset())
    return frozenset(denied) - COLORS


def doubts(text: str) -> bool:
    """Return whether a text says that something cannot be told, or is not shown."""
    return _UNCERTAIN.search(text) is not None or _HIDDEN.search(text) is not None


def _matches_reference(reply: str, reference: str, question: str) -> bool:
    """Return whether a reply has the reference's numbers, yes or no, or else all its words.

    What the question says already may be left out.
    """
    if numbers := _numbers(reference):
        return _numbers(reply) == numbers
    if reference in ("yes", "no"):
        return re.match(rf"{reference}\b", reply) is not None
    content = _content(reference)
    affirmed = (clause for clause in _CLAUSE_END.split(reply) if not _NEGATION.search(clause))
    return (content - _content(question) or content) <= _content(" ".join(affirmed))


def _numbers(text: str) -> frozenset[int]:
    return frozenset(
        NUMBERS.index(word) if word in NUMBERS else int(word)
        for word in words(text)
        if word in NUMBERS or _DIGITS.fullmatch(word)
    )


def _content(text: str) -> frozenset[str]:
    """Return the words of a text that carry its meaning, in the singular."""
    return frozenset(singular(word.removesuffix("'s")) for word in words(text)) - _SMALL_WORDS


def _plain(text: str) -> str:
    return text.casefold().replace("’", "'").replace("no one", "nobody").strip(" .!\"'")
