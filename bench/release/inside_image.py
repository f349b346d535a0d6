"""Runs inside a container: starts the app and asks what visitors ask, without a network.

It imports nothing of ours; ``bench/release/image.py`` brings it and ``space_checks.py`` along.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ADDRESS = "http://127.0.0.1:7860"
START_LIMIT = 15 * 60.0  # seconds until the first page, on a machine that is busy otherwise


def check_container() -> None:
    """Hold what the image promises. Raises AssertionError."""
    assert os.getuid() != 0, "the app runs as root"
    assert not os.access("/opt/hallascope", os.W_OK), "the app can change its own files"
    interfaces = {name for _, name in socket.if_nameindex()}
    assert interfaces == {"lo"}, f"there is a network: {interfaces}"
    doc = Path("/usr/share/doc/hallascope")
    for name in ("hallascope.cdx.json", "THIRD_PARTY_LICENSES", "LICENSE"):
        assert (doc / name).is_file(), f"{doc / name} is missing"
    compilers = [name for name in ("cc", "gcc", "g++", "clang") if Path("/usr/bin", name).exists()]
    assert not compilers, f"the image has {compilers}"
    print("container: not root, no network, no compiler, SBOM and licenses there", flush=True)


def wait(process: subprocess.Popen[bytes]) -> float:
    """Return the seconds until the first page. Raises AssertionError where none comes."""
    began = time.monotonic()
    while process.poll() is None and time.monotonic() < began + START_LIMIT:
        try:
            with urllib.request.urlopen(ADDRESS, timeout=START_LIMIT):
                return time.monotonic() - began
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise AssertionError("the app did not answer its first page")


def main(space: str, secret: str) -> int:
    check_container()
    process = subprocess.Popen(["hallascope", "app"])
    try:
        print(f"first page after {wait(process):.0f} s", flush=True)
        checks = Path(__file__).with_name("space_checks.py")
        return subprocess.run(
            [sys.executable, checks, ADDRESS, space, secret], check=False
        ).returncode
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
