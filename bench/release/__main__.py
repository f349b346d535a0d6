"""Asks whether everything is so that a release needs: ``make release-check``.

One line a check, with yes or no and what to do. Exit code 0 where all answers are yes, 1 where one
is no, 2 for a name that is no check.
"""

import argparse
import sys
from collections.abc import Sequence

from bench.release.checks import CHECKS, ReleaseCheck


def ask(checks: Sequence[ReleaseCheck]) -> int:
    """Print the answer of each check as it comes; return the exit code."""
    answers = []
    for check in checks:
        fault = " ".join(check.find_fault().split())
        print(
            f"{'no ' if fault else 'yes'}  {check.name:<12} {check.question} {fault}".rstrip(),
            flush=True,
        )
        answers.append(not fault)
    print(f"{sum(answers)} of {len(answers)} are as a release needs them.")
    return 0 if all(answers) else 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.release")
    parser.add_argument("--list", action="store_true", help="print the checks, and ask none")
    parser.add_argument("--only", default="", help="these checks, separated by commas")
    parser.add_argument(
        "--skip-tests", action="store_true", help="where `make test-all` passed at this commit"
    )
    options = parser.parse_args(arguments)
    if options.list:
        print(*(f"{check.name:<12} {check.question}" for check in CHECKS), sep="\n")
        return 0
    names = [check.name for check in CHECKS]
    wanted = [name.strip() for name in options.only.split(",") if name.strip()] or names
    if unknown := [name for name in wanted if name not in names]:
        print(f"{unknown[0]!r} is no check: choose of {', '.join(names)}.", file=sys.stderr)
        return 2
    skipped = {"tests"} if options.skip_tests else set()
    return ask([check for check in CHECKS if check.name in wanted and check.name not in skipped])


if __name__ == "__main__":
    sys.exit(main())
