"""The build of a Space brings files of the tests with it, which are where it looks for them."""

import subprocess
import sys

from bench.release import space


def test_what_is_copied_into_a_space_is_there() -> None:
    assert space.AUDIT_HOOK.is_file()


def test_the_checks_run_without_anything_of_ours() -> None:
    code = f"import runpy; runpy.run_path({str(space.CHECKS)!r}, run_name='checks')"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
