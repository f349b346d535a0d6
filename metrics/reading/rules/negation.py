"""Reads what a prompt says not to be there: "no hat", "devoid of a face", "none of them has".

What follows in a row with "or" or "nor" is absent, too. A negated verb of having says that its
object is absent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hallascope.metrics.reading.rules.coordination import joint
from hallascope.metrics.reading.rules.elements import NO_FEATURES, SUBJECTS, NounPhrase, Parse
from hallascope.metrics.reading.words.language import wordset

if TYPE_CHECKING:
    from spacy.tokens import Token

# right before a phrase
_BEFORE = re.compile(
    r"(?:^|\s)(?:without|no|sans|minus|excluding|lacking(?: in)?|lacks?|lacked|missing|(?:devoid"
    r"|void|bereft|empty|bare|absent|clear|free|absence|lack) of|free from|instead of"
    r"|in (?:place|lieu) of|rather than|ha(?:s|ve|d) lost|(?:not|n't|n’t|never)(?: even)?"
    r"|(?:not|n't|n’t) (?:on|in|at|near|under|behind|beside|wearing|holding|attached to|tied to))$"
)
_DENIED = re.compile(r"(?:not|n't|n’t|never)$")
# behind a phrase
_BEHIND = re.compile(
    r"(?:(?:is|are) )?(?:missing|absent|gone|nowhere|not (?:there|visible|present))\b"
)
# "not all dogs", "not the same" say nothing of what is there
_NOT_DENYING = wordset("""
    all every both many more less fewer much enough quite just only merely simply the this that
    these those its his her their
""")
_HAVING = wordset("""
    have wear hold carry contain include own possess feature sport show display bear keep use
""")
_NONE = re.compile(r"(?:none|neither|nobody|no one)(?: of (?:\w+ )?\w+)?(?: \w+)?$")
_LONGEST = 6  # words before a phrase that are looked at


def mark_absent(parse: Parse) -> None:
    """Mark the phrases that the prompt says not to be there."""
    for at, phrase in enumerate(parse.phrases):
        if phrase.kind != "object" or not _is_absent(parse, phrase):
            continue
        phrase.kind = "absent"
        phrase.features = NO_FEATURES
        for following in _row_behind(parse, at):
            parse.phrases[following].kind = "absent"


def _is_absent(parse: Parse, phrase: NounPhrase) -> bool:
    first = phrase.first
    is_bound = phrase.count_tokens is not None and phrase.count_tokens[0] == first
    if parse.word(first) == "no" or "missing" in parse.words[first : phrase.head]:
        return not is_bound
    behind = " ".join(parse.words[phrase.stop : phrase.stop + 3])
    following = phrase.stop + (2 if behind.startswith(("is", "are")) else 1)
    missing = _BEHIND.match(behind)
    if missing and (not missing[0].endswith("missing") or following not in parse.by_token):
        return True
    first += parse.word(first) == "not"
    before = " ".join(parse.words[max(0, first - 3) : first])
    sentence = parse.words[parse.doc[phrase.head].sent.start : max(0, first - 1)]
    if before.endswith("without") and {"never", "not", "n't", "no"} & set(sentence):
        return False
    if _BEFORE.search(before) and parse.word(phrase.stop) != "but":
        return not (_DENIED.search(before) and (is_bound or parse.word(first) in _NOT_DENYING))
    if "neither" in (parse.word(phrase.first), parse.word(phrase.first - 1)):
        return parse.word(phrase.stop) == "nor" and not phrase.definite
    noun = parse.doc[phrase.head]
    is_denied = noun.dep_ == "dobj" and noun.head.lemma_ in _HAVING and is_negated(noun.head)
    is_past = noun.dep_ in SUBJECTS and noun.head.lower_ == "used"
    return is_denied or is_past or _is_of_none(parse, phrase)


def _is_of_none(parse: Parse, phrase: NounPhrase) -> bool:
    """Return whether none has it: "neither of them wears gloves"."""
    verb = phrase.first - 1
    if verb < 1 or parse.doc[verb].lemma_ not in _HAVING:
        return False
    return bool(_NONE.search(" ".join(parse.words[max(0, verb - _LONGEST) : verb])))


def _row_behind(parse: Parse, at: int) -> list[int]:
    """Return the phrases that "or" joins to an absent one: "without a shirt, hat or shoes"."""
    row: list[int] = []
    for following in range(at + 1, len(parse.phrases)):
        words = joint(parse, following - 1, following)
        if words not in (",", "or", "nor") or parse.phrases[following].kind == "none":
            return []
        row.append(following)
        if words != ",":
            return row
    return []


def is_negated(token: Token) -> bool:
    """Return whether "not" or the like depends on a word."""
    return any(child.dep_ == "neg" for child in token.children)
