"""Draws the attention checks of a labeling plan: images whose true answers are known."""

import math

from hallascope.engine.events import EvaluateRequest, Pictured
from hallascope.engine.images.true_answers import true_answers
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import AttentionCheck
from hallascope.primer import scenes

MOST_CHECKS = 20
# The first draws what is true; of the other most facts are wrong, or whoever always gives the
# expected answer would pass.
DRAUGHTSMEN = ("primer/exact", "primer/careless")
_FIRST_SEED = 1_000_000  # far from the seeds of images that are judged


def make_checks(
    services: Services, images: int, attention_every: int, seed: int
) -> tuple[AttentionCheck, ...]:
    """Draw as many checks as a rater meets who labels so many images, at most 20.

    Raises what `Services.evaluate` raises.
    """
    if not attention_every:
        return ()
    wanted = min(MOST_CHECKS, math.ceil(images / (attention_every - 1)))
    checks: list[AttentionCheck] = []
    for number, prompt in enumerate(scenes.benchmark(5 * MOST_CHECKS)):
        if len(checks) == wanted:
            break
        model = DRAUGHTSMEN[len(checks) % len(DRAUGHTSMEN)]
        check = _draw_check(services, prompt, model, _FIRST_SEED + seed + number)
        if check:
            checks.append(check)
    return tuple(checks)


def _draw_check(services: Services, prompt: str, model: str, seed: int) -> AttentionCheck | None:
    """Return a drawing with its true answers, None where one of them is not known."""
    request = EvaluateRequest(prompt=prompt, models=(model,), judge=None, seed=seed)
    questions = scenes.parse(prompt).questions().questions
    for event in services.evaluate(request):
        if not isinstance(event, Pictured) or not event.shot.image:
            continue
        answers = true_answers(services.store, event.shot.image, prompt, questions, people=False)
        letters = tuple(answer.letter for answer in answers if answer and answer.letter)
        if len(letters) == len(questions):
            item = f"{event.run}:{event.shot.generation}"
            return AttentionCheck(item=item, questions=questions, answers=letters)
    return None
