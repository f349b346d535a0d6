"""Licenses are known and allowed; what is unknown or forbidden is one sentence."""

from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

from bench.release.licenses import (
    THIRD_PARTY,
    find_faults,
    is_allowed,
    license_of,
    read_policy,
    write_texts,
)
from bench.release.sbom import ROOT, shipped_packages

POLICY = read_policy()


def package(folder: Path, *lines: str) -> Distribution:
    """A package `sample` 1.0 with these lines of metadata."""
    info = folder / "sample-1.0.dist-info"
    info.mkdir()
    text = "\n".join(["Metadata-Version: 2.4", "Name: sample", "Version: 1.0", *lines])
    (info / "METADATA").write_text(text + "\n")
    return PathDistribution(info)


def test_every_package_and_work_that_ships_has_an_allowed_license() -> None:
    assert find_faults(shipped_packages(), POLICY) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("License-Expression: MIT OR Apache-2.0", "MIT OR Apache-2.0"),
        ("License: Apache 2.0", "Apache-2.0"),
        ("Classifier: License :: OSI Approved :: MIT License", "MIT"),
        ("License: BSD", None),
        ("Author: somebody", None),
    ],
)
def test_a_license_is_read_from_metadata_of_every_age(
    tmp_path: Path, line: str, expected: str | None
) -> None:
    assert license_of(package(tmp_path, line), POLICY) == expected


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("LicenseRef-WordNet-3.0", True),
        ("no license at all", False),
    ],
)
def test_an_expression_is_allowed_where_allowed_licenses_meet_it(
    expression: str, allowed: bool
) -> None:
    assert is_allowed(expression, POLICY.allowed) is allowed


def test_what_is_unknown_or_not_allowed_is_one_sentence(tmp_path: Path) -> None:
    (unknown,) = find_faults([package(tmp_path, "Author: somebody")], POLICY)
    assert unknown.startswith("The license of sample 1.0 is not known")
    other = tmp_path / "other"
    other.mkdir()
    (refused,) = find_faults([package(other, "License-Expression: AGPL-3.0-only")], POLICY)
    assert refused.startswith("sample 1.0 is under AGPL-3.0-only, which licenses.yaml does not")


def test_the_file_of_licenses_is_current_and_has_the_texts_that_must_go_along(
    tmp_path: Path,
) -> None:
    write_texts(tmp_path / THIRD_PARTY, (), POLICY)
    text = (tmp_path / THIRD_PARTY).read_text("utf-8")
    assert text == (ROOT / THIRD_PARTY).read_text("utf-8"), "run `make sbom`"
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in text


def test_a_package_comes_with_the_text_of_its_license(tmp_path: Path) -> None:
    one = package(tmp_path, "License-Expression: MIT")
    (tmp_path / "sample-1.0.dist-info" / "LICENSE").write_text("Do as you like.\n")
    record = "sample-1.0.dist-info/LICENSE,,\n"
    (tmp_path / "sample-1.0.dist-info" / "RECORD").write_text(record)
    write_texts(tmp_path / "out", [one], POLICY._replace(works=()))
    assert "sample 1.0\nLicense: MIT\n\nDo as you like." in (tmp_path / "out").read_text()
