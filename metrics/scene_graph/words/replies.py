"""Reads a judge's choice of one word, a writer's questions and its answers, for scene-graph QA."""

import re
from collections.abc import Iterable, Mapping, Sequence

from hallascope.data.files.tidy import line
from hallascope.data.graphs import AnswerValue
from hallascope.data.records import CANNOT_TELL, LETTERS
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import read_letter, strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema
from hallascope.metrics.scene_graph.words.attributes import normal

_LONGEST = 300  # characters of a question
_DENIAL = re.compile(r"\b(?:not?|neither|nor|never|cannot)\b|n['\u2019]t\b")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_ANSWERS: Mapping[str, AnswerValue] = {
    "yes": "yes",
    "true": "yes",
    "no": "no",
    "false": "no",
    "unknown": "unknown",
}


def answer_schema(*values: str) -> Mapping[str, object]:
    """Return the JSON schema of an answer that is one of the values."""
    return object_schema(answer={"type": "string", "enum": list(values)})


QUESTIONS = object_schema(questions=array_of(TEXT))
ANSWER = answer_schema("yes", "no", "unknown")


def read_word_choice(text: str, choices: Sequence[str]) -> str | None:
    """Return the one choice that a reply names.

    CANNOT_TELL where it says that it cannot tell, None where nothing or several can be read.

    A choice is named by itself, in JSON, or by its words in a sentence that denies nothing; words
    that say the same count ("circular" for "round"). Yes and no are read as letters' choices are.
    """
    reply = _plain(_answer_text(text))
    if reply == _plain(CANNOT_TELL):
        return CANNOT_TELL
    by_words = {_plain(option): option for option in choices}
    for words in (reply, normal(reply)):
        if words in by_words:
            return by_words[words]
    if {"yes", "no"} <= set(by_words):
        letter = read_letter(text, choices)
        return choices[LETTERS.index(letter)] if letter else None
    mentioned = [] if _DENIAL.search(reply) else _mentioned_choices(reply, by_words)
    return by_words[mentioned[0]] if len(mentioned) == 1 else None


def _mentioned_choices(reply: str, choices: Iterable[str]) -> list[str]:
    """Return the choices whose words stand in a reply, the longest first, none in another.

    "Light blue" is no "blue".
    """
    rest = " ".join(normal(word) for word in _WORD.findall(reply))
    mentioned = []
    for option in sorted(choices, key=len, reverse=True):
        pattern = rf"(?<![\w-]){re.escape(option)}(?![\w-])"
        if re.search(pattern, rest):
            mentioned.append(option)
            rest = re.sub(pattern, " ", rest)
    return mentioned


def questions(text: str, count: int | None = None) -> tuple[str, ...] | None:
    """Return questions as a writer phrased them.

    None where they are not so many as `count` (None: any number), or one is empty.
    """
    for item in structured.objects(strip_thinking(text), ("questions",)):
        texts = item.fields.get("questions")
        if not isinstance(texts, list) or count not in (None, len(texts)):
            continue
        if all(isinstance(question, str) and line(question) for question in texts):
            return tuple(line(question)[:_LONGEST] for question in texts)
    return None


def answer(text: str) -> AnswerValue | None:
    """Return yes, no or unknown; None where a writer says something else."""
    return _ANSWERS.get(_plain(_answer_text(text)))


def _answer_text(text: str) -> str:
    """Return what stands in JSON as the answer, else the whole reply."""
    plain = strip_thinking(text)
    for item in structured.objects(plain, ("answer",)):
        value = item.fields.get("answer")
        if isinstance(value, str):
            return value
    return plain


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?*_\"'`()")
