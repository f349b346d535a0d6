"""The changelog has the form of Keep a Changelog 1.1: versions and kinds, newest first."""

import re

from packaging.version import Version

from bench.release.changelog import KINDS, changelog_faults, read_changelog
from tests.conftest import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
GOOD = """# Changelog

## [Unreleased]

### Added

- One.

## [0.1.0] - 2026-11-23

### Added

- Two.
"""


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    assert changelog_faults(TEXT) == []
    releases = read_changelog(TEXT)
    assert releases[0].version == "Unreleased"
    assert "0.1.0" in [release.version for release in releases]
    assert all(set(release.kinds) <= set(KINDS) for release in releases)


def test_every_fault_of_the_form_is_found() -> None:
    assert changelog_faults(GOOD) == []
    for before, after, words in (
        ("## [Unreleased]", "## Unreleased", "heading"),
        ("- 2026-11-23", "- 2026-13-23", "date"),
        (" - 2026-11-23", "", "date"),
        ("### Added", "### New", "New"),
        ("- Two.\n", "", "no entry"),
        ("## [Unreleased]\n\n### Added\n\n- One.\n\n", "", "Unreleased"),
    ):
        faults = changelog_faults(GOOD.replace(before, after))
        assert any(words in fault for fault in faults), (before, after, faults)
    newer = "\n## [0.2.0] - 2026-11-24\n\n### Fixed\n\n- Three.\n"
    assert any("newest first" in fault for fault in changelog_faults(GOOD + newer))


def test_versions_of_metrics_that_users_must_know_are_said() -> None:
    first = TEXT.partition("### ")[0]
    for words in ("I-HallA has version 3", "TIFA-style 5", "T2I-FactualBench 4", "CLIPScore 2"):
        assert words in first
    assert re.search(r"Stores have version \d+", first)
    assert Version(read_changelog(TEXT)[1].version)
