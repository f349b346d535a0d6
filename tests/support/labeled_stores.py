"""Services on stores of which people have labeled a part."""

from pathlib import Path
from typing import Any

from tests.support import drawn_plan, labeled_board

PROMPTS = 12  # of the drawn plan
LABELED = 22  # images of the drawn plan that Bo has labeled


def build_board(folder: Path, **options: Any) -> Any:
    """Services with answers of a judge and of people about images of six models."""
    from tests.conftest import build as scripted

    services = scripted(folder, **options)
    if not services.store.runs():
        labeled_board.fill(services.store)
    return services


def build_plan(folder: Path, **options: Any) -> Any:
    """Services with drawings of two models and a plan to label them; their judge always says A."""
    from hallascope.data.requests import Answer
    from tests.conftest import build as scripted

    services = scripted(folder, lambda ask: Answer("A"), **options)
    plan = drawn_plan.draw_plan(services, PROMPTS)
    drawn_plan.label_images(services, plan, "Bo", LABELED)
    return services
