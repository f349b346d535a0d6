"""Who looks at the pictures: a model for each role of FiG, chosen by name, and a second line-up to compare with."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from components.pickers import Option
from data.models import DEFAULTS
from data.requests import Role
from pages.choosing import Wanted, name, preferred

NOBODY = "none"  # the chip that stands for no model
SAME = "same"  # the chip of the second line-up that stands for what the first has
_LABELS: Mapping[Role, str] = {
    "detector": "Detector",
    "segmenter": "Segmenter",
    "captioner": "Captioner",
    "writer": "Caption writer",
    "reader": "Text reader",
}
_WITHOUT: Mapping[Role, Option] = {
    "writer": Option(NOBODY, "The caption of the whole is put together by rule", called="none: by rule"),
    "reader": Option(NOBODY, "What is written is taken from the captions", called="none: from captions"),
}
_AS_ABOVE = Option(SAME, "As in the first line-up", called="the same")


def _wanted(role: Role, second: bool) -> Wanted:
    label = f"Second {_LABELS[role].lower()}" if second else _LABELS[role]
    before = (*([_AS_ABOVE] if second else []), *([_WITHOUT[role]] if role in _WITHOUT else []))
    return Wanted(role, label, "radio", preferred, tuple(filter(None, [DEFAULTS.get(role)])), before)


FIRST = tuple(_wanted(role, second=False) for role in _LABELS)
SECOND = tuple(_wanted(role, second=True) for role in _LABELS)
Lineup = Mapping[Role, str | None]  # None: nobody, or what the engine takes where nobody chooses


class Choices(NamedTuple):
    """What the controls hold, role by role: the model that is named, SAME or NOBODY; None where nothing can be chosen."""

    first: Mapping[Role, str | None]
    second: Mapping[Role, str | None]

    @classmethod
    def read(cls, values: Sequence[object]) -> "Choices":
        """From the values of the controls in their order: chips and words of each role of the first line-up, then of the second."""
        named = [name(picked, other) for picked, other in zip(values[::2], values[1::2], strict=True)]  # type: ignore[arg-type]
        roles = tuple(_LABELS)
        return cls(dict(zip(roles, named, strict=False)), dict(zip(roles, named[len(roles) :], strict=True)))


def lineups(said: Choices) -> tuple[Lineup, ...]:
    """The line-ups that look: the first, and the second where it differs."""
    first = {role: _model(model) for role, model in said.first.items()}
    second = {role: first[role] if model in (SAME, None) else _model(model) for role, model in said.second.items()}
    return (first,) if first == second else (first, second)


def _model(model: str | None) -> str | None:
    return None if model == NOBODY else model
