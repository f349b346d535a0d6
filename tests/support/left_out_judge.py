"""A judge that answers three of a prompt's five questions right, one wrong and one not at all."""

from pathlib import Path

from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Ask
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes

JUDGE = "scripted/judge"
PROMPT = "a gentoo penguin"


def services(folder: Path) -> Services:
    """Return services with the judge, whose scores of `PROMPT` drawn right are 0.75."""
    spec = ModelSpec(id=JUDGE, title="Judge", roles=("judge",), backend="scripted")
    judge = Scripted(spec, _reply, limits=CallLimits(1, 1))
    return Services(Store(folder=folder), read_models(), {JUDGE: judge})


def _reply(request: Ask) -> str:
    questions = scenes.parse(PROMPT).questions().questions
    place = [question.text for question in questions].index(request.question)
    gold = questions[place].gold
    wrong = "A" if gold == "B" else "B"
    return (gold, gold, gold, wrong, "What a lovely image.")[place]
