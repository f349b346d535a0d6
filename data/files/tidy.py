"""Cleans texts and questions before they are saved: on one line, whole, without odd signs."""

import re
import unicodedata
from dataclasses import replace
from typing import get_args

from hallascope.data.files import cells
from hallascope.data.files.sheets import is_error
from hallascope.data.records import (
    COIS,
    DOMAINS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    Difficulty,
    Provenance,
    Question,
    QuestionSet,
)

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")  # how Excel writes a character that it cannot keep
_NO_TEXT = ("Cc", "Cs")  # control characters and halves of surrogate pairs


def line(text: str) -> str:
    """Return the text on one line, white space collapsed, without what no file can keep."""
    return " ".join(_clean_characters(text).split())


def paragraphs(text: str) -> str:
    """Return the text with white space collapsed in each line, and single empty lines.

    Between two lines there is at most one empty line.
    """
    lines = [" ".join(part.split()) for part in _clean_characters(text, "\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _clean_characters(text: str, breaks: str = "") -> str:
    while _ESCAPE.search(text):
        text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    if text.isprintable() and text.isascii():
        return text  # nothing to clean; a table of a million cells is mostly such cells
    text = unicodedata.normalize("NFC", text)  # names out of a Mac's archives are in pieces
    if breaks:
        text = "\n".join(text.splitlines())
    return "".join(
        " "
        if sign != breaks and (unicodedata.category(sign) in _NO_TEXT or sign in "\ufffe\uffff")
        else sign
        for sign in text
    )


def tidy(question: Question) -> Question:
    """Return the question as it is saved: texts on one line, choices without letters.

    Raises ValueError with one sentence where it cannot stand: something is empty, there are not
    five choices or two are the same, the fifth is not "None of the above", the gold is none of the
    letters, the composition of interest is unknown.
    """
    text = line(question.text)
    if not text:
        raise cells.UnreadableCell("the question is empty: write it, or drop the question")
    if is_error(text):
        raise cells.UnreadableCell(f"the question is the Excel error {text}: write it again")
    is_shorter = question.choices and cells.is_none_of_the_above(question.choices[-1])
    if len(question.choices) != len(LETTERS) and not is_shorter:
        raise cells.UnreadableCell(
            f"the question has {len(question.choices)} choices: give five, the last of them"
            f" {NONE_OF_THE_ABOVE!r}"
        )
    choices = cells.split_choices([line(choice) for choice in question.choices])
    if question.gold not in LETTERS[: len(choices)]:
        raise cells.UnreadableCell(
            f"the right answer {question.gold!r} is none of A to E: choose one"
        )
    if question.coi not in COIS:
        raise cells.UnreadableCell(
            f"the composition of interest {question.coi!r} is none of {', '.join(COIS)}: choose one"
        )
    regions = tuple(filter(None, map(line, question.regions)))
    return replace(
        question, text=text, choices=choices, regions=regions, origin=line(question.origin)
    )


def tidy_set(question_set: QuestionSet) -> QuestionSet:
    """Return the set as saved: tidy questions, none twice, and clean paragraphs of reasoning.

    The prompt is on one line.

    Raises ValueError with one sentence that names the question where it cannot stand.
    """
    prompt = line(question_set.prompt)
    if not prompt or is_error(prompt):
        raise cells.UnreadableCell("the questions have no prompt: say what the image should show")
    if not question_set.questions:
        raise cells.UnreadableCell(
            f"there is no question for the prompt {prompt!r}: write at least one"
        )
    if question_set.domain not in (None, *DOMAINS):
        raise cells.UnreadableCell(
            f"the domain {question_set.domain!r} is none of {', '.join(DOMAINS)}"
        )
    category = question_set.category
    if category and question_set.field not in (None, category.field):
        raise cells.UnreadableCell(
            f"the category {category.value!r} is of {category.field} and not of"
            f" {question_set.field}: change one of them"
        )
    questions = []
    for number, question in enumerate(question_set.questions, 1):
        try:
            questions.append(tidy(question))
        except cells.UnreadableCell as problem:
            raise cells.UnreadableCell(f"question {number}: {problem}") from None
    texts = [question.text for question in questions]
    for number, text in enumerate(texts, 1):
        if text in texts[: number - 1]:
            raise cells.UnreadableCell(f"question {number} stands there twice: drop or change one")
    return replace(
        question_set,
        prompt=prompt,
        questions=tuple(questions),
        source=line(question_set.source),
        provenance=_provenance(question_set.provenance),
    )


def _provenance(provenance: Provenance | None) -> Provenance | None:
    """Return the clean provenance, None where nothing is said."""
    if provenance is None:
        return None
    clean = Provenance(
        judge=line(provenance.judge),
        writer=line(provenance.writer),
        reasoning=paragraphs(provenance.reasoning),
        templates={
            line(name): line(text)
            for name, text in provenance.templates.items()
            if line(name) and line(text)
        },
        difficulty={
            line(name): level
            for name, level in provenance.difficulty.items()
            if line(name) and level in get_args(Difficulty)
        },
        made=line(provenance.made),
    )
    return None if clean == Provenance() else clean
