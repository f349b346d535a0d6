"""The SBOM has every locked package with hashes, each work's files, and is the same each time."""

import hashlib
import json
from typing import Any

import pytest

from bench.release.licenses import read_policy
from bench.release.sbom import (
    ROOT,
    RUNTIME_LOCK,
    LockedPackage,
    read_lock,
    shipped_packages,
    write_sbom,
)


@pytest.fixture(scope="module")
def text() -> str:
    return write_sbom(shipped_packages(), read_policy())


@pytest.fixture(scope="module")
def document(text: str) -> dict[str, Any]:
    return dict(json.loads(text))


def test_it_is_the_same_each_time(text: str) -> None:
    assert write_sbom(shipped_packages(), read_policy()) == text


def test_every_locked_package_that_applies_here_has_its_hashes(document: dict[str, Any]) -> None:
    locked = [one for one in read_lock((ROOT / RUNTIME_LOCK).read_text("utf-8")) if one.applies]
    assert len(locked) > 100
    components = {one.get("purl"): one for one in document["components"]}
    for one in locked:
        component = components[f"pkg:pypi/{one.name}@{one.version}"]
        (reference,) = component["externalReferences"]
        assert {found["content"] for found in reference["hashes"]} == set(one.hashes)
        assert one.hashes
        assert component["licenses"]


def test_works_have_the_hash_of_each_file_and_tools_are_excluded(document: dict[str, Any]) -> None:
    works = {one["name"]: one for one in document["components"] if one["type"] != "library"}
    models = {name for name, one in works.items() if one["type"] == "machine-learning-model"}
    shipped = {file.parts[-2] for file in (ROOT / "backends/embedded").glob("*/*.safetensors")}
    assert {f"primer/{name}" for name in shipped} <= models
    for file in works["primer/judge"]["components"]:
        content = (ROOT / file["name"]).read_bytes()
        assert file["hashes"][0]["content"] == hashlib.sha256(content).hexdigest()
    tools = [one for one in document["components"] if one.get("purl", "").startswith("pkg:npm/")]
    assert {"esbuild", "typescript"} <= {one["name"] for one in tools}
    assert {one["scope"] for one in tools} == {"excluded"}


def test_pytorch_says_why_it_has_no_hash(document: dict[str, Any]) -> None:
    (torch,) = (one for one in document["components"] if one["name"] == "torch")
    assert torch["properties"][0]["name"] == "hallascope:unlocked"


def test_a_lock_is_read_with_markers_and_hashes() -> None:
    digest = "a" * 64
    lines = f"one[x]==1.0 ; sys_platform == 'win32' \\\n    --hash=sha256:{digest}\n    # via two\n"
    (found,) = read_lock(lines)
    assert isinstance(found, LockedPackage)
    assert (found.name, found.version, found.hashes, found.applies) == (
        "one",
        "1.0",
        (digest,),
        False,
    )
