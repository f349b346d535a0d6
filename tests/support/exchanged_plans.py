"""A plan with labels of two raters in one store, and another store that has nothing yet."""

from pathlib import Path
from typing import Any

from hallascope.engine.labeling import queue
from hallascope.engine.labeling.plans import Design, LabelingPlan, create_plan
from tests.support.labeling_store import judge_image

MODELS = ("m/one", "m/two")
PROMPTS = 16
IMAGES = PROMPTS * len(MODELS)
SECRET_NAME = "Ann Person"
OTHER_NAME = "Bo"
RECORDS = 39  # of both raters


def build_labeled(folder: Path, design: Design = "random") -> tuple[Any, LabelingPlan]:
    """Services with a plan of 16 prompts by two models, of which two raters labeled a part.

    The judge is wrong about every third prompt of the second model; one image is skipped.
    """
    from tests.conftest import build as scripted

    services = scripted(folder)
    for number in range(PROMPTS):
        for model in MODELS:
            wrong = model == MODELS[1] and number % 3 == 0
            judge_image(
                services.store,
                f"prompt {number}",
                model,
                ("B", "A") if wrong else ("A", "A"),
                run=f"run{number}",
                probability=0.5 + number / 40,
            )
    plan = create_plan(services, design=design, raters_per_image=2, title="=study", seed=3)
    label_images(services, plan, SECRET_NAME, 30)
    label_images(services, plan, OTHER_NAME, 9)
    return services, plan


def label_images(services: Any, plan: LabelingPlan, rater: str, images: int) -> None:
    """Label images as they come; every fifth is skipped, every fourth cannot be told."""
    for number in range(images):
        item = queue.next_image(services, plan, rater)
        if item is None:
            break
        if number % 5 == 4:
            queue.skip(services, plan, item.rateable.id, rater)
            continue
        marks = ("A", "?") if number % 4 == 3 else ("A", "B" if number % 3 else "A")
        queue.keep(services, plan, item.rateable.id, marks, rater)
