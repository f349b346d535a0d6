"""Shows the rounds of "Which of these is not ...": a guess, then the truth and the judge.

`odd_one_out.js` plays the rounds; this module gives it what stands in a round.
"""

import base64
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import holder
from hallascope.data.teaching.odd_one_out import (
    FLAGGED,
    OddOneOutRound,
    OddOneOutSet,
    RoundImage,
    judge_word,
)

# what the browser calls with the number of a round, from 0, and gets the round for
RoundFunction = Callable[[int], dict[str, Any]]
BODY = Markup(
    '<section class="rounds" aria-label="Which of these is not as it should be?"></section>'
)
_SAYS: Mapping[str | None, str] = {
    "found": "The judge found this error.",
    "missed": "The judge missed this error.",
    "false alarm": "This is a false alarm: nothing is wrong here.",
    "not asked": "The judge is not asked about this.",
    None: "",
}


def rounds_panel(first: dict[str, Any], more: RoundFunction, elem_id: str) -> gr.HTML:
    """Return the panel.

    It begins with what `opening` gives; in the browser `more` is called by its name, `more`.
    """
    return holder(
        "teach/odd_one_out", BODY, None, first=first, server_functions=[more], elem_id=elem_id
    )


def opening(rounds: OddOneOutSet, folder: Path) -> dict[str, Any]:
    """Return what the panel begins with: the solved example and the first round.

    `folder` is the one that the images lie in.
    """
    return {
        "judge": rounds.judge,
        "total": len(rounds.rounds),
        "sensitivity": rounds.sensitivity,
        "specificity": rounds.specificity,
        "example": round_view(rounds.example, folder),
        "round": round_view(rounds.rounds[0], folder),
    }


def round_view(game_round: OddOneOutRound, folder: Path) -> dict[str, Any]:
    """Return a round as the browser shows it, its images included."""
    return {
        "name": game_round.name,
        "odd": game_round.odd,
        "judge": game_round.judge_choice,
        "question": game_round.question,
        "shown": game_round.shown,
        "expected": game_round.expected,
        "why": game_round.why,
        "outline": game_round.outline,
        "images": [
            {
                "source": image_source(folder / image.file),
                "correct": image.correct,
                "answered": image.answered,
                "marks": image_marks(game_round, image),
            }
            for image in game_round.images
        ],
    }


def image_marks(game_round: OddOneOutRound, image: RoundImage) -> list[dict[str, Any]]:
    """Return what truth and judge say of every fact of an image, with the words to read out.

    `wrong`: the image is drawn otherwise than the fact says; `flagged`: the judge says so, None
    where it is not asked or gave no answer; `word`: how the judge did, None where nothing is wrong.
    """
    marks = []
    for number, fact in enumerate(game_round.facts):
        word = judge_word(game_round, image, number)
        flagged = None
        judge_text = "The judge is not asked about this."
        if fact.asked:
            answer = image.answers[number]
            if answer.state in FLAGGED or answer.state == "correct":
                flagged = answer.state in FLAGGED
            judge_text = (
                f"The judge answers: {answer.text}. {_SAYS[word]}".strip()
                if answer.text
                else f"The judge gives no answer. {_SAYS[word]}".strip()
            )
        marks.append(
            {
                "wrong": game_round.is_wrong(image, number),
                "flagged": flagged,
                "word": word,
                "truth": f"{fact.question} Drawn: {image.truth[number]}. "
                f"Expected: {fact.expected}.",
                "answer": f"{fact.question} {judge_text}",
            }
        )
    return marks


def image_source(file: Path) -> str:
    """Return an address that holds a whole WebP file: a few kB, and no request of its own."""
    return f"data:image/webp;base64,{base64.b64encode(file.read_bytes()).decode()}"
