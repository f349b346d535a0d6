"""A scripted judge and writer that reason about a molecule and make questions, for tests of the
Questions tab.
"""

import json
from pathlib import Path
from typing import Any

PROMPT = "a molecule of methane"
REASONING = "Methane has one carbon atom and four hydrogen atoms around it."
EVIL = "<b onclick='window.hit = 1'>How many</b>"


def looks(ask: Any) -> Any:
    """Of five looks the third is wrong and the fourth not readable.

    A question with choices gets the first.
    """
    from hallascope.data.requests import Answer

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
    from hallascope.data.requests import Answer

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


def build(folder: Path, **options: Any) -> Any:
    """Services on a folder of their own with a scripted primer/judge and scripted/writer beside the
    draughtsmen.
    """
    from hallascope.backends.base import CallLimits
    from hallascope.backends.scripted import Scripted
    from hallascope.data.models.specs import ModelSpec, read_models
    from hallascope.engine.services import Services
    from hallascope.engine.storage.store import Store

    judge = Scripted(
        ModelSpec(id="primer/judge", title="Scripted judge", roles=("judge",), backend="scripted"),
        looks,
        limits=CallLimits(1, 1),
        **options,
    )
    writer = Scripted(
        ModelSpec(
            id="scripted/writer", title="Scripted writer", roles=("writer",), backend="scripted"
        ),
        writes,
        **options,
    )
    return Services(Store(folder=folder), read_models(), {b.spec.id: b for b in (judge, writer)})
