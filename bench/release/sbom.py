"""Writes the software bill of materials (SBOM) of what ships, as CycloneDX JSON: ``make sbom``.

It lists the packages of ``requirements-runtime.lock`` that apply to this system, PyTorch, the works
of ``licenses.yaml`` (weights, images, data), and the tools that bundle the page's scripts, which do
not ship (scope "excluded"). The same commit gives the same bytes. It fails with one sentence for
each license that is unknown or not allowed.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import NamedTuple

from cyclonedx.model import (
    ExternalReference,
    ExternalReferenceType,
    HashAlgorithm,
    HashType,
    Property,
    XsUri,
)
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from bench.release.licenses import LicensePolicy, ShippedWork, find_faults, license_of, read_policy

ROOT = Path(__file__).parents[2]
RUNTIME_LOCK = "requirements-runtime.lock"
NAME = "hallascope.cdx.json"  # the file in a wheel's sboms (PEP 770)
LOCKED = re.compile(
    r"^([\w.-]+)(?:\[[^]]*\])?==(\S+)([^\\\n]*)((?:\\?\n +--hash=\S+)*)", re.MULTILINE
)


class LockedPackage(NamedTuple):
    """Holds a line of a lock: the package, its version, and the SHA-256 of its files.

    `applies`: whether its marker holds on this system.
    """

    name: str
    version: str
    hashes: tuple[str, ...]
    applies: bool


def read_lock(text: str) -> list[LockedPackage]:
    """Return the packages of a lock."""
    packages = []
    for name, version, condition, hashes in LOCKED.findall(text):
        marker = Requirement(f"{name}=={version}{condition}").marker
        packages.append(
            LockedPackage(
                canonicalize_name(name),
                version,
                tuple(re.findall(r"sha256:(\w{64})", hashes)),
                marker is None or marker.evaluate(),
            )
        )
    return packages


def shipped_packages(root: Path = ROOT) -> list[Distribution]:
    """Return what is installed here of the runtime's packages, and PyTorch.

    Raises ValueError where one is missing or has another version than the lock.
    """
    here: dict[str, Distribution] = {
        canonicalize_name(one.metadata["Name"]): one for one in distributions()
    }
    wanted = [one for one in read_lock((root / RUNTIME_LOCK).read_text("utf-8")) if one.applies]
    for package in wanted:
        if package.name not in here or here[package.name].version != package.version:
            raise ValueError(f"{package.name} {package.version} is not installed: run `make env`.")
    return [here[name] for name in (*(package.name for package in wanted), "torch")]


def source_date(root: Path = ROOT) -> int:
    """Return the time of the last commit in seconds, or SOURCE_DATE_EPOCH where it is set."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(epoch)
    return int(_git(root, "log", "-1", "--format=%ct"))


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write_sbom(
    packages: Sequence[Distribution],
    policy: LicensePolicy,
    root: Path = ROOT,
    wheels: Path | None = None,
) -> str:
    """Return the SBOM as JSON that follows the schema of CycloneDX 1.6.

    `wheels`: a folder of the wheels that were installed; each package has the hash of its wheel
    then, in place of the hashes of all its files in the lock.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    bom = Bom(
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{project['version']} {source_date(root)}")
    )
    bom.metadata.timestamp = datetime.fromtimestamp(source_date(root), UTC)
    subject = Component(
        name=project["name"],
        version=project["version"],
        type=ComponentType.APPLICATION,
        bom_ref=project["name"],
        licenses=[LicenseExpression(project["license"])],
        purl=PackageURL("pypi", name=project["name"], version=project["version"]),
    )
    bom.metadata.component = subject
    locked: dict[str, LockedPackage] = {
        one.name: one for one in read_lock((root / RUNTIME_LOCK).read_text("utf-8"))
    }
    files = _wheel_hashes(wheels) if wheels else {}
    parts: dict[str, Component] = {
        canonicalize_name(one.metadata["Name"]): _package(one, policy, locked, files)
        for one in packages
    }
    bom.components.update(parts.values())
    works = [_work(work, root) for work in policy.works]
    bom.components.update(works)
    bom.components.update(_script_tools(root))
    direct = [parts[name] for name in _names(project["dependencies"]) if name in parts]
    bom.register_dependency(subject, [*direct, *works])
    for one in packages:
        needed = [parts[name] for name in _names(one.requires or ()) if name in parts]
        bom.register_dependency(parts[canonicalize_name(one.metadata["Name"])], needed)
    text = JsonV1Dot6(bom).output_as_string(indent=1) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the SBOM does not follow its schema: {error}")
    return text


def _names(requirements: Sequence[str]) -> Iterator[str]:
    """Yield the packages of requirements that apply here without an extra."""
    for line in requirements:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield canonicalize_name(requirement.name)


def _wheel_hashes(folder: Path) -> dict[str, str]:
    return {
        parse_wheel_filename(file.name)[0]: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.glob("*.whl")
    }


def _package(
    package: Distribution,
    policy: LicensePolicy,
    locked: Mapping[str, LockedPackage],
    wheels: Mapping[str, str],
) -> Component:
    name = canonicalize_name(package.metadata["Name"])
    purl = PackageURL("pypi", name=name, version=package.version)
    component = Component(
        name=name,
        version=package.version,
        type=ComponentType.LIBRARY,
        scope=ComponentScope.REQUIRED,
        bom_ref=str(purl),
        purl=purl,
        licenses=[LicenseExpression(license_of(package, policy) or "LicenseRef-unknown")],
    )
    if name in wheels:
        component.hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=wheels[name]))
    elif name in locked:
        component.external_references.add(
            ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION,
                url=XsUri(f"https://pypi.org/project/{name}/{package.version}/"),
                comment="the files of this version that the lock allows",
                hashes=[
                    HashType(alg=HashAlgorithm.SHA_256, content=one) for one in locked[name].hashes
                ],
            )
        )
    else:
        unlocked = "its build depends on the machine, so it is pinned by its version alone"
        component.properties.add(Property(name="hallascope:unlocked", value=unlocked))
    return component


def _work(work: ShippedWork, root: Path) -> Component:
    """Return a work with its files as components of their own, each with its hash."""
    return Component(
        name=work.name,
        type=ComponentType(work.kind),
        scope=ComponentScope.REQUIRED,
        bom_ref=f"work:{work.name}",
        description=work.source,
        licenses=[LicenseExpression(work.license)],
        components=[
            Component(
                name=path.relative_to(root).as_posix(),
                type=ComponentType.FILE,
                bom_ref=f"file:{work.name}:{path.relative_to(root).as_posix()}",
                hashes=[
                    HashType(
                        alg=HashAlgorithm.SHA_256,
                        content=hashlib.sha256(path.read_bytes()).hexdigest(),
                    )
                ],
            )
            for path in work.paths
        ],
    )


def _script_tools(root: Path) -> Iterator[Component]:
    """Yield the packages of npm that check and bundle the page's scripts, which do not ship."""
    lock = json.loads((root / "package-lock.json").read_text("utf-8"))
    for path, entry in lock["packages"].items():
        if not path:
            continue
        full = path.rpartition("node_modules/")[2]
        group, _, name = full.rpartition("/")
        purl = PackageURL("npm", namespace=group, name=name, version=entry["version"])
        content = base64.b64decode(entry["integrity"].partition("-")[2]).hex()
        yield Component(
            name=name,
            group=group or None,
            version=entry["version"],
            type=ComponentType.LIBRARY,
            scope=ComponentScope.EXCLUDED,
            bom_ref=f"{purl}#{path}",
            purl=purl,
            hashes=[HashType(alg=HashAlgorithm.SHA_512, content=content)],
            licenses=[LicenseExpression(entry["license"])] if "license" in entry else [],
            properties=[Property(name="hallascope:use", value="bundles and checks scripts")],
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.release.sbom")
    parser.add_argument("out", type=Path, nargs="?", default=ROOT / "build" / "release" / NAME)
    out: Path = parser.parse_args(arguments).out
    policy = read_policy()
    packages = shipped_packages()
    if faults := find_faults(packages, policy):
        print(*faults, sep="\n", file=sys.stderr)
        return 1
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(write_sbom(packages, policy), encoding="utf-8")
    print(f"{out}: {len(packages)} packages, {len(policy.works)} works, all licenses allowed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
