"""What is installed: one package, which works beside folders that have the names of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the project is installed, without what it depends on."""
    out = tmp_path_factory.mktemp("site")
    copy = tmp_path_factory.mktemp("copy") / "source"
    command = ["git", "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        file = ROOT / name
        if name.startswith(("tests/", "docs/")) or not file.exists():
            continue
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            target.symlink_to(file.readlink())
        else:
            shutil.copyfile(file, target)
    options = "--quiet --no-deps --no-build-isolation --no-compile --disable-pip-version-check"
    command = [sys.executable, "-m", "pip", "install", *options.split()]
    command += ["--target", str(out), str(copy)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return out


def test_one_importable_package_is_installed(installed: Path) -> None:
    found = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert found - {"bin", "__pycache__"} == {"hallascope"}


def test_it_works_in_a_folder_that_has_its_own_data_metrics_and_engine(
    installed: Path, tmp_path: Path
) -> None:
    for name in ("data", "metrics", "engine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('the wrong one')\n")
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); sys.path.insert(0, '')\n"
        "import hallascope\n"
        "found = hallascope.evaluate('a red circle', models='primer/exact', home='home')\n"
        "print(hallascope.__file__, found.scores[0].value)\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(installed / "hallascope" / "__init__.py"), "1.0"]
