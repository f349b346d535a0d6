"""Builds the container image and tries it without a network: ``make image``.

podman or docker builds it from ``Containerfile``, of the wheel of ``make wheel`` and the wheels of
the lock, so that no step of the build needs a network, only the base.
"""

import os
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from bench.measuring import launch
from bench.release.space_app import CHECKS, SECRET, find_space, login_variables
from bench.release.steps import ROOT, ReleaseError, run
from bench.release.wheel import BUILD, DIST, LICENSES, RUNTIME_LOCK, SBOM, WHEELS, commit_time

REGISTRY_BASE = "docker.io/library/python:3.11-slim-bookworm"
IMAGE = "localhost/hallascope"


def find_builder() -> str:
    """Return the first builder that works: docker needs its daemon. Raises ReleaseError."""
    for name in ("podman", "docker"):
        if shutil.which(name):
            probe = subprocess.run([name, "info"], capture_output=True, check=False)
            if probe.returncode == 0:
                return name
    raise ReleaseError(
        "No image is built: podman and docker are missing or do not answer here. Install one"
        " (Debian: apt-get install podman), then run `make image` again."
    )


def build(builder: str, base: str) -> None:
    """Build the image from a context that has all it needs; wheels are hard links there."""
    (wheel,) = DIST.glob("*.whl")
    version = wheel.name.split("-")[1]
    labels = {
        "BASE": base,
        "VERSION": version,
        "REVISION": run(["git", "rev-parse", "HEAD"]).strip(),
        "CREATED": datetime.fromtimestamp(int(commit_time()), UTC).isoformat(),
    }
    with tempfile.TemporaryDirectory(prefix="context-", dir=BUILD) as temporary:
        context = Path(temporary)
        shutil.copytree(WHEELS, context / "wheels", copy_function=os.link)
        (context / "doc").mkdir()
        for file in (ROOT / "LICENSE", BUILD / LICENSES, BUILD / SBOM):
            shutil.copy2(file, context / "doc")
        for file in (ROOT / "Containerfile", ROOT / RUNTIME_LOCK, ROOT / "constraints.txt", wheel):
            shutil.copy2(file, context)
        command = [builder, "build", f"--file={context / 'Containerfile'}"]
        command += [f"--build-arg={label}={value}" for label, value in labels.items()]
        command += [f"--tag={IMAGE}:{version}", f"--tag={IMAGE}:latest"]
        if builder == "podman":
            command.append("--format=docker")  # OCI's own format has no HEALTHCHECK
        run([*command, context])
    print(f"{IMAGE}:{version} by {builder} from {base}", flush=True)


def run_image(builder: str) -> None:
    """Start the image with no network and a read-only root, and ask what visitors ask.

    Raises ReleaseError where a visitor does not get what one should.
    """
    space = find_space(None)
    variables = {"SPACE_ID": f"somebody/{space.name}", "SYSTEM": "spaces", "HF_HUB_OFFLINE": "1"}
    variables |= login_variables() | dict(space.variables)
    with tempfile.TemporaryDirectory(prefix="try-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        for script in (CHECKS, Path(__file__).with_name("inside_image.py")):
            shutil.copy(script, folder)
        command = [builder, "run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp"]
        command += [f"--volume={folder}:/try:ro", "--entrypoint=python"]
        command += [f"--env={name}={value}" for name, value in variables.items()]
        command += [f"{IMAGE}:latest", "/try/inside_image.py", space.name, SECRET]
        if subprocess.run(command, check=False).returncode:
            raise ReleaseError("A visitor of the container did not get what one should (above).")


def main(base: Annotated[str, typer.Option(help="What it starts from.")] = REGISTRY_BASE) -> None:
    builder = find_builder()
    build(builder, base)
    run_image(builder)


if __name__ == "__main__":
    launch(main)
