"""Reads and writes counts as files of readings have them: 3, "at least 3", "many"."""

import re

from hallascope.data.prompt_reading import MANY, Count

_COUNT = re.compile(r"(?:(at least|at most|about) )?(\d{1,9})")
_RANGE = re.compile(r"(about )?(\d{1,9}) to (\d{1,9})")
_MANY_WORD = "many"
_BOUNDS = {
    None: Count.exactly,
    "at least": Count.at_least,
    "at most": Count.at_most,
    "about": Count.approximately,
}


def read_count(written: int | str | None) -> Count | None:
    """Return the count of 3, "at least 3", "at most 2", "3 to 9", "about 12" or "many".

    None has none. Raises ValueError for anything else.
    """
    if written is None:
        return None
    if written == _MANY_WORD:
        return MANY
    text = str(written)
    if between := _RANGE.fullmatch(text):
        least, most = int(between[2]), int(between[3])
        if least <= most:
            return Count(least=least, most=most, approximate=bool(between[1]))
    elif match := _COUNT.fullmatch(text):
        return _BOUNDS[match[1]](int(match[2]))
    raise ValueError(
        f"{written!r} is no count: write a number, 'at least 3', 'at most 2', '3 to 9', 'about 12'"
        " or 'many'."
    )


def write_count(count: Count) -> int | str:
    """Return a count as it is written; `read_count` reads the same again.

    "About at least 3" alone becomes "at least 3".
    """
    if count == MANY:
        return _MANY_WORD
    if count.exact is not None:
        return count.exact
    if count.most is None:
        return f"at least {count.least}"
    if count.least == 0 and not count.approximate:
        return f"at most {count.most}"
    if not count.approximate:
        return f"{count.least} to {count.most}"
    number = (count.least + count.most) // 2
    if Count.approximately(number) == count:
        return f"about {number}"
    return f"about {count.least} to {count.most}"
