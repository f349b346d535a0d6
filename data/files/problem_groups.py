"""Groups long lists of what is wrong in files by kind, with the first examples of each."""

import re
from collections.abc import Iterable

_EXAMPLES = 3  # problems that are shown of a kind
_KINDS = 12  # kinds that are shown
# what differs between problems of one kind: quoted values and numbers
_VALUE = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\d+""")


def group_problems(problems: Iterable[object]) -> list[str]:
    """Return a line for each of the first problems of each kind, then how many more there are.

    A problem is written as "place: what is wrong". Two are of one kind where they are the same but
    for places, numbers and quoted values.
    """
    kinds: dict[str, list[str]] = {}
    for line in map(str, problems):
        _, colon, problem = line.partition(": ")
        kinds.setdefault(_VALUE.sub("", problem if colon else line), []).append(line)
    lines: list[str] = []
    for members in list(kinds.values())[:_KINDS]:
        lines += members[:_EXAMPLES]
        if len(members) > _EXAMPLES:
            lines.append(f"and {len(members) - _EXAMPLES:,} more of this kind")
    if others := list(kinds.values())[_KINDS:]:
        lines.append(f"and {sum(map(len, others)):,} more of {len(others):,} other kinds")
    return lines
