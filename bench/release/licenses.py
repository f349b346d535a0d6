"""Finds the license of everything that ships, and holds it to a list of those that are allowed.

A package says its license in its metadata; ``licenses.yaml`` says it where the metadata does not,
and names the works (weights, images, data) that lie beside the code. ``write_texts`` writes
THIRD_PARTY_LICENSES. It judges no license: what is allowed is decided in ``licenses.yaml``.
"""

import csv
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from license_expression import (
    ExpressionError,
    LicenseExpression,
    LicenseWithExceptionSymbol,
    get_spdx_licensing,
)
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
POLICY = Path(__file__).parent / "licenses.yaml"
THIRD_PARTY = "THIRD_PARTY_LICENSES"
RULE = "=" * 100
# What older metadata says in the field License or in a classifier.
OLDER_NAMES = {
    "Apache": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "MIT License": "MIT",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "3-Clause BSD License": "BSD-3-Clause",
    "PSFL": "PSF-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
TEXT_FILE = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)


class ShippedWork(NamedTuple):
    """Holds a work beside the code: weights, images or data of one origin and one license.

    `kind` is a component type of CycloneDX, `paths` are absolute, `text` is the text of the license
    where that has to go along, else "".
    """

    name: str
    kind: str
    paths: tuple[Path, ...]
    license: str
    source: str
    text: str


class LicensePolicy(NamedTuple):
    """Holds the SPDX identifiers that are allowed, licenses of packages by name, and the works."""

    allowed: frozenset[str]
    packages: Mapping[str, str]
    works: tuple[ShippedWork, ...]


def read_policy(root: Path = ROOT, file: Path = POLICY) -> LicensePolicy:
    """Read ``licenses.yaml``. Raises ValueError where a work has no file."""
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    works = tuple(_work(root, entry) for entry in content["works"])
    return LicensePolicy(frozenset(content["allowed"]), content["packages"], works)


def _work(root: Path, entry: Mapping[str, Any]) -> ShippedWork:
    paths = tuple(sorted(path for path in root.glob(entry["files"]) if path.is_file()))
    if where := entry.get("where"):
        with (root / where["file"]).open(encoding="utf-8", newline="") as rows:
            listed = {
                row["image"] for row in csv.DictReader(rows) if row["package"] == where["package"]
            }
        paths = tuple(path for path in paths if path.name in listed)
    if not paths:
        raise ValueError(f"{entry['name']}: {entry['files']} is no file of the repository.")
    text = (root / entry["text"]).read_text(encoding="utf-8") if "text" in entry else ""
    return ShippedWork(entry["name"], entry["kind"], paths, entry["license"], entry["source"], text)


def license_of(package: Distribution, policy: LicensePolicy) -> str | None:
    """Return the SPDX expression of a package's license, or None where nothing says it."""
    metadata = package.metadata
    name = canonicalize_name(metadata["Name"])
    if name in policy.packages:
        return policy.packages[name]
    if stated := _field(package, "License-Expression"):
        return stated
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    for stated in (_field(package, "License"), *classifiers):
        expression = OLDER_NAMES.get(stated.strip(), stated.strip())
        if expression and _parsed(expression) is not None:
            return str(expression)
    return None


def _field(package: Distribution, name: str) -> str:
    return str(next(iter(package.metadata.get_all(name) or ()), ""))


@cache
def _parsed(expression: str) -> LicenseExpression | None:
    """Return the parsed expression, or None where it is not one of known identifiers."""
    licensing = get_spdx_licensing()
    known = re.sub(r"LicenseRef-[\w.-]+", "MIT", expression)
    try:
        licensing.parse(known, validate=True, strict=True)
    except ExpressionError:
        return None
    return licensing.parse(expression)


def is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Return whether an SPDX expression can be met by allowed licenses alone."""
    parsed = _parsed(expression)
    return parsed is not None and _is_met(parsed, allowed)


def _is_met(node: Any, allowed: frozenset[str]) -> bool:
    if isinstance(node, LicenseWithExceptionSymbol):
        return {node.license_symbol.key, node.exception_symbol.key} <= allowed
    if not getattr(node, "args", ()):
        return node.key in allowed
    met = [_is_met(part, allowed) for part in node.args]
    return any(met) if node.operator.strip() == "OR" else all(met)


def find_faults(packages: Iterable[Distribution], policy: LicensePolicy) -> list[str]:
    """Return one sentence for each package or work whose license is unknown or not allowed."""
    stated = {
        f"{package.metadata['Name']} {package.version}": license_of(package, policy)
        for package in packages
    }
    stated |= {work.name: work.license for work in policy.works}
    faults = []
    for name, expression in sorted(stated.items()):
        if expression is None:
            faults.append(
                f"The license of {name} is not known: read it, and name it in {POLICY.name}."
            )
        elif not is_allowed(expression, policy.allowed):
            faults.append(
                f"{name} is under {expression}, which {POLICY.name} does not allow: replace it, or"
                " allow that license there."
            )
    return faults


def write_texts(out: Path, packages: Iterable[Distribution], policy: LicensePolicy) -> int:
    """Write the licenses of the works and packages with their texts; return how many there are."""
    parts = [
        f"{work.name}\nLicense: {work.license}\nSource: {work.source}\n\n{work.text}".strip()
        for work in policy.works
        if work.license != "Apache-2.0" or work.text
    ]
    parts += [
        _package_text(package, policy)
        for package in sorted(packages, key=lambda one: canonicalize_name(one.metadata["Name"]))
    ]
    start = (
        "Works of others that come with HallaScope, with their licenses. HallaScope itself is under"
        " the license\nin the file LICENSE. License names are SPDX identifiers:"
        " https://spdx.org/licenses/."
    )
    out.write_text(f"\n{RULE}\n\n".join([start + "\n", *(part + "\n" for part in parts)]))
    return len(parts)


def _package_text(package: Distribution, policy: LicensePolicy) -> str:
    metadata = package.metadata
    files = [
        path
        for path in package.files or ()
        if TEXT_FILE.search(path.name)
        and path.suffix in ("", ".txt", ".md", ".rst")
        and (".dist-info" in path.parts[0] or len(path.parts) == 2)
    ]
    texts = [Path(path.locate()).read_text("utf-8", errors="replace") for path in files]
    head = f"{metadata['Name']} {package.version}\nLicense: {license_of(package, policy)}"
    return "\n\n".join([head, *(text.strip() for text in texts)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write THIRD_PARTY_LICENSES of the repository, which the wheel carries."""
    policy = read_policy()
    if faults := find_faults((), policy):
        print(*faults, sep="\n", file=sys.stderr)
        return 1
    count = write_texts(ROOT / THIRD_PARTY, (), policy)
    print(f"{THIRD_PARTY}: {count} works.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
