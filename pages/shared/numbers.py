"""Reads numbers from the fields of a page."""

from hallascope.engine.errors import BadRequest


def parse_whole(value: float | None, called: str, low: int, high: int) -> int:
    """Return the whole number in a field.

    Raises BadRequest with one sentence where it is none from `low` to `high`.
    """
    if (
        not isinstance(value, int | float)
        or not float(value).is_integer()
        or not low <= value <= high
    ):
        raise BadRequest(
            f"The {called} is {_value_text(value)}: give a whole number from {low:,} to {high:,}."
        )
    return int(value)


def _value_text(value: object) -> str:
    return "missing" if value is None else repr(value)[:60]
