"""Reads the one letter that a judge's reply names, or none."""

import json
import re
from collections.abc import Iterator, Sequence

from hallascope.data.records import LETTERS, Letter
from hallascope.metrics.replies.markup import plain_text, remove_markup, split_answers
from hallascope.metrics.replies.named_answers import (
    ChoiceTexts,
    choice_texts,
    contradicts,
    drop_enumeration,
    lone_letter,
    marked_answers,
    named_answers,
    named_letters,
    stated_letter,
)

_THOUGHT = re.compile(
    r"(?:\A|<think(?:ing)?>)(?:(?!<think).)*?</think(?:ing)?>|<think(?:ing)?>.*\Z",
    re.DOTALL | re.IGNORECASE,
)
# What other models put around their thoughts; only here, where a letter is read.
_OTHER_THOUGHT = re.compile(
    r"<(thought|analysis|reasoning)>.*?(?:</\1>|\Z)|\u25c1think\u25b7.*?(?:\u25c1/think\u25b7|\Z)",
    re.DOTALL | re.IGNORECASE,
)
# Without underscores and spaces, in small letters.
_ANSWER_FIELDS = frozenset(
    {"answer", "choice", "option", "letter", "response", "output", "selected", "selection"}
    | {"result", "prediction", "finalanswer", "correctanswer", "correctoption", "correctchoice"}
    | {"selectedoption", "selectedchoice", "selectedanswer", "answerchoice", "chosenoption"}
    | {"answerletter"}
)


def read_letter(text: str, choices: Sequence[str], question: str = "") -> Letter | None:
    r"""Return the one letter that a reply names, or None where it names none or several.

    Reads ``B``, ``B.``, ``(B)``, ``B) Red``, ``b. Red``, ``Choice: B``, ``B is correct``,
    ``**B**``, ``\boxed{B}``, ``<answer>B</answer>``, JSON ``{"answer": "B"}`` also in a fence, the
    full text of exactly one choice, and "None" for "None of the above". A sentence that begins with
    the article "A" is not choice A. Only letters of the given `choices` (A for the first, at most
    five) are read. Where the `question` is given, a sentence of its words that ends with a choice
    ("The bird is blue.") is read, too. Our reading: a letter whose words are those of another
    choice ("B) Red" where A is "Red"), and a second letter anywhere in the reply that is not ruled
    out in words, make it unreadable; what a model thinks aloud is no part of its reply. Never
    raises.
    """
    reply = _OTHER_THOUGHT.sub("\n", strip_thinking(text.replace("\0", " ")))
    texts = choice_texts([remove_markup(choice) for choice in choices])
    parts, around = split_answers(reply)
    if parts:
        letters = {_read_plain(remove_markup(part), texts, question) for part in parts}
        letter = letters.pop() if len(letters) == 1 else None
        if letter and _speaks_against(remove_markup(around), letter, texts):
            return None
    else:
        letter = _read_unboxed(reply, texts, question)
    return letter if letter in LETTERS[: len(choices)] else None


def strip_thinking(text: str) -> str:
    """Return the reply without what a reasoning model puts between ``<think>`` and ``</think>``.

    A thought that does not end takes the rest of the reply.
    """
    return _THOUGHT.sub("", text).strip()


def _read_unboxed(reply: str, texts: ChoiceTexts, question: str) -> Letter | None:
    """Return the letter of a JSON object in the reply, else of the whole reply."""
    answer = _json_answers(plain_text(reply))
    if answer is None:
        return _read_plain(remove_markup(reply), texts, question)
    values, surroundings = answer
    letters = {_read_plain(remove_markup(value), texts, question) for value in values}
    letter = letters.pop() if len(letters) == 1 else None
    return None if letter and named_letters(surroundings) - {letter} else letter


def _json_answers(plain: str) -> tuple[list[str], str] | None:
    """Return what the fields of a JSON object give as the answer, and the text around it.

    None where there is no such object or field.
    """
    start = plain.find("{")
    end = plain.rfind("}") + 1
    if not 0 <= start < end:
        return None
    try:
        pairs = json.loads(plain[start:end], object_pairs_hook=_Fields)
    except (ValueError, RecursionError):
        return None
    values = list(_answer_values(pairs)) if isinstance(pairs, _Fields) else []
    return (values, f"{plain[:start]} {plain[end:]}") if values else None


class _Fields(list[tuple[str, object]]):
    """Holds the fields of a JSON object in their order, also one that stands there twice."""


def gives_answer(field: str) -> bool:
    """Return whether a field of that name holds an answer, such as "answer" or "Final Answer"."""
    return re.sub(r"[\W_]", "", field.casefold()) in _ANSWER_FIELDS


def _answer_values(fields: _Fields) -> Iterator[str]:
    """Yield the values of all fields that give an answer; "" for one that is no text.

    A field that is null gives none.
    """
    for name, value in fields:
        if value is None or not gives_answer(name):
            continue
        item = value[0] if type(value) is list and len(value) == 1 else value
        if isinstance(item, _Fields):
            yield from list(_answer_values(item)) or [""]
        elif isinstance(item, int) and not isinstance(item, bool):
            yield str(item)
        else:
            yield item if isinstance(item, str) else ""


def _read_plain(plain: str, texts: ChoiceTexts, question: str) -> Letter | None:
    """Return the letter of a text without markup."""
    if lone := lone_letter(plain):
        return lone
    equal = texts.equal(plain)
    if equal:
        return equal[0] if len(equal) == 1 else None
    text = drop_enumeration(plain)
    answers = named_answers(text, texts)
    if not answers:
        return stated_letter(text, texts, question)
    letters = {answer.letter for answer in answers}
    letter = letters.pop() if len(letters) == 1 else None
    return None if letter is None or contradicts(text, answers, letter, texts) else letter


def _speaks_against(around: str, letter: Letter, texts: ChoiceTexts) -> bool:
    """Return whether the text around a marked answer says that another choice is the answer."""
    text = drop_enumeration(around)
    answers = [*marked_answers(text, letter), *named_answers(text, texts)]
    if any(answer.letter != letter for answer in answers):
        return True
    return contradicts(text, answers, letter, texts)
