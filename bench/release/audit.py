"""Looks up vulnerabilities of all installed packages: ``python -m bench.release.audit``.

It uses pip-audit and is a part of ``make test-all``.

It fails for a vulnerability that is known and not accepted in
``bench/release/accepted_vulnerabilities.txt``. Where the service that knows them cannot be reached
it says so plainly, and fails only where HALLASCOPE_AUDIT is "required".
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ACCEPTED = Path(__file__).parent / "accepted_vulnerabilities.txt"
COMMAND = (
    "-m",
    "pip_audit",
    "--local",
    "--skip-editable",
    "--format",
    "json",
    "--progress-spinner",
    "off",
    "--timeout",
    "10",
)
PATIENCE = 240  # seconds for all packages
ENOUGH = 0.9  # of the packages have to be known to the service, or it was no audit


class Audit(NamedTuple):
    """Holds the audit's result: packages looked up, those unknown, and what is wrong with which."""

    looked_up: int
    unknown: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def audited(self) -> bool:
        whole = self.looked_up + len(self.unknown)
        return whole > 0 and self.looked_up >= ENOUGH * whole


def accepted(text: str) -> frozenset[str]:
    """Return the accepted vulnerabilities: the first word of each line that is no comment."""
    return frozenset(
        line.split()[0]
        for line in text.splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    )


def read(report: Mapping[str, Any], known: frozenset[str]) -> Audit:
    """What pip-audit's JSON says, without what is accepted by its own name or by an alias."""
    packages = report.get("dependencies") or []
    unknown = tuple(str(one["name"]) for one in packages if "skip_reason" in one)
    found = tuple(
        _sentence(one, fault)
        for one in packages
        for fault in one.get("vulns", ())
        if not known & {str(fault["id"]), *map(str, fault.get("aliases", ()))}
    )
    return Audit(len(packages) - len(unknown), unknown, found)


def _sentence(package: Mapping[str, Any], fault: Mapping[str, Any]) -> str:
    fixes = ", ".join(map(str, fault.get("fix_versions") or ()))
    remedy = f"update it to {fixes}" if fixes else "no version is mended yet"
    return (
        f"{package['name']} {package['version']} has the known vulnerability {fault['id']}:"
        f" {remedy}, or accept it in {ACCEPTED.name}."
    )


def run() -> Audit | str:
    """The audit of this environment, or why there is none."""
    try:
        done = subprocess.run(
            [sys.executable, *COMMAND],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    try:
        return read(json.loads(done.stdout), accepted(ACCEPTED.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError):
        return next(iter(reversed(done.stderr.strip().splitlines())), "no report came")[:200]


def told(audit: Audit | str, required: bool) -> tuple[Sequence[str], int]:
    """What is printed, and the exit code."""
    if isinstance(audit, str):
        why = f"the service that knows vulnerabilities gave no report ({audit})"
    elif audit.found:
        return audit.found, 1
    elif audit.audited:
        left = (
            f", {len(audit.unknown)} not known to the service ({', '.join(audit.unknown)})"
            if audit.unknown
            else ""
        )
        return [f"Audited: {audit.looked_up} packages without a known vulnerability{left}."], 0
    else:
        why = (
            f"the service knows {audit.looked_up} of {audit.looked_up + len(audit.unknown)}"
            " packages"
        )
    return [f"NOT AUDITED: {why}. Run `make audit` where it can be reached."], int(required)


def main() -> int:
    lines, code = told(run(), os.environ.get("HALLASCOPE_AUDIT") == "required")
    print(*lines, sep="\n", file=sys.stderr if code else sys.stdout)
    return code


if __name__ == "__main__":
    sys.exit(main())
