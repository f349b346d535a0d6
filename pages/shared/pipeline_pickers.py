"""Lets a person choose a model for each role of a metric, and a second line-up to compare.

Models are chosen by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hallascope.components.models.pickers import Option
from hallascope.data.models.specs import DEFAULTS
from hallascope.data.requests import Role
from hallascope.pages.shared.model_picker import PickerSpec, name, preferred

NOBODY = "none"  # the chip that stands for no model
SAME = "same"  # the chip of the second line-up that stands for what the first has
# whom no person chose; it has no place among the defaults, since a run may do without a judge
JUDGE = "primer/judge"
_LABELS: Mapping[Role, str] = {
    "detector": "Detector",
    "segmenter": "Segmenter",
    "captioner": "Captioner",
    "writer": "Caption writer",
    "reader": "Text reader",
    "judge": "Judge",
}
_AS_ABOVE = Option(SAME, "As in the first line-up", called="the same")
LineupChoice = Mapping[
    Role, str | None
]  # None: nobody, or what the engine takes where nobody chooses


class RolePicker(NamedTuple):
    """A role that people fill; `without` stands for nobody, where the metric can do without.

    `label` where it has a name of its own.
    """

    role: Role
    without: Option | None = None
    label: str = ""


def first_pickers(posts: Sequence[RolePicker]) -> tuple[PickerSpec, ...]:
    """What is to be chosen for the first line-up, a role each."""
    return tuple(_picker_spec(post, second=False) for post in posts)


def second_pickers(posts: Sequence[RolePicker]) -> tuple[PickerSpec, ...]:
    """The same for the second, which is like the first where nothing else is chosen."""
    return tuple(_picker_spec(post, second=True) for post in posts)


def _picker_spec(post: RolePicker, second: bool) -> PickerSpec:
    called = post.label or _LABELS[post.role]
    label = f"Second {called.lower()}" if second else called
    before = tuple(filter(None, (_AS_ABOVE if second else None, post.without)))
    default = JUDGE if post.role == "judge" else DEFAULTS.get(post.role)
    return PickerSpec(
        role=post.role,
        label=label,
        sort="radio",
        prefer=preferred,
        models=(default,) if default else (),
        before=before,
    )


class PickerValues(NamedTuple):
    """What the controls hold, role by role: the model that is named, SAME or NOBODY.

    None where nothing can be chosen.
    """

    first: Mapping[Role, str | None]
    second: Mapping[Role, str | None]

    @classmethod
    def from_values(cls, values: Sequence[Any], roles: Sequence[Role]) -> "PickerValues":
        """Return the line-ups from the values of the controls in their order.

        They are chips and words of each role of the first, then of the second.
        """
        named = [
            name(picked, other) for picked, other in zip(values[::2], values[1::2], strict=True)
        ]
        return cls(
            dict(zip(roles, named, strict=False)),
            dict(zip(roles, named[len(roles) :], strict=True)),
        )


def chosen_lineups(said: PickerValues) -> tuple[LineupChoice, ...]:
    """The line-ups that look: the first, and the second where it differs."""
    first = {role: _model(model) for role, model in said.first.items()}
    second = {
        role: first[role] if model in (SAME, None) else _model(model)
        for role, model in said.second.items()
    }
    return (first,) if first == second else (first, second)


def _model(model: str | None) -> str | None:
    return None if model == NOBODY else model
