"""Builds the source distribution and the wheel, and tries the wheel: ``make wheel``.

Both are built twice from the files of the last commit alone, and must be the same bytes. The wheel
carries the SBOM (PEP 770) and the licenses (PEP 639). It is then installed by the lock into an
empty environment, where ``hallascope --version``, an evaluation, and the first page must work.
Wheels that are downloaded are kept in ``build/release/wheels``.
"""

import argparse
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from bench.modules import ROOMS
from bench.release.licenses import THIRD_PARTY, find_faults, read_policy
from bench.release.sbom import (
    NAME,
    ROOT,
    RUNTIME_LOCK,
    shipped_packages,
    source_date,
    write_sbom,
)
from bench.release.steps import ReleaseError, exit_code, run
from bench.support.apps import free_port

DIST = ROOT / "dist"
BUILD = ROOT / "build" / "release"
WHEELS = BUILD / "wheels"
NO_SHIP = {"components/js/types.d.ts"}  # files of rooms that only check the scripts
START_LIMIT = 15 * 60.0  # seconds until the first page, on a machine that is busy otherwise
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")


def export_commit(folder: Path) -> None:
    """Write the files of the last commit, and no others, into a folder."""
    archive = folder.with_suffix(".tar")
    run(["git", "archive", "--format=tar", f"--output={archive}", "HEAD"])
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="tar")
    archive.unlink()


def build(out: Path, sbom: str) -> list[Path]:
    """Build the source distribution and the wheel of the last commit into a folder."""
    with tempfile.TemporaryDirectory(prefix="build-") as temporary:
        source = Path(temporary) / "source"
        export_commit(source)
        # setuptools copies what lies in this folder into the wheel's .dist-info
        boms = source / "hallascope.egg-info" / "sboms"
        boms.mkdir(parents=True)
        (boms / NAME).write_text(sbom, encoding="utf-8")
        uv = Path(sys.executable).parent / "uv"
        options = ["--offline", "--no-build-isolation", "--python", sys.executable, "--quiet"]
        run(
            [uv, "build", "--sdist", "--wheel", *options, "--out-dir", out],
            cwd=source,
            SOURCE_DATE_EPOCH=str(source_date()),
        )
    built = sorted(out.glob("hallascope-*"))
    for file in built:
        if file.name.endswith(".tar.gz"):
            normalize(file, source_date())
    return built


def normalize(file: Path, moment: int) -> None:
    """Write a ``.tar.gz`` again in sorted order, by nobody, and with one time in seconds."""
    plain = file.with_suffix("")
    with tarfile.open(file) as before, tarfile.open(plain, "w") as after:
        for member in sorted(before.getmembers(), key=lambda one: one.name):
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime = moment
            member.mode = 0o755 if member.isdir() else 0o644
            member.pax_headers = {}
            after.addfile(member, before.extractfile(member) if member.isfile() else None)
    with (
        plain.open("rb") as raw,
        file.open("wb") as out,
        gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=moment) as packed,
    ):
        shutil.copyfileobj(raw, packed)
    plain.unlink()


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


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
    inside = {name for name in names if ".dist-info/" not in name}
    faults = [f"The wheel lacks {name}." for name in sorted(shipped - inside)]
    faults += [
        f"The wheel has {name}, which is no file of a room." for name in sorted(inside - shipped)
    ]
    described = {"/".join(PurePosixPath(name).parts[1:]) for name in names if ".dist-info/" in name}
    wanted = {f"sboms/{NAME}", "licenses/LICENSE", f"licenses/{THIRD_PARTY}"}
    return faults + [f"The wheel's .dist-info lacks {name}." for name in sorted(wanted - described)]


def check_contents(wheel: Path) -> int:
    """Return how many files the wheel has. Raises ReleaseError where they are the wrong ones."""
    names = zipfile.ZipFile(wheel).namelist()
    tracked = run(["git", "ls-tree", "-r", "--name-only", "HEAD"]).splitlines()
    links = {
        room.name for room in (ROOT / "hallascope").iterdir() if room.is_symlink() and room.is_dir()
    }
    tracked = [name for name in tracked if name.removeprefix("hallascope/") not in links]
    if faults := content_faults(names, tracked):
        raise ReleaseError("\n".join(faults[:20]))
    return len(names)


def download() -> None:
    """Fetch the wheels of the lock, checked by their hashes, and of PyTorch, where missing."""
    WHEELS.mkdir(parents=True, exist_ok=True)
    fetch: list[str | Path] = [
        sys.executable,
        *PIP,
        "download",
        "--no-deps",
        "--find-links",
        WHEELS,
        "--dest",
        WHEELS,
    ]
    run([*fetch, "--require-hashes", "--requirement", ROOT / RUNTIME_LOCK])
    run([*fetch, "--constraint", ROOT / "constraints.txt", "torch"])
    run([*fetch, "wheel"])  # older versions of pip build rouge-score, released as source, with it


def install(wheel: Path, environment: Path) -> Path:
    """Install the wheel by the lock into a new environment, offline; return its interpreter."""
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    offline: list[str | Path] = [
        python,
        *PIP,
        "install",
        "--no-deps",
        "--no-index",
        "--find-links",
        WHEELS,
    ]
    # rouge-score is released as source alone, and is built by the setuptools of this environment
    run([*offline, "--require-hashes", "--requirement", ROOT / RUNTIME_LOCK])
    run([*offline, "--constraint", ROOT / "constraints.txt", "torch"])
    run([*offline, wheel])
    return python


def try_wheel(python: Path, folder: Path) -> list[str]:
    """Ask the installed command for its version and a score, and the app for its first page."""
    command = python.parent / "hallascope"
    home = {"HALLASCOPE_HOME": str(folder / "home"), "HF_HUB_OFFLINE": "1"}
    version = run([command, "--version"], folder, **home).strip()
    words = ["evaluate", "a molecule of methane", "--models", "primer/exact", "--json"]
    document = json.loads(run([command, *words], folder, **home))
    score = document["evaluations"][0]["score"]["value"]
    with started([command, "app"], folder, **home) as address:
        page = urllib.request.urlopen(address, timeout=60).read().decode()
        if "HallaScope" not in page:
            raise ReleaseError(f"the first page does not name HallaScope: {page[:300]}")
    return [version, f"primer/exact {score}", f"the first page has {len(page):,} characters"]


@contextmanager
def started(command: Sequence[str | Path], folder: Path, **variables: str) -> Iterator[str]:
    """Run the app of an environment of its own; yield its address, and end it after."""
    port = free_port()
    around = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "GRADIO_SERVER_PORT": str(port),
        **variables,
    }
    process = subprocess.Popen(
        [*map(str, command)], cwd=folder, env=around, stdout=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address, process)
        yield address
    finally:
        process.terminate()
        process.wait()


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_LIMIT
    while process.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(address, timeout=START_LIMIT):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise ReleaseError("the app did not answer its first page.")


def build_twice() -> Path:
    """Build twice, compare, and put the result into ``dist``; return the wheel.

    Raises ReleaseError where the two differ, a file is missing, or a license is not allowed.
    """
    policy, packages = read_policy(), shipped_packages()
    if faults := find_faults(packages, policy):
        raise ReleaseError("\n".join(faults))
    sbom = write_sbom(packages, policy)
    with tempfile.TemporaryDirectory(prefix="twice-") as temporary:
        first, second = (build(Path(temporary) / name, sbom) for name in ("first", "second"))
        for one, other in zip(first, second, strict=True):
            if digest(one) != digest(other):
                raise ReleaseError(f"two builds of {one.name} differ.")
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        for file in first:
            shutil.copy2(file, DIST / file.name)
            size = file.stat().st_size / 1e6
            print(f"{file.name}: {size:.1f} MB, sha256 {digest(file)}, twice the same", flush=True)
    (wheel,) = DIST.glob("*.whl")
    print(f"files: {check_contents(wheel)} in the wheel, all of the rooms, no others", flush=True)
    return wheel


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.release.wheel")
    parser.add_argument("--no-install", action="store_true", help="build and compare alone")
    options = parser.parse_args(arguments)
    return exit_code(lambda: build_and_try(installs=not options.no_install))


def build_and_try(installs: bool) -> None:
    """Build the wheel; with `installs`, try it in an environment of its own."""
    wheel = build_twice()
    if not installs:
        return
    download()
    with tempfile.TemporaryDirectory(prefix="wheel-") as temporary:
        folder = Path(temporary)
        python = install(wheel, folder / "environment")
        print(f"installed: {', '.join(try_wheel(python, folder))}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
