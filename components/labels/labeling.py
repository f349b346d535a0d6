"""Makes the panel in which images are labeled: a component whose value is the work."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import ServerFunction, input_html
from hallascope.components.html.markup import file_url, join, tag
from hallascope.data.files.label_folder import MARKS, Label, LabelItem, picture

SaveResult = dict[str, str]  # {} where it is kept, else {"wrong": a sentence}


_DESK = Markup("""<div class="desk" hidden><section class="shown" aria-label="Image">\
<h2 class="number"></h2><p class="meant"></p><div class="sight"><img alt="">\
<div class="references"></div></div><p class="why"></p><div class="moves">{buttons}</div>\
<p class="tally"><progress aria-label="Labeled"></progress><span class="done"></span>\
<span class="forecast"></span></p><p class="told" role="status"></p>
<details class="keys"><summary>Keys<kbd aria-hidden="true">?</kbd></summary><dl>{keys}</dl>\
</details></section><section class="questions" aria-label="Questions"></section></div>""")
_BUTTON = Markup("""<button type="button" class="{kind}" data-command="{kind}"\
 aria-keyshortcuts="{key}">{words}<kbd aria-hidden="true">{key}</kbd></button>""")
_KEY = Markup("<div><dt>{keys}</dt><dd>{meaning}</dd></div>")
_LIST = ("unfinished", "Next unfinished", "F")
_QUEUE = ("skip", "Skip", "S")
# the keys of a line and what they do; the last key that answers is written by the script
_KEYS: tuple[tuple[str, str], ...] = (
    ("1 to N", "Answer the marked question"),
    ("U or Backspace", "Take back the last answer"),
    ("← and →", "Open the previous or the next image"),
    ("↑ and ↓", "Mark the question above or below"),
    ("?", "Show or hide this list"),
)


def labeling_panel(save: Callable[..., SaveResult], elem_id: str) -> gr.HTML:
    """Return the panel for a list of images.

    Its value is `labeling_work`; every answer goes to `save` at once, with all answers to its image
    so far. `removed` are the numbers of the questions, from 0 on, whose answers are taken back.
    """
    return _panel([save], _LIST, ("F", "Open the next unfinished image"), elem_id)


def queue_panel(functions: list[ServerFunction], elem_id: str) -> gr.HTML:
    """Return the panel for a queue, which hands out one image after the other.

    Its value is `labeling_work` of one image, or of none where nothing is left, with "queue": how
    many images this person finished ("done") and has left, and "soon": the addresses of images that
    may follow, which the browser loads meanwhile. Of the functions, `step` gets what was done with
    an image, {action: "keep", "skip" or "undo", id, answers, who}, and returns the next as "item"
    (None where none is left) with both, or {"wrong": a sentence}. `forecast`, which may be missing,
    gets `who` after each image, and returns {"words": how sure the result is by now}.
    """
    return _panel(functions, _QUEUE, ("S or 0", "Skip the image"), elem_id)


def _panel(
    functions: list[ServerFunction],
    onward: tuple[str, str, str],
    onward_key: tuple[str, str],
    elem_id: str,
) -> gr.HTML:
    buttons = (("previous", "Previous", "P"), ("next", "Next", "N"), onward, ("undo", "Undo", "U"))
    lines = (_KEYS[0], onward_key, *_KEYS[1:])
    body = _DESK.format(
        buttons=join(
            *(_BUTTON.format(kind=kind, words=words, key=key) for kind, words, key in buttons)
        ),
        keys=join(*(_KEY.format(keys=_kbd(keys), meaning=meaning) for keys, meaning in lines)),
    )
    return input_html(
        "labels/labeling",
        body,
        None,
        {"marks": MARKS},
        server_functions=functions,
        elem_id=elem_id,
    )


def _kbd(keys: str) -> Markup:
    """Return keys as such, and the words between them."""
    words = (
        word
        if word in ("to", "or", "and")
        else tag("kbd", word, class_="last" if word == "N" else None)
        for word in keys.split()
    )
    return Markup(" ").join(words)


def question_fields(
    text: str, choices: Iterable[str], marks: Sequence[str] = (), judged: str | None = None
) -> dict[str, Any]:
    """Return a question of the panel.

    `marks`: what its choices are called, and last that it cannot be told (none: A to E and "?").
    `judged`: the mark that a judge gave, where the person is to see it.
    """
    return {"text": text, "choices": [*choices], "marks": [*marks] or None, "judged": judged}


def task_fields(
    id: str,
    name: str,
    path: Path,
    questions: Iterable[Mapping[str, Any]],
    caption: str = "",
    why: str = "",
    references: Iterable[tuple[str, Path]] = (),
) -> dict[str, Any]:
    """Return an image with its questions.

    `name` is what people call it; `caption` is what it was to show, and `why` is why it comes now,
    both "" where they must not know. `references` are images that it is held against, by name.
    """
    return {
        "id": id,
        "name": name,
        "picture": file_url(path.resolve()),
        "caption": caption,
        "why": why,
        "references": [
            {"name": other, "picture": file_url(place.resolve())} for other, place in references
        ],
        "questions": [*questions],
    }


def labeling_work(
    tasks: Sequence[Mapping[str, Any]],
    answers: Sequence[Sequence[str | None]],
    who: Mapping[str, str],
) -> dict[str, Any]:
    """Return the work on any pictures; `who` comes back with every answer.

    It opens at the first picture that is not finished.
    """
    return {
        "items": [*tasks],
        "answers": [list(of_task) for of_task in answers],
        "at": max(0, _first_unfinished(answers)),
        "who": dict(who),
    }


def folder_work(
    folder: Path, items: Sequence[LabelItem], labels: Mapping[str, Label]
) -> dict[str, Any]:
    """Return the work on all pictures of a folder, with the labels so far.

    Neither the prompt nor the gold is in it.
    """
    tasks = [
        task_fields(
            item.id,
            item.id,
            picture(folder, item.id),
            (question_fields(question.text, question.choices) for question in item.questions),
        )
        for item in items
    ]
    answers = [
        labels[item.id].answers if item.id in labels else [None] * len(item.questions)
        for item in items
    ]
    return labeling_work(tasks, answers, {})


def _first_unfinished(answers: Sequence[Sequence[str | None]]) -> int:
    """Return the index of the first picture with an open question, else of the last picture."""
    return next((i for i, of_task in enumerate(answers) if None in of_task), len(answers) - 1)
