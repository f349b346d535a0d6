"""Builds the source distribution and the wheel, and tries the wheel: ``make wheel``.

The packages of the runtime lock are installed into an empty environment. pip-licenses holds their
licenses to the list in pyproject.toml, and cyclonedx-py writes their SBOM, which the wheel carries
(PEP 770). The wheel is built twice from the files of the last commit alone, and must be the same
bytes; then it is installed and tried. What `make image` needs stays in ``build/release``.
"""

import json
import re
import shutil
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

from bench.measuring import launch
from bench.release.steps import ROOT, ReleaseError, run
from tests.support.shipped_app import running_app

ROOMS = ("pages", "components", "cli", "engine", "metrics", "backends", "primer", "data")
DIST = ROOT / "dist"
BUILD = ROOT / "build" / "release"
WHEELS = BUILD / "wheels"
RUNTIME_LOCK = "requirements-runtime.lock"
SBOM, LICENSES = "hallascope.cdx.json", "THIRD_PARTY_LICENSES"
NO_SHIP = {"components/js/types.d.ts"}  # files of rooms that only check the scripts
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")
OFFLINE = (*PIP, "install", "--no-deps", "--no-index", f"--find-links={WHEELS}")
HASHED = ("--require-hashes", f"--requirement={ROOT / RUNTIME_LOCK}")
TORCH = (f"--constraint={ROOT / 'constraints.txt'}", "torch")


def download() -> None:
    """Fetch the wheels of the lock, checked by their hashes, and of PyTorch, where missing."""
    WHEELS.mkdir(parents=True, exist_ok=True)
    fetch = [sys.executable, *PIP, "download", "--no-deps"]
    fetch += [f"--find-links={WHEELS}", f"--dest={WHEELS}"]
    # rouge-score is released as source alone, and older versions of pip build it with `wheel`
    for packages in (HASHED, TORCH, ("wheel",)):
        run([*fetch, *packages])


def install_packages(environment: Path) -> Path:
    """Make an environment with the packages of the lock, offline; return its interpreter."""
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    for packages in (HASHED, TORCH):
        run([python, *OFFLINE, *packages])
    return python


def describe_packages(python: Path) -> None:
    """Write the SBOM and the texts of the licenses of what an environment holds.

    Raises ReleaseError where a license is not in the list of pyproject.toml.
    """
    licenses = [sys.executable, "-m", "piplicenses", "--python", str(python)]
    texts = ["--format=plain-vertical", "--with-license-file", "--no-license-path"]
    of_packages = run([*licenses, *texts, "--with-notice-file"])
    of_works = (ROOT / LICENSES).read_text(encoding="utf-8")
    (BUILD / LICENSES).write_text(f"{of_works}\n{of_packages}", encoding="utf-8")
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    command += [f"--pyproject={ROOT / 'pyproject.toml'}", f"--output-file={BUILD / SBOM}"]
    run([*command, python], SOURCE_DATE_EPOCH=commit_time())


def commit_time() -> str:
    """Return the time of the last commit in seconds."""
    return run(["git", "log", "-1", "--format=%ct"]).strip()


def build(out: Path) -> Path:
    """Build the source distribution and the wheel of the last commit; return the wheel."""
    with tempfile.TemporaryDirectory(prefix="build-") as temporary:
        archive, source = Path(temporary) / "source.tar", Path(temporary) / "source"
        run(["git", "archive", f"--output={archive}", "HEAD"])
        with tarfile.open(archive) as files:
            files.extractall(source, filter="tar")
        # setuptools copies what lies in this folder into the wheel's .dist-info
        sboms = source / "hallascope.egg-info" / "sboms"
        sboms.mkdir(parents=True)
        shutil.copy2(BUILD / SBOM, sboms)
        uv = Path(sys.executable).parent / "uv"
        options = ["--offline", "--no-build-isolation", "--python", sys.executable, "--quiet"]
        run(
            [uv, "build", "--sdist", "--wheel", *options, "--out-dir", out],
            cwd=source,
            SOURCE_DATE_EPOCH=commit_time(),
        )
    (wheel,) = out.glob("*.whl")
    return wheel


def build_twice() -> Path:
    """Build into ``dist`` and once more beside it; return the wheel.

    Raises ReleaseError where the two wheels differ, or a file is missing or a foreign one there.
    """
    shutil.rmtree(DIST, ignore_errors=True)
    wheel = build(DIST)
    with tempfile.TemporaryDirectory(prefix="again-") as again:
        if build(Path(again)).read_bytes() != wheel.read_bytes():
            raise ReleaseError(f"two builds of {wheel.name} differ.")
    tracked = run(["git", "ls-tree", "-r", "--name-only", "HEAD"]).splitlines()
    links = {f"hallascope/{room}" for room in ROOMS}
    names = zipfile.ZipFile(wheel).namelist()
    if faults := content_faults(names, [name for name in tracked if name not in links]):
        raise ReleaseError("\n".join(faults[:20]))
    size = wheel.stat().st_size / 1e6
    print(f"{wheel.name}: {size:.1f} MB, {len(names)} files, twice the same", flush=True)
    return wheel


def content_faults(names: Sequence[str], tracked: Sequence[str]) -> list[str]:
    """Return a sentence for what a wheel lacks or should not have.

    `names`: the files of the wheel; `tracked`: the files of the repository.
    """
    shipped = {
        f"hallascope/{name}"
        for name in tracked
        if name.split("/")[0] in ROOMS and name not in NO_SHIP
    }
    shipped |= {name for name in tracked if name.startswith("hallascope/") and name.endswith(".py")}
    shipped |= {f".dist-info/{name}" for name in (f"sboms/{SBOM}", "licenses/LICENSE")}
    shipped |= {f".dist-info/licenses/{LICENSES}"}
    inside = {re.sub(r"^[^/]+(?=\.dist-info/)", "", name) for name in names}
    foreign = {name for name in inside - shipped if not name.startswith(".dist-info/")}
    return [
        *(f"The wheel lacks {name}." for name in sorted(shipped - inside)),
        *(f"The wheel has {name}, no file of a room." for name in sorted(foreign)),
    ]


def try_wheel(python: Path, folder: Path) -> None:
    """Ask the installed command for its version and scores, and the app for its first page."""
    command = python.parent / "hallascope"
    variables = {"HF_HUB_OFFLINE": "1", "PYTHONPATH": "", "HALLASCOPE_HOME": str(folder / "home")}
    version = run([command, "--version"], folder, **variables).strip()
    simulated = ["--model", "primer/exact", "--json"]
    by_names = ["--metric", "scene-graph", "--detector", "primer/segmenter"]
    for words in (["a red circle above a blue square", *by_names], ["a molecule of methane"]):
        words = ["evaluate", *words, *simulated]
        document = json.loads(run([command, *words], folder, **variables))
        score = document["evaluations"][0]["score"]["value"]
    with running_app(folder / "app", (str(command), "app"), **variables):
        print(f"installed: {version}, primer/exact {score}, the first page opens", flush=True)


def build_and_try() -> None:
    """Build the wheel in its order of steps, and try it."""
    download()
    with tempfile.TemporaryDirectory(prefix="wheel-") as temporary:
        folder = Path(temporary)
        python = install_packages(folder / "environment")
        describe_packages(python)
        print("licenses: all allowed", flush=True)
        run([python, *OFFLINE, build_twice()])
        try_wheel(python, folder)


if __name__ == "__main__":
    launch(build_and_try)
