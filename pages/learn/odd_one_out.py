"""Builds the rounds of "Which of these is not ...".

They come from files that ship. No model is called, and nothing of it is a run.
"""

from functools import lru_cache
from typing import Any

import gradio as gr

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import static_html
from hallascope.components.learn.odd_one_out import round_view, rounds_panel
from hallascope.data.teaching.judged_image import BadTeachingData
from hallascope.data.teaching.odd_one_out import FOLDER, OddOneOutSet, read_rounds

NO_ROUND = "There is no such round: reload the page."


def build() -> gr.HTML:
    """Return the panel of the rounds; one sentence where the files are missing."""
    try:
        return rounds_panel(len(read_rounds().rounds), more, "odd-one-out")
    except (BadTeachingData, OSError) as error:
        return static_html(status.error_message(error), elem_id="odd-one-out")


def more(number: Any) -> dict[str, Any]:
    """Return a round by its number, from 0, and then the end; a sentence under "wrong" else."""
    rounds = _rounds()
    if not isinstance(number, int) or not 0 <= number <= len(rounds.rounds):
        return {"wrong": NO_ROUND}
    return round_view(rounds, number, FOLDER)


@lru_cache(maxsize=1)
def _rounds() -> OddOneOutSet:
    return read_rounds()
