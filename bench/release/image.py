"""Builds the container image and tries it without a network: ``make image``.

buildah, podman or docker builds it from ``Containerfile``, whichever is there. The context is the
wheel of ``make wheel`` with the wheels of the lock, so that no step of the build needs a network,
only the base. ``--make-base`` makes a base from Debian's packages where no registry can be reached.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.release.licenses import THIRD_PARTY, read_policy, write_texts
from bench.release.no_network import leave_network
from bench.release.sbom import (
    NAME,
    ROOT,
    RUNTIME_LOCK,
    shipped_packages,
    source_date,
    write_sbom,
)
from bench.release.space import CHECKS, SECRET, login_variables, named
from bench.release.steps import ReleaseError, exit_code, run
from bench.release.wheel import DIST, WHEELS, build_twice, download

REGISTRY_BASE = "docker.io/library/python:3.11-slim-bookworm"
DEBIAN_BASE = "localhost/hallascope-base"
IMAGE = "localhost/hallascope"
BUILDERS = ("buildah", "podman", "docker")
NO_BUILDER = (
    "No image is built: buildah, podman and docker are missing or do not answer here. Install one"
    " (Debian: apt-get install buildah), then run `make image` again."
)
DEBIAN_PACKAGES = "python3,python3-venv,ca-certificates"


def find_builder() -> str | None:
    """Return the first builder that is there and works: docker needs its daemon."""
    for name in BUILDERS:
        if shutil.which(name):
            probe = subprocess.run([name, "info"], capture_output=True, check=False)
            if probe.returncode == 0:
                return name
    return None


def build_command(
    builder: str, context: Path, base: str, version: str, revision: str, moment: int
) -> list[str]:
    """Return the command that builds the image; `moment`: the time of the commit in seconds."""
    created = datetime.fromtimestamp(moment, UTC).isoformat()
    labels = {"BASE": base, "VERSION": version, "REVISION": revision, "CREATED": created}
    command = [builder, "build", "--file", str(context / "Containerfile")]
    command += [f"--build-arg={name}={value}" for name, value in labels.items()]
    command += [f"--tag={IMAGE}:{version}", f"--tag={IMAGE}:latest"]
    if builder != "docker":
        # OCI's own format has no HEALTHCHECK; chroot needs no privileges beside those of a build
        command += ["--format=docker", "--isolation=chroot", f"--timestamp={moment}"]
    return [*command, str(context)]


def write_context(folder: Path, built: Path) -> None:
    """Bring the files of a build into a folder; wheels are hard links where that is possible."""
    (folder / "wheels").mkdir()
    for file in WHEELS.iterdir():
        os.link(file, folder / "wheels" / file.name)
    for name in ("Containerfile", RUNTIME_LOCK, "constraints.txt"):
        shutil.copy2(ROOT / name, folder / name)
    shutil.copy2(built, folder / built.name)
    packages, policy = shipped_packages(), read_policy()
    (folder / "doc").mkdir()
    shutil.copy2(ROOT / "LICENSE", folder / "doc" / "LICENSE")
    write_texts(folder / "doc" / THIRD_PARTY, packages, policy)
    (folder / "doc" / NAME).write_text(write_sbom(packages, policy, wheels=WHEELS), "utf-8")


def make_base(builder: str) -> None:
    """Build a base from Debian's packages, with its Python 3.11, by mmdebstrap."""
    with tempfile.TemporaryDirectory(prefix="base-") as temporary:
        folder = Path(temporary)
        packages = ["mmdebstrap", "--variant=minbase", f"--include={DEBIAN_PACKAGES}"]
        run([*packages, "--dpkgopt=force-unsafe-io", "bookworm", folder / "base.tar"])
        (folder / "Containerfile").write_text("FROM scratch\nADD base.tar /\n", encoding="utf-8")
        command = [builder, "build", f"--tag={DEBIAN_BASE}", f"--file={folder / 'Containerfile'}"]
        run([*command, folder])


def image_size(builder: str) -> str:
    """Return the size of the image as the builder states it, for instance "2.78 GB"."""
    template = "{{.Size}}"
    return run([builder, "images", "--format", template, f"{IMAGE}:latest"]).strip()


def run_image(builder: str) -> None:
    """Start the image with no network and a read-only root, and ask what visitors ask.

    Where no container can be started (they need rights over limits and control groups), the root
    of the image is entered by chroot instead, in a network namespace of its own.

    Raises ReleaseError.
    """
    space = named(None)
    variables = {"SPACE_ID": f"somebody/{space.name}", "SYSTEM": "spaces", "HF_HUB_OFFLINE": "1"}
    variables |= login_variables() | dict(space.variables)
    settings = [f"--env={name}={value}" for name, value in variables.items()]
    words = ["/try/inside_image.py", space.name, SECRET]
    with tempfile.TemporaryDirectory(prefix="try-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        for script in (CHECKS, Path(__file__).with_name("inside_image.py")):
            shutil.copy(script, folder / script.name)
        volume = f"--volume={folder}:/try:ro"
        runner = {"buildah": "podman"}.get(builder, builder)
        limits = ["--rm", "--network=none", "--read-only", "--tmpfs=/tmp", "--entrypoint=python"]
        start = [runner, "run", *limits, volume, *settings, f"{IMAGE}:latest"]
        can_start = (
            shutil.which(runner)
            and not subprocess.run(
                [*start, "--version"], capture_output=True, check=False
            ).returncode
        )
        if can_start:
            print(f"started by {runner}, root read-only", flush=True)
            command = [*start, *words]
        elif builder == "buildah" and leave_network():
            print("started by buildah's chroot in a network namespace of its own", flush=True)
            container = run(["buildah", "from", f"{IMAGE}:latest"]).strip()
            options = ["--isolation=chroot", "--network=host", volume, *settings]
            command = ["buildah", "run", *options, container, "--", "python", *words]
        else:
            raise ReleaseError(f"the image is built, but {runner} cannot start a container here.")
        if subprocess.run(command, check=False).returncode:
            raise ReleaseError("a visitor of the container did not get what one should (above).")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.release.image")
    parser.add_argument("--base", default=REGISTRY_BASE, help="the image to start from, by digest")
    parser.add_argument("--make-base", action="store_true", help=f"make {DEBIAN_BASE}, and use it")
    parser.add_argument("--reuse-wheel", action="store_true", help="take the wheel in dist")
    parser.add_argument("--try-only", action="store_true", help="start the image that is there")
    options = parser.parse_args(arguments)
    builder = find_builder()
    if builder is None:
        print(NO_BUILDER, file=sys.stderr)
        return 1
    return exit_code(lambda: build_and_try(builder, options))


def build_and_try(builder: str, options: argparse.Namespace) -> None:
    """Build the image as the options say, and try it; or try the one that is there."""
    if options.try_only:
        run_image(builder)
        return
    base = DEBIAN_BASE if options.make_base else options.base
    if options.make_base:
        make_base(builder)
    built = next(DIST.glob("*.whl")) if options.reuse_wheel else build_twice()
    download()
    version = built.name.split("-")[1]
    revision = run(["git", "rev-parse", "HEAD"]).strip()
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="context-", dir=ROOT / "build") as temporary:
        context = Path(temporary)
        write_context(context, built)
        run(build_command(builder, context, base, version, revision, source_date()))
    print(f"{IMAGE}:{version} by {builder} from {base}: {image_size(builder)}", flush=True)
    run_image(builder)


if __name__ == "__main__":
    sys.exit(main())
