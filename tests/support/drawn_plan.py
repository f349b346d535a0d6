"""Services whose store has drawings of many prompts that a script judged, and a plan to label them.

One rater, Bo, has labeled part of the plan: as it was drawn.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

TITLE = "first study"
MODELS = ("primer/careful", "primer/careless")
PROMPTS = 12
LABELED = 22  # images that Bo has labeled


def build(folder: Path, **options: Any) -> Any:
    """Services on a folder of their own; their judge always says A."""
    from hallascope.data.requests import Answer
    from tests.conftest import build as scripted

    services = scripted(folder, lambda ask: Answer("A"), **options)
    fill(services, PROMPTS, LABELED)
    return services


def fill(services: Any, prompts: int, labeled: int, attention_every: int = 0) -> Any:
    """Draw and judge prompts of Primer by two models; return the plan, of which Bo labels part."""
    from hallascope.engine.events import EvaluateRequest
    from hallascope.engine.labeling.plans import create_plan
    from hallascope.engine.labeling.queue import keep, next_image
    from hallascope.primer import scenes

    for prompt in scenes.benchmark(prompts):
        for _ in services.evaluate(EvaluateRequest(prompt=prompt, models=MODELS)):
            pass
    plan = create_plan(services, raters_per_image=2, attention_every=attention_every, title=TITLE)
    for _ in range(labeled):
        item = next_image(services, plan, "Bo")
        if item is None:
            break
        keep(services, plan, item.rateable.id, true_marks(services, item.rateable), "Bo")
    return plan


def true_marks(services: Any, rateable: Any) -> Sequence[str]:
    """The letters of what was drawn, "?" where it is not known."""
    from hallascope.engine.images.true_answers import true_answers

    answers = true_answers(
        services.store,
        rateable.picture.sha256,
        rateable.prompt,
        rateable.questions,
        people=False,
    )
    return [(answer.letter if answer else None) or "?" for answer in answers]
