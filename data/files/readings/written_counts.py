"""Reads and writes counts as files of readings have them: 3, "at least 3", "many"."""

import re

from hallascope.data.prompt_reading import MANY, Count

_COUNT = re.compile(r"(?:(at least|at most|about) )?(\d{1,9})(?: to (\d{1,9}))?")
_MANY_WORD = "many"


def read_count(written: int | str | None) -> Count | None:
    """Return the count of 3, "at least 3", "at most 2", "3 to 9", "about 12" or "many".

    None has none. Raises ValueError for anything else.
    """
    if written is None:
        return None
    if written == _MANY_WORD:
        return MANY
    match = _COUNT.fullmatch(str(written))
    if match is None:
        raise ValueError(f"{written!r} is no count")
    bound, number = match[1], int(match[2])
    if match[3]:
        if bound in ("at least", "at most"):
            raise ValueError(f"{written!r} is no count")
        return Count(least=number, most=int(match[3]), approximate=bound == "about")
    if bound == "at least":
        return Count.at_least(number)
    if bound == "at most":
        return Count.at_most(number)
    return Count.approximately(number) if bound else Count.exactly(number)


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
