"""Lets a person choose a model for each role of a metric, and a second line-up to compare."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hallascope.components.models.pickers import Option
from hallascope.data.models.specs import DEFAULTS
from hallascope.data.requests import Role
from hallascope.pages.shared.model_picker import PickerSpec, name, prefer_wanted

NOBODY = "none"  # the chip that stands for no model
SAME = "same"  # the chip of the second line-up that stands for what the first has
# whom no person chose; it has no place among the defaults, since a run may do without a judge
JUDGE = "primer/judge"
_LABELS: Mapping[Role, str] = {
    "detector": "Detector",
    "segmenter": "Segmenter",
    "captioner": "Captioner",
    "writer": "Caption writer",
    "parser": "Parser of the prompt",
    "reader": "Text reader",
    "judge": "Judge",
}
_AS_ABOVE = Option(SAME, "Same as in the first configuration", called="the same")
# None: nobody, or the default of the engine
LineupChoice = Mapping[Role, str | None]


class RolePicker(NamedTuple):
    """Describes a role that people fill; `without` leaves it empty, where the metric allows that.

    `label` overrides the name of the role.
    """

    role: Role
    without: Option | None = None
    label: str = ""


def first_pickers(roles: Sequence[RolePicker]) -> tuple[PickerSpec, ...]:
    """Return the pickers of the first line-up, one a role."""
    return tuple(_picker_spec(role, second=False) for role in roles)


def second_pickers(roles: Sequence[RolePicker]) -> tuple[PickerSpec, ...]:
    """Return the pickers of the second line-up, which is like the first by default."""
    return tuple(_picker_spec(role, second=True) for role in roles)


def _picker_spec(role: RolePicker, second: bool) -> PickerSpec:
    name_of_role = role.label or _LABELS[role.role]
    label = f"Second {name_of_role.lower()}" if second else name_of_role
    before = tuple(filter(None, (_AS_ABOVE if second else None, role.without)))
    default = JUDGE if role.role == "judge" else DEFAULTS.get(role.role)
    return PickerSpec(
        role=role.role,
        label=label,
        sort="radio",
        prefer=prefer_wanted,
        models=(default,) if default else (),
        before=before,
    )


class PickerValues(NamedTuple):
    """Holds the values of the pickers by role: the name of a model, SAME or NOBODY.

    None where nothing can be chosen.
    """

    first: Mapping[Role, str | None]
    second: Mapping[Role, str | None]

    @classmethod
    def from_values(cls, values: Sequence[Any], roles: Sequence[Role]) -> "PickerValues":
        """Return the line-ups from the values of the controls in their order.

        They are chips and typed names of each role of the first, then of the second.
        """
        named = [
            name(picked, other) for picked, other in zip(values[::2], values[1::2], strict=True)
        ]
        return cls(
            dict(zip(roles, named, strict=False)),
            dict(zip(roles, named[len(roles) :], strict=True)),
        )


def chosen_lineups(values: PickerValues) -> tuple[LineupChoice, ...]:
    """Return the first line-up, and the second where it differs."""
    first = {role: _model(model) for role, model in values.first.items()}
    second = {
        role: first[role] if model in (SAME, None) else _model(model)
        for role, model in values.second.items()
    }
    return (first,) if first == second else (first, second)


def _model(model: str | None) -> str | None:
    return None if model == NOBODY else model
