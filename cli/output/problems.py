"""Prints what is wrong in files: grouped by kind, and in full in a file where it is too much."""

from collections.abc import Iterable
from tempfile import NamedTemporaryFile

from hallascope.data.files.problem_groups import group_problems


def problem_lines(problems: Iterable[object], what: str = "") -> str:
    """Return lines for people, "" where nothing is wrong; `what` stands before each problem.

    Where some are counted only, all of them are written to a file, whose path is the last line.
    """
    every = list(map(str, problems))
    lines = group_problems(every)
    if sorted(lines) != sorted(every):
        with NamedTemporaryFile(
            "w", prefix="hallascope-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write("".join(f"{line}\n" for line in every))
        lines.append(f"All {len(every):,} are listed in {file.name}")
    return "\n".join(f"{what}{line}" for line in lines)
