"""Builds what the Evaluate tab begins with: rounds of "Which of these is not ...".

They come from files that ship. No model is called, and nothing of it is a run.
"""

from functools import lru_cache
from typing import Any

import gradio as gr

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import still
from hallascope.components.teach.odd_one_out import opening, round_view, rounds_panel
from hallascope.data.teaching.odd_one_out import FOLDER, BadRounds, OddOneOutSet, read_rounds

NO_ROUND = "There is no such round: reload the page."


def build() -> gr.HTML:
    """Return the panel with its first round; one sentence where the files are missing."""
    try:
        rounds = read_rounds()
        return rounds_panel(opening(rounds, FOLDER), more, "odd-one-out")
    except (BadRounds, OSError) as error:
        return still(status.error_message(str(error)), elem_id="odd-one-out")


def more(number: Any) -> dict[str, Any]:
    """Return a round by its number, from 0; a sentence under "wrong" where there is none."""
    rounds = _rounds().rounds
    if not isinstance(number, int) or not 0 <= number < len(rounds):
        return {"wrong": NO_ROUND}
    return round_view(rounds[number], FOLDER)


@lru_cache(maxsize=1)
def _rounds() -> OddOneOutSet:
    return read_rounds()
