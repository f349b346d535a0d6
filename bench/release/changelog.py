"""Reads CHANGELOG.md, and says where it leaves the form of Keep a Changelog 1.1."""

import re
from datetime import date
from typing import NamedTuple

from packaging.version import InvalidVersion, Version

UNRELEASED = "Unreleased"
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
HEADING = re.compile(r"\[([^\]]+)\](?: - (\S+))?$")


class ReleaseNotes(NamedTuple):
    """Holds one section of the changelog: its version, its day, and its entries by kind.

    `day` is None for what is not released yet, or where the section has no date.
    """

    version: str
    day: date | None
    kinds: dict[str, tuple[str, ...]]


def read_changelog(text: str) -> list[ReleaseNotes]:
    """Return the sections in the order of the file. Raises ValueError for a heading or a date."""
    releases = []
    for title, body in re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", text, re.MULTILINE):
        heading = HEADING.match(title)
        if heading is None:
            raise ValueError(f"the heading {title!r} is not [VERSION] - YYYY-MM-DD")
        try:
            day = date.fromisoformat(heading[2]) if heading[2] else None
        except ValueError:
            raise ValueError(f"the date of {title!r} is not a day YYYY-MM-DD") from None
        parts = re.findall(r"^### (.+)\n((?:(?!### ).*\n?)*)", body, re.MULTILINE)
        kinds = {
            kind: tuple(re.findall(r"^- (.+)$", entries, re.MULTILINE)) for kind, entries in parts
        }
        releases.append(ReleaseNotes(heading[1], day, kinds))
    return releases


def changelog_faults(text: str) -> list[str]:
    """Return a sentence for each departure from the form."""
    try:
        releases = read_changelog(text)
    except ValueError as error:
        return [f"CHANGELOG.md: {error}."]
    faults = []
    if not releases or releases[0].version != UNRELEASED:
        faults.append(f"The first section of CHANGELOG.md is not [{UNRELEASED}].")
    released = [release for release in releases if release.version != UNRELEASED]
    for release in releases:
        faults += _section_faults(release)
    try:
        versions = [Version(release.version) for release in released]
    except InvalidVersion as error:
        return [*faults, f"CHANGELOG.md: {error}."]
    if versions != sorted(versions, reverse=True):
        faults.append("The versions of CHANGELOG.md do not stand newest first.")
    return faults


def _section_faults(release: ReleaseNotes) -> list[str]:
    faults = []
    if release.version != UNRELEASED and release.day is None:
        faults.append(f"Version {release.version} of CHANGELOG.md has no date.")
    for kind, entries in release.kinds.items():
        if kind not in KINDS:
            faults.append(f"CHANGELOG.md has the section {kind!r}: choose of {', '.join(KINDS)}.")
        elif not entries:
            faults.append(f"{kind} of {release.version} in CHANGELOG.md has no entry.")
    return faults
