"""The desk at which pictures are labelled: a component whose value is the work.

It keeps no label and knows no judge and no gold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr

from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import file_url
from hallascope.data.files.label_folder import MARKS, Label, LabelItem, picture

SaveResult = dict[str, str]  # {} where it is kept, else {"wrong": a sentence}


def labeling_panel(save: Callable[[dict[str, Any]], SaveResult], elem_id: str) -> gr.HTML:
    """The desk.

    Its value is `work`; every answer goes to `save` at once, with all answers to its picture so
    far.
    """
    return holder(
        "people/labelling",
        '<div class="desk"></div>',
        None,
        marks=list(MARKS),
        server_functions=[save],
        elem_id=elem_id,
    )


def work(folder: Path, items: Sequence[LabelItem], labels: Mapping[str, Label]) -> dict[str, Any]:
    """Return all pictures with questions and labels, and which to open: the first unfinished.

    It is the last where all are finished.

    Neither the prompt nor the gold is in it.
    """
    answers = [
        list(labels[item.id].answers) if item.id in labels else [None] * len(item.questions)
        for item in items
    ]
    at = next((n for n, given in enumerate(answers) if None in given), len(items) - 1)
    return {"items": [_item_fields(folder, item) for item in items], "answers": answers, "at": at}


@dataclass(frozen=True)
class LabelingQuestion:
    """A question of the desk.

    `marks`: what its choices are called, and last that it cannot be told (none: A to E and "?").

    `judged`: the mark that a judge gave, where the person is to see it.
    """

    text: str
    choices: tuple[str, ...]
    marks: tuple[str, ...] = ()
    judged: str | None = None


@dataclass(frozen=True)
class LabelingTask:
    """A picture with its questions.

    `name` is what people call it; `caption` is what it was to show, "" where they must not know.
    """

    id: str
    name: str
    path: Path
    questions: tuple[LabelingQuestion, ...]
    caption: str = ""


def sheets(
    found: Sequence[LabelingTask], answers: Sequence[Sequence[str | None]], who: Mapping[str, str]
) -> dict[str, Any]:
    """The same of any pictures; `who` comes back with every answer.

    Opens at the first picture that is not finished.
    """
    at = next((n for n, given in enumerate(answers) if None in given), max(0, len(found) - 1))
    return {
        "items": [_sheet(one) for one in found],
        "answers": [list(given) for given in answers],
        "at": at,
        "who": dict(who),
    }


def _sheet(one: LabelingTask) -> dict[str, Any]:
    questions = [
        {
            "text": q.text,
            "choices": list(q.choices),
            "marks": list(q.marks) or None,
            "judged": q.judged,
        }
        for q in one.questions
    ]
    return {
        "id": one.id,
        "name": one.name,
        "picture": file_url(one.path.resolve()),
        "caption": one.caption,
        "questions": questions,
    }


def _item_fields(folder: Path, item: LabelItem) -> dict[str, Any]:
    questions = [
        {"text": question.text, "choices": list(question.choices)} for question in item.questions
    ]
    return {
        "id": item.id,
        "picture": file_url(picture(folder, item.id).resolve()),
        "questions": questions,
    }
