"""What is released has its version everywhere, a changelog of its form, locked packages, no key,
and in the wheel and the image what belongs there.
"""

import re
import tomllib
from importlib.metadata import version

import pytest
import yaml

from bench.release.steps import ROOT, run
from bench.release.wheel import RUNTIME_LOCK, SBOM, content_faults
from hallascope.engine.export.folder import Secrets

KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
# Tests, their server, and the patterns of the scan hold texts that look like keys and are none.
INVENTED_KEYS = ("tests/", "engine/export/folder.py")


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    citing = re.findall(r"^ *version = \{(.+)\}", (ROOT / "docs/citing.md").read_text(), re.M)
    stated = {str(citation["version"]), *citing, version("hallascope")}
    assert stated == {project["version"]}


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first, *released = re.findall(r"^## (.+)$", text, re.M)
    assert first == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", title) for title in released)
    assert set(re.findall(r"^### (.+)$", text, re.M)) <= KINDS


@pytest.mark.full
def test_no_file_of_the_repository_holds_a_key() -> None:
    found = {}
    for name in run(["git", "ls-files"]).splitlines():
        file = ROOT / name
        if name.startswith(INVENTED_KEYS) or not file.is_file():
            continue
        text = file.read_bytes().decode(errors="replace")
        found[name] = Secrets().find(re.sub("://user:password@", "://", text, flags=re.I))
    assert {name: kinds for name, kinds in found.items() if kinds} == {}


def test_what_is_installed_with_the_wheel_is_what_is_tested() -> None:
    tested, runtime = (
        dict(re.findall(r"^(\S+)==(.+(?:\n +--hash=.+)+)", (ROOT / file).read_text("utf-8"), re.M))
        for file in ("requirements.lock", RUNTIME_LOCK)
    )
    assert {name: tested.get(name) for name in runtime} == runtime
    assert not {"pytest", "mypy", "ruff", "playwright"} & set(runtime)


def test_the_image_has_no_root_a_health_check_and_packages_by_their_hashes() -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    last = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER (\d+):\1$", last, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK ", last, re.MULTILINE)
    assert "apt-get" not in text, "a compiler could come along"
    assert "--no-index" in text
    assert "--require-hashes --requirement requirements-runtime.lock" in text


def test_a_wheel_has_the_files_of_the_rooms_and_no_others() -> None:
    files = (f"sboms/{SBOM}", "licenses/LICENSE", "licenses/THIRD_PARTY_LICENSES")
    info = [f"hallascope-1.dist-info/{name}" for name in files]
    tracked = ["data/a.csv", "hallascope/api.py", "tests/test_a.py", "bench/b.py", "app.py"]
    right = ["hallascope/data/a.csv", "hallascope/api.py", *info]
    assert content_faults(right, tracked) == []
    assert content_faults(right[1:], tracked) == ["The wheel lacks hallascope/data/a.csv."]
    (fault,) = content_faults([*right, "tests/test_a.py"], tracked)
    assert fault.startswith("The wheel has tests/test_a.py")
    assert "sboms" in content_faults(right[:2] + info[1:], tracked)[0]
