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
        words = "missing" if value is None else repr(value)[:60]
        raise BadRequest(f"The {called} is {words}: give a whole number from {low:,} to {high:,}.")
    return int(value)
