"""Draws and judges images of Primer's prompts, and labels them by a plan as people would."""

import itertools
import time
from collections.abc import Sequence

from hallascope.engine.events import EvaluateRequest
from hallascope.engine.images.true_answers import true_answers
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.labeling.queue import keep, next_image
from hallascope.engine.ratings import Rateable
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan, LabelingStore
from hallascope.primer import scenes

TITLE = "first study"
MODELS = ("primer/careful", "primer/careless")
SECONDS = 2.5  # from one step of a rater to the next


def draw_plan(services: Services, prompts: int) -> LabelingPlan:
    """Draw and judge prompts of Primer by two models, and return a plan to label the images."""
    for prompt in scenes.benchmark(prompts):
        for _ in services.evaluate(EvaluateRequest(prompt=prompt, models=MODELS)):
            pass
    return create_plan(services, raters_per_image=2, title=TITLE)


def label_images(
    services: Services, plan: LabelingPlan, rater: str, images: int, wrong_every: int = 0
) -> None:
    """Label images as they were drawn, a step every SECONDS.

    One answer to every so many images (0: to none) is "none of the above" in place of the truth.
    """
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


def true_marks(services: Services, rateable: Rateable) -> Sequence[str]:
    """Return the letters of what was drawn, "?" where it is not known."""
    answers = true_answers(
        services.store,
        rateable.picture.sha256,
        rateable.prompt,
        rateable.questions,
        people=False,
    )
    return [(answer.letter if answer else None) or "?" for answer in answers]
