"""Services whose store has drawings of many prompts by two models that were judged, and a plan to
label them, of which two raters have labeled a part.
"""

import itertools
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TITLE = "first study"
MODELS = ("primer/careful", "primer/careless")
PROMPTS = 12
LABELED = 22  # images that Bo has labeled
SECONDS = 2.5  # from one step of a rater to the next


def build(folder: Path, **options: Any) -> Any:
    """Services on a folder of their own; their judge always says A."""
    from hallascope.data.requests import Answer
    from tests.conftest import build as scripted

    services = scripted(folder, lambda ask: Answer("A"), **options)
    label_images(services, draw_plan(services, PROMPTS), "Bo", LABELED)
    return services


def draw_plan(services: Any, prompts: int, attention_every: int = 0) -> Any:
    """Draw and judge prompts of Primer by two models, and return a plan to label the images."""
    from hallascope.engine.events import EvaluateRequest
    from hallascope.engine.labeling.plans import create_plan
    from hallascope.primer import scenes

    for prompt in scenes.benchmark(prompts):
        for _ in services.evaluate(EvaluateRequest(prompt=prompt, models=MODELS)):
            pass
    return create_plan(services, raters_per_image=2, attention_every=attention_every, title=TITLE)


def label_images(services: Any, plan: Any, rater: str, images: int, wrong_every: int = 0) -> None:
    """Label images as they were drawn, a step every SECONDS.

    One answer to every so many images (0: to none) is "none of the above" in place of the truth.
    """
    from hallascope.engine.labeling.queue import keep, next_image
    from hallascope.engine.storage.people.labeling import LabelingStore

    usual = services.store.labeling
    clock = itertools.count(time.time() - 2 * SECONDS * images, SECONDS)
    services.store.labeling = LabelingStore(services.store.database, lambda: next(clock))
    for number in range(images):
        item = next_image(services, plan, rater)
        if item is None:
            break
        marks = list(true_marks(services, item.rateable))
        if wrong_every and number % wrong_every == 0:
            marks[number % len(marks)] = "E"
        keep(services, plan, item.rateable.id, marks, rater)
    services.store.labeling = usual


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
