"""A Space is given all its files, and no others."""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.cli.main import main
from hallascope.data.spaces import Space, front_matter, read_spaces
from hallascope.engine.errors import BadRequest
from hallascope.engine.spaces.build import PACKAGE, ROOT, build, pinned_versions, requirements
from tests.support.declared_space import SPACE


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("space") / "out"
    build(SPACE, out)
    return out


def test_the_files_of_a_space_are_all_of_the_app_without_what_trains_and_tests(built: Path) -> None:
    rooms = [room.name for room in PACKAGE.iterdir() if room.is_symlink()]
    listed = subprocess.run(
        ["git", "ls-files", "-z", *rooms], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    kept = {
        f"hallascope/{name}"
        for name in listed
        if (ROOT / name).is_file() and "training" not in name.split("/")
    }
    kept -= {"hallascope/backends/embedded/measure.py"}
    found = {str(file.relative_to(built)) for file in built.rglob("*") if file.is_file()}
    assert {
        *kept,
        "app.py",
        "README.md",
        "requirements.txt",
        "LICENSE",
        "spaces.yaml",
    } - found == set()
    assert not [
        name
        for name in found
        if "training" in name.split("/") or "__pycache__" in name or name.startswith("tests")
    ]
    assert (built / "README.md").read_text().startswith("---\ntitle: Title\n")


def test_whatever_a_space_imports_of_ours_is_among_its_files(built: Path) -> None:
    missing = [
        (str(file.relative_to(built)), name)
        for file in built.rglob("*.py")
        for name in imported(file)
        if not there(built, name)
    ]
    assert missing == []


def imported(file: Path) -> Iterator[str]:
    """The modules of ours that a file imports, wherever in it that stands."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) and not node.level else []
        yield from (
            name for name in names if name.partition(".")[0] in ("hallascope", "app", "tests")
        )


def there(folder: Path, module: str) -> bool:
    path = folder.joinpath(*module.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadRequest, match="--force"):
        build(SPACE, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_requirements_hold_our_versions_and_leave_what_the_space_brings() -> None:
    lines = requirements(SPACE).splitlines()
    assert {line.partition("=")[0] for line in lines if "==" in line} >= {
        "transformers",
        "pyyaml",
        "resvg-py",
    }, "however a name is spelt"
    assert not any(
        line.split("=")[0].split(">")[0] in ("gradio", "huggingface_hub", "pydantic", "spaces")
        for line in lines
    )
    lent = requirements(replace(SPACE, hardware="zero-a10g")).splitlines()
    assert {"torch>=2.8,<2.12", "spaces"} <= set(lent)


def test_a_static_space_is_made_of_exported_pages(tmp_path: Path) -> None:
    static = Space(name="board", title="Board", emoji="📊", sdk="static", short_description="Rows")
    with pytest.raises(BadRequest, match="hallascope export RUN --to site"):
        build(static, tmp_path / "out")
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<p>rows</p>")
    assert [str(file) for file in build(static, tmp_path / "other", site)] == [
        "README.md",
        "index.html",
    ]


def test_the_front_matter_is_written_into_a_readme_and_one_that_is_none_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# A title\n")
    with pytest.raises(SystemExit, match="0"):
        main(["spaces", "check", "--write", str(readme)])
    assert (
        readme.read_text()
        == front_matter(read_spaces()[0], pinned_versions()["gradio"]) + "# A title\n"
    )
    capsys.readouterr()
    with pytest.raises(SystemExit, match="2"):
        main(["spaces", "check", "--write", str(tmp_path)])
    assert capsys.readouterr().err.startswith(
        f"The front matter cannot be written into {str(tmp_path)!r}"
    )
