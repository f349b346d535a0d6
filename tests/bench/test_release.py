"""What a release needs is checked: changelog, licenses, locks, SBOM, image and wheel; each fault is
one sentence, and no audit is never taken for a clean one.
"""

import hashlib
import io
import itertools
import json
import re
import tarfile
from collections.abc import Callable
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

from bench.release import checks, lock
from bench.release.__main__ import ask, main
from bench.release.audit import Audit, accepted, read, told
from bench.release.changelog import changelog_faults
from bench.release.checks import CHECKS, ReleaseCheck, api_fault, public_names, secrets_fault
from bench.release.licenses import (
    THIRD_PARTY,
    find_faults,
    is_allowed,
    license_of,
    read_policy,
    write_texts,
)
from bench.release.lock import LOCKS, STATED, differing_locks
from bench.release.sbom import NAME, ROOT, RUNTIME_LOCK, read_lock, shipped_packages, write_sbom
from bench.release.wheel import content_faults, digest, normalize

POLICY = read_policy()
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
GOOD = """# Changelog

## [Unreleased]

### Added

- One.

## [0.1.0] - 2026-11-23

### Added

- Two.
"""


# --- the checklist


def test_the_checklist_answers_yes_or_no_with_what_to_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    good = ReleaseCheck("one", "Is it so?", lambda: "")
    bad = ReleaseCheck("two", "And this?", lambda: "Do\nthat.")
    assert (ask([good]), ask([good, bad])) == (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[3] == "no   two          And this? Do that."
    assert main(["--only", "lock,luck"]) == 2
    assert "'luck' is no check" in capsys.readouterr().err
    assert main(["--list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [check.name for check in CHECKS]


@pytest.mark.full
def test_what_a_release_took_from_the_library_must_be_noted() -> None:
    assert api_fault(public_names()) == ""
    gone = api_fault(["judge_everything(images)", *public_names()])
    assert gone == "Note in CHANGELOG.md what changed of judge_everything."


def test_a_key_in_a_file_is_found_and_an_example_in_the_docs_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("postgresql://USER:PASSWORD@HOST/NAME")
    (tmp_path / "b.md").write_text("token " + "hf_" + "a" * 30)
    assert secrets_fault(tmp_path, ["a.md"]) == ""
    assert secrets_fault(tmp_path, ["a.md", "b.md"]).startswith("b.md holds what looks like a key")


def test_a_version_that_differs_somewhere_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.version_fault() == ""
    monkeypatch.setattr(checks, "project_version", lambda: "9.9.9")
    assert "CITATION.cff says 0.1.0" in checks.version_fault()
    assert "[9.9.9]" in checks.changelog_fault()


def test_the_changelog_has_its_form_and_every_fault_of_the_form_is_found() -> None:
    assert changelog_faults(CHANGELOG) == []
    assert changelog_faults(GOOD) == []
    newer = "\n## [0.2.0] - 2026-11-24\n\n### Fixed\n\n- Three.\n"
    for before, after, words in (
        ("## [Unreleased]", "## Unreleased", "heading"),
        ("- 2026-11-23", "- 2026-13-23", "date"),
        (" - 2026-11-23", "", "date"),
        ("### Added", "### New", "New"),
        ("- Two.\n", "", "no entry"),
        ("- Two.\n", f"- Two.\n{newer}", "newest first"),
        ("## [Unreleased]\n\n### Added\n\n- One.\n\n", "", "Unreleased"),
    ):
        faults = changelog_faults(GOOD.replace(before, after))
        assert any(words in fault for fault in faults), (before, after, faults)


# --- packages: audit, licenses, locks, SBOM


def test_a_known_vulnerability_fails_unless_it_is_accepted() -> None:
    fault = {"id": "PYSEC-2026-1", "aliases": ["CVE-2026-1111"], "fix_versions": ["1.2"]}
    bad = {"name": "bad", "version": "1.1", "vulns": [fault]}
    sound = [{"name": f"sound{i}", "version": "1", "vulns": []} for i in range(20)]
    report = {"dependencies": [*sound, bad, {"name": "own", "skip_reason": "not on PyPI"}]}
    (line,), code = told(read(report, frozenset()), required=False)
    assert code == 1
    assert line.startswith("bad 1.1 has the known vulnerability PYSEC-2026-1: update it to 1.2")
    for name in ("PYSEC-2026-1", "CVE-2026-1111"):
        known = accepted(f"# a reason\n\n{name} bad: only in a tool that is not used\n")
        assert read(report, known) == Audit(21, ("own",), ())
        assert told(read(report, known), required=True)[1] == 0


@pytest.mark.parametrize(
    "nothing", [read({"dependencies": [{"name": "a", "skip_reason": "404"}]}, frozenset()), "down"]
)
def test_no_audit_is_said_to_be_none_and_fails_only_where_one_is_required(
    nothing: Audit | str,
) -> None:
    (line,), code = told(nothing, required=False)
    assert line.startswith("NOT AUDITED: ")
    assert (code, told(nothing, required=True)[1]) == (0, 1)


def package(folder: Path, line: str) -> Distribution:
    """A package `sample` 1.0 with this line of metadata."""
    info = folder / "sample-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: sample\nVersion: 1.0\n{line}\n")
    return PathDistribution(info)


@pytest.mark.full
def test_licenses_are_read_from_metadata_of_every_age_and_unknown_ones_are_faults(
    tmp_path: Path,
) -> None:
    expected = {
        "License-Expression: MIT OR Apache-2.0": "MIT OR Apache-2.0",
        "License: Apache 2.0": "Apache-2.0",
        "Classifier: License :: OSI Approved :: MIT License": "MIT",
        "License: BSD": None,
    }
    packages = [package(tmp_path / str(n), line) for n, line in enumerate(expected)]
    assert [license_of(one, POLICY) for one in packages] == list(expected.values())
    (unknown,) = find_faults(packages, POLICY)
    assert unknown.startswith("The license of sample 1.0 is not known")
    forbidden = package(tmp_path / "other", "License-Expression: AGPL-3.0-only")
    (refused,) = find_faults([forbidden], POLICY)
    assert refused.startswith("sample 1.0 is under AGPL-3.0-only, which licenses.yaml does not")


def test_an_expression_is_allowed_where_allowed_licenses_meet_it() -> None:
    expected = {
        "MIT": True,
        "GPL-3.0-only": False,
        "MIT OR GPL-3.0-only": True,
        "MIT AND GPL-3.0-only": False,
        "Apache-2.0 WITH LLVM-exception": True,
        "no license at all": False,
    }
    assert {text: is_allowed(text, POLICY.allowed) for text in expected} == expected


@pytest.mark.full
def test_what_ships_is_allowed_and_the_file_of_licenses_is_current(tmp_path: Path) -> None:
    assert find_faults(shipped_packages(), POLICY) == []
    write_texts(tmp_path / THIRD_PARTY, (), POLICY)
    text = (tmp_path / THIRD_PARTY).read_text("utf-8")
    assert text == (ROOT / THIRD_PARTY).read_text("utf-8"), "run `make sbom`"


def test_what_is_installed_with_the_wheel_is_what_is_tested() -> None:
    tested, runtime = (
        {one.name: (one.version, one.hashes) for one in read_lock((ROOT / file).read_text("utf-8"))}
        for file in ("requirements.lock", RUNTIME_LOCK)
    )
    assert {name: tested.get(name) for name in runtime} == runtime
    assert not {"pytest", "mypy", "ruff", "playwright"} & set(runtime)


def test_a_lock_out_of_step_or_not_reproducible_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = itertools.count()
    for name in (*STATED, *(one.file for one in LOCKS)):
        (tmp_path / name).write_text("old")
    for make, expected in (
        (lambda: "old", []),
        (lambda: "new", [f"{one.file} `make lock`" for one in LOCKS]),
        (lambda: str(next(runs)), ["Two runs"]),
    ):

        def write(folder: Path, make: Callable[[], str] = make) -> None:
            for one in LOCKS:
                (folder / one.file).write_text(make())

        monkeypatch.setattr(lock, "write_locks", write)
        said = " ".join(differing_locks(tmp_path))
        assert all(word in said for words in expected for word in words.split())
        assert bool(said) == bool(expected)


@pytest.mark.full
def test_the_sbom_has_locked_packages_and_works_with_hashes_the_same_each_time() -> None:
    text = write_sbom(shipped_packages(), POLICY)
    assert write_sbom(shipped_packages(), POLICY) == text
    components = json.loads(text)["components"]
    packages = {one.get("purl"): one for one in components}
    locked = [one for one in read_lock((ROOT / RUNTIME_LOCK).read_text("utf-8")) if one.applies]
    assert len(locked) > 100
    for one in locked:
        component = packages[f"pkg:pypi/{one.name}@{one.version}"]
        (reference,) = component["externalReferences"]
        assert {found["content"] for found in reference["hashes"]} == set(one.hashes) != set()
        assert component["licenses"]
    (judge,) = (one for one in components if one["name"] == "primer/judge")
    for file in judge["components"]:
        content = (ROOT / file["name"]).read_bytes()
        assert file["hashes"][0]["content"] == hashlib.sha256(content).hexdigest()


# --- what is built


def test_the_image_has_no_root_a_health_check_and_packages_by_their_hashes() -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    last = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER (\d+):\1$", last, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK ", last, re.MULTILINE)
    assert "apt-get" not in text, "a compiler could come along"
    assert "--no-index" in text
    assert "--require-hashes --requirement requirements-runtime.lock" in text


def test_a_wheel_has_the_files_of_the_rooms_and_no_others() -> None:
    files = (f"sboms/{NAME}", "licenses/LICENSE", "licenses/THIRD_PARTY_LICENSES")
    info = [f"hallascope-1.dist-info/{name}" for name in files]
    tracked = ["data/a.csv", "hallascope/api.py", "tests/test_a.py", "bench/b.py", "app.py"]
    right = ["hallascope/data/a.csv", "hallascope/api.py", *info]
    assert content_faults(right, tracked) == []
    assert content_faults(right[1:], tracked) == ["The wheel lacks hallascope/data/a.csv."]
    (fault,) = content_faults([*right, "tests/test_a.py"], tracked)
    assert fault.startswith("The wheel has tests/test_a.py")
    assert "sboms" in content_faults(right[:2] + info[1:], tracked)[0]


def test_archives_of_the_same_files_are_the_same_bytes(tmp_path: Path) -> None:
    archives = [tmp_path / "one.tar.gz", tmp_path / "other.tar.gz"]
    for file, names, moment in zip(archives, ("ab", "ba"), (1, 2), strict=True):
        with tarfile.open(file, "w:gz") as out:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size, member.mtime = 3, moment
                out.addfile(member, io.BytesIO(b"abc"))
    assert digest(archives[0]) != digest(archives[1])
    for file in archives:
        normalize(file, 1_700_000_000)
    assert digest(archives[0]) == digest(archives[1])
