"""Makes sure, before a run buys its first image, that it can be judged and paid for."""

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Ask, Failure, Request, Write
from hallascope.engine.errors import NoQuestions
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget, OverBudget
from hallascope.engine.money.likely_costs import CostEstimate
from hallascope.engine.money.spending import money, unconfirmed_note
from hallascope.engine.run.driver import AnyPlan, Driver
from hallascope.engine.run.driver_events import PlanResult
from hallascope.engine.run.preparation import PreparedRun

NOTHING_BOUGHT = "No image was bought."
_WORDS = "Reply with the word yes."
_QUESTION = "Is this an image? A) Yes B) No"


def require_judging(prepared: PreparedRun) -> None:
    """Raise NoQuestions where a metric that was asked for has no questions to judge by."""
    request = prepared.request
    if request.judge and request.metrics and prepared.notice and not prepared.questions:
        raise NoQuestions(f"{prepared.notice} {NOTHING_BOUGHT}")


def require_money(estimate: CostEstimate, budget: Budget) -> None:
    """Raise OverBudget where a run is likely to cost more than is left of its budget or the day's.

    What it costs that is not known does not count.
    """
    accounts = (
        (budget.spent, budget.unconfirmed, budget.cap, "a run"),
        (budget.spent_today, budget.unconfirmed_today, budget.day_cap, "a day"),
    )
    for spent, unconfirmed, cap, what in accounts:
        rest = max(0.0, cap - spent)
        if estimate.amount > rest:
            note = unconfirmed_note(spent, unconfirmed, cap)
            raise OverBudget(
                f"The run is likely to cost {money(estimate.amount)}, and {money(rest)} is left of"
                f" the budget of {money(cap)} for {what}{note}: raise the budget, or ask for fewer"
                f" images. {NOTHING_BOUGHT}"
            )


def require_answers(
    models: Sequence[tuple[ModelSpec, BoundModel]], budget: Budget, stop: threading.Event | None
) -> None:
    """Ask each model for a word, paid from the budget; raise Unavailable where one does not answer.

    Judges and captioners are shown a small image.
    """
    with TemporaryDirectory(prefix="hallascope-") as folder:
        image = _small_image(Path(folder))
        driver = Driver(stop=stop, budget=budget)
        for spec, bound in models:
            request = _first_request(spec, image)
            driver.add(spec.title, _plan(request), {request.role: bound})
        for event in driver.events():
            if isinstance(event, PlanResult) and isinstance(event.result, Failure):
                raise Unavailable(f"{event.result.message} {NOTHING_BOUGHT}")


def _first_request(spec: ModelSpec, image: Picture) -> Request:
    if spec.fills("judge"):
        # with choices, so that all is negotiated that its questions need
        return Ask(images=(image,), text=_QUESTION, question=_QUESTION, choices=("Yes", "No"))
    return Write(_WORDS)


def _plan(request: Request) -> AnyPlan:
    replies = yield [request]
    return replies[0]


def _small_image(folder: Path) -> Picture:
    from PIL import Image

    path = folder / "white.png"
    Image.new("RGB", (64, 64), "white").save(path)
    return Picture(hashlib.sha256(path.read_bytes()).hexdigest(), path)
