"""A judge that answers three of a prompt's five questions right, one wrong and one not at all."""

from pathlib import Path

from hallascope.backends.base import CallLimits
from hallascope.data.requests import Ask
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from tests.support.scripted_models import scripted, serve

JUDGE = "scripted/judge"
PROMPT = "a gentoo penguin"


def services(folder: Path) -> Services:
    """Return services with the judge, whose scores of `PROMPT` drawn right are 0.75."""
    return serve(Store(folder=folder), scripted(JUDGE, "judge", _reply, CallLimits(1, 1)))


def _reply(request: Ask) -> str:
    questions = scenes.parse(PROMPT).questions().questions
    place = [question.text for question in questions].index(request.question)
    gold = questions[place].gold
    wrong = "A" if gold == "B" else "B"
    return (gold, gold, gold, wrong, "What a lovely image.")[place]
