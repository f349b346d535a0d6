"""Numbers as a request needs them, from what the fields of a page hold."""

from hallascope.engine.errors import BadRequest


def parse_whole(value: float | None, called: str, low: int, high: int) -> int:
    """The whole number in a field.

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
