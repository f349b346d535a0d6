"""The audit of packages: a known vulnerability fails it, what is accepted does not, and no audit is
never taken for a clean one.
"""

import subprocess
from typing import Any

import pytest

from bench.release import audit
from bench.release.audit import Audit, accepted, read, told

FAULT = {
    "id": "PYSEC-2026-1",
    "aliases": ["CVE-2026-1111"],
    "fix_versions": ["1.2"],
    "description": "x",
}
SOUND = [{"name": f"sound{i}", "version": "1", "vulns": []} for i in range(20)]


def report(*more: dict[str, Any]) -> dict[str, Any]:
    return {"dependencies": [*SOUND, *more]}


def test_a_known_vulnerability_fails_with_its_name_and_the_remedy() -> None:
    found = read(report({"name": "bad", "version": "1.1", "vulns": [FAULT]}), frozenset())
    (line,), code = told(found, required=False)
    assert code == 1
    assert line.startswith("bad 1.1 has the known vulnerability PYSEC-2026-1: update it to 1.2")


@pytest.mark.parametrize("name", ["PYSEC-2026-1", "CVE-2026-1111"])
def test_what_is_accepted_by_its_name_or_an_alias_passes(name: str) -> None:
    known = accepted(f"# a reason\n\n{name} bad: only in a tool that is not used\n")
    assert read(report({"name": "bad", "version": "1.1", "vulns": [FAULT]}), known) == Audit(
        21, (), ()
    )


def test_a_few_packages_that_are_not_known_are_named_beside_the_others() -> None:
    (line,), code = told(
        read(report({"name": "own", "skip_reason": "not on PyPI"}), frozenset()), required=True
    )
    assert (line, code) == (
        "Audited: 20 packages without a known vulnerability, 1 not known to the service (own).",
        0,
    )


@pytest.mark.parametrize(
    "nothing",
    [
        read({"dependencies": [{"name": "a", "skip_reason": "404"}]}, frozenset()),
        read({}, frozenset()),
        "down",
    ],
)
def test_no_audit_is_said_to_be_none_and_fails_only_where_one_is_required(
    nothing: Audit | str,
) -> None:
    (line,), code = told(nothing, required=False)
    assert line.startswith("NOT AUDITED: ")
    assert code == 0
    assert told(nothing, required=True)[1] == 1


def test_a_vulnerability_counts_even_where_most_packages_are_not_known() -> None:
    unknown = [{"name": f"x{i}", "skip_reason": "404"} for i in range(90)]
    assert (
        told(
            read(report(*unknown, {"name": "bad", "version": "1", "vulns": [FAULT]}), frozenset()),
            required=False,
        )[1]
        == 1
    )


@pytest.mark.parametrize(
    ("out", "err"),
    [
        ("", "ConnectionError: no net\n"),
        ("not json", ""),
        ("[]", ""),
        ('{"dependencies": [1]}', "x"),
    ],
)
def test_whatever_the_tool_prints_instead_of_a_report_is_no_audit(
    monkeypatch: pytest.MonkeyPatch, out: str, err: str
) -> None:
    monkeypatch.setattr(
        subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 1, out, err)
    )
    assert isinstance(audit.run(), str)
