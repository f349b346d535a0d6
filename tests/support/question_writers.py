"""A scripted judge and writer that reason about a molecule and make questions, for tests of the
Questions tab.
"""

import json
from pathlib import Path
from typing import Any

from hallascope.backends.base import CallLimits
from hallascope.data.requests import Answer
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted, serve

PROMPT = "a molecule of methane"
REASONING = "Methane has one carbon atom and four hydrogen atoms around it."
EVIL = "<b onclick='window.hit = 1'>How many</b>"


def looks(ask: Any) -> Any:
    """Of five looks the third is wrong and the fourth not readable.

    A question with choices gets the first.
    """
    if ask.choices:
        return Answer("A")
    if ask.seed == 3:
        return Answer("I cannot say.")
    said = {
        "response": "Weird" if ask.seed == 2 else "Normal",
        "visual_evidence": f"Four atoms, look {ask.seed}.",
        "contextual_evidence": "",
    }
    return Answer(json.dumps(said))


def writes(request: Any) -> Any:
    """A text, or five sets of which the last has no answer; another draw gives other questions."""
    if not request.schema:
        return Answer(REASONING)
    draw = f" in draw {request.seed}" if request.seed else ""
    sets = [
        {
            "coi": coi,
            "question": (
                f"{EVIL if coi == 'counting' else 'Which'} {coi} atoms are in the image{draw}?"
            ),
            "choices": ["Four", "Three", "Two", "One", "None of the above"],
            "answer": "A" if coi != "relation" else "",
        }
        for coi in ("counting", "color", "shape", "size", "relation")
    ]
    return Answer(json.dumps({"sets": sets}))


def writer(latency: float = 0.0) -> Scripted:
    return scripted("scripted/writer", "writer", writes, latency=latency, title="Scripted writer")


def build(folder: Path) -> Services:
    """Services on a folder of their own with a judge and a writer beside the draughtsmen."""
    judge = scripted("primer/judge", "judge", looks, CallLimits(1, 1), title="Scripted judge")
    return serve(Store(folder=folder), judge, writer())
