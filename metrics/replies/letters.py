"""Reads the one letter that a judge's reply names, or none."""

import json
import re
from collections.abc import Iterator, Sequence

from hallascope.data.records import LETTERS, Letter
from hallascope.metrics.replies.choice_marks import boxed
from hallascope.metrics.replies.markup import plain_text, remove_markup, split_answers
from hallascope.metrics.replies.named_answers import read_choice

_THOUGHT = re.compile(
    r"(?:\A|<think(?:ing)?>)(?:(?!<think).)*?</think(?:ing)?>|<think(?:ing)?>.*\Z",
    re.DOTALL | re.IGNORECASE,
)
# What other models put around their thoughts; only here, where a letter is read.
_OTHER_THOUGHT = re.compile(
    r"<(thought|analysis|reasoning)>.*?(?:</\1>|\Z)|\u25c1think\u25b7.*?(?:\u25c1/think\u25b7|\Z)|"
    r"<\|channel\|>(?:analysis|commentary)\b.*?(?:<\|end\|>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
# A reply in the schema that services are sent, which most replies are.
_SCHEMA_REPLY = re.compile(r'\{"answer": ?"([A-E])"\}')
_OTHER_TAGS = re.compile(r"<(?!answer|conclusion)([a-z_]{3,20})>[^<]*</\1>", re.IGNORECASE)
# A field whose words are among these, and one of them among the first, holds an answer.
_ANSWER_WORDS = frozenset(
    re.findall(
        r"\w+",
        "answer choice option letter response output selected selection chosen result prediction"
        " predicted answerchoice answerletter finalanswer correctanswer",
    )
)
_FIELD_WORDS = _ANSWER_WORDS | {"final", "correct", "best", "my", "the", "label", "value", "text"}

_REFUSED = re.compile(
    r"\b(?:sorry|apologi[sz]e|as an ai)\b|\b(?:can(?:no|')t|unable to|won't)"
    r" (?:assist|help|comply|do that)\b",
    re.IGNORECASE,
)


def read_letter(text: str, choices: Sequence[str], question: str = "") -> Letter | None:
    r"""Return the one letter that a reply names, or None where it names none or several.

    Reads ``B``, ``B.``, ``(B)``, ``B) Red``, ``b. Red``, ``Choice: B``, ``B is correct``,
    ``**B**``, ``\boxed{B}``, ``<answer>B</answer>``, JSON ``{"answer": "B"}`` also in a fence, the
    full text of exactly one choice, and "None" for "None of the above". A sentence that begins with
    the article "A" is not choice A. Only letters of the given `choices` (A for the first, at most
    five) are read. Where the `question` is given, a sentence of its words that ends with a choice
    ("The bird is blue.") is read, too. A letter whose words are those of another
    choice ("B) Red" where A is "Red"), and a second letter anywhere in the reply that is not ruled
    out in words, make it unreadable; what a model thinks aloud is no part of its reply. Never
    raises.
    """
    if (schema := _SCHEMA_REPLY.fullmatch(text)) and all(map(_is_word, choices)):
        return next((own for own in LETTERS[: len(choices)] if own == schema[1]), None)
    plain_choices = [remove_markup(plain_text(choice)) for choice in choices]

    def read(part: str) -> Letter | None:
        return read_choice(remove_markup(part), plain_choices, question)

    reply = _OTHER_THOUGHT.sub("\n", strip_thinking(plain_text(text)))
    reply = _OTHER_TAGS.sub("\n", reply).strip() or reply
    parts, around = split_answers(reply)
    if not parts and (answer := _json_answers(reply)):
        parts, around = answer
    for part in parts:
        around = around.replace("\0", boxed(read(part)), 1)
    letter = read_choice(remove_markup(around), plain_choices, question)
    return letter if letter in LETTERS[: len(choices)] else None


def _is_word(choice: str) -> bool:
    """Return whether a choice is surely not the letter of another one, such as "(B)"."""
    return sum(map(str.isalpha, choice)) > 2


def unread_reason(
    text: str,
    lack: str = "The reply names no single choice",
    truncated: bool = False,
    who: str = "judge",
) -> str:
    """Return why nothing can be read in a reply, which has a `lack`, and what to do.

    `who` is the role that gave it.
    """
    if truncated or not strip_thinking(text):
        return (
            f"The reply was cut off before an answer: raise `max_tokens` in the {who}'s settings."
        )
    if _is_refusal(text):
        return f"The {who} refused to answer: choose another {who} (`--{who}`)."
    remedy = f"choose another {who} (`--{who}`), or raise `max_tokens` in its settings."
    return f"{lack}: {remedy}"


def _is_refusal(text: str) -> bool:
    """Return whether a text declines to answer: "I'm sorry, I can't help with that"."""
    return _REFUSED.search(text.replace("\u2019", "'")) is not None


def strip_thinking(text: str) -> str:
    """Return the reply without what a reasoning model puts between ``<think>`` and ``</think>``.

    A thought that does not end takes the rest of the reply.
    """
    return _THOUGHT.sub("", text).strip()


def _json_answers(plain: str) -> tuple[list[str], str] | None:
    """Return what the fields of a JSON object give as the answer, and the text around it.

    There, NUL stands for each. None where there is no such object or field.
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
    return (values, f"{plain[:start]} {chr(0) * len(values)} {plain[end:]}") if values else None


class _Fields(list[tuple[str, object]]):
    """Holds the fields of a JSON object in their order, also one that stands there twice."""


def gives_answer(field: str) -> bool:
    """Return whether a field of that name holds an answer, such as "answer" or "Final Answer"."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", field).casefold())
    return _FIELD_WORDS.issuperset(words) and not _ANSWER_WORDS.isdisjoint(words)


def _answer_values(fields: _Fields) -> Iterator[str]:
    """Yield the values of all fields that give an answer; "" for one that is no text.

    A field that is null gives none.
    """
    for name, value in fields:
        if value is None or not gives_answer(name):
            continue
        item = value[0] if type(value) is list and len(value) == 1 else value
        if isinstance(item, _Fields):
            labels = [text for key, text in item if key in ("label", "letter", "id")]
            yield from list(_answer_values(item)) or map(str, labels or [""])
        elif isinstance(item, int) and not isinstance(item, bool):
            yield str(item)
        else:
            yield item if isinstance(item, str) else ""
