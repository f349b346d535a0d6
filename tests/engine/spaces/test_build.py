"""Spaces: what is wrong with those that are declared, and the files that they are given."""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.main import main
from hallascope.data.models.specs import read_models
from hallascope.data.spaces import FILE, Space, front_matter, read_spaces
from hallascope.engine.errors import BadRequest
from hallascope.engine.spaces.build import PACKAGE, ROOT, build, pinned_versions, requirements
from hallascope.engine.spaces.check import check

SPACE = Space(
    name="name",
    title="Title",
    emoji="🔎",
    sdk="gradio",
    short_description="What it is",
    models=("primer/exact",),
    metrics=("ihalla",),
)
METRICS = ("ihalla", "fig")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "-name"}, "has no name that the Hub takes"),
        ({"emoji": "magnifier"}, "give one sign"),
        ({"short_description": "x" * 61}, "61 characters"),
        ({"sdk": "streamlit"}, "choose of gradio, static"),
        ({"color_to": "mauve"}, "choose of red"),
        ({"hardware": "cpu"}, "choose of cpu-basic"),
        ({"python_version": "py3"}, "write it as 3.11"),
        ({"hf_oauth_scopes": ("inference-api",)}, "no login"),
        ({"hf_oauth": True, "hf_oauth_scopes": ("all",)}, "asks for the scope 'all'"),
        ({"sdk": "static"}, "runs nothing"),
        ({"models": ("primer/exakt",)}, "did you mean 'primer/exact'"),
        ({"metrics": ("fog",)}, "did you mean 'fig'"),
        ({"models": ("flux-dev",)}, "no GPU"),
        ({"models": ("openai/gpt-4o",)}, "put OPENAI_API_KEY under secrets"),
        ({"variables": {"OPENAI_API_KEY": "x"}}, "looks like a secret"),
        ({"variables": {"NAME": "hf_" + "a" * 34}}, "looks like a secret"),
        ({"variables": {"name": "x"}}, "use capitals"),
        ({"variables": {"NAME": "x"}, "secrets": ("NAME",)}, "keep the secret alone"),
        (
            {"variables": {"HALLASCOPE_PICTURES_A_DAY": "many"}},
            "give a whole number from 1, or 'none'",
        ),
        ({"variables": {"HALLASCOPE_BUDGET_RUN": "some"}}, "give an amount in USD"),
        (
            {"variables": {"HALLASCOPE_PRELOAD": "primer/exact, primer/hasty"}},
            "to load 'primer/hasty' when it starts",
        ),
        (
            {"variables": {"HALLASCOPE_PICTURES_A_DAYS": "5"}},
            "did you mean 'HALLASCOPE_PICTURES_A_DAY'?",
        ),
    ],
)
def test_what_is_wrong_with_a_space_is_one_sentence(wrong: Any, words: str) -> None:
    (said,) = check([replace(SPACE, **wrong)], read_models(), METRICS)
    assert words in said
    assert said.endswith((".", "?"))
    assert "hf_aaa" not in said


def test_two_spaces_of_one_name_are_said() -> None:
    assert check([SPACE, SPACE], read_models(), METRICS) == [
        "There are two Spaces 'name': give one of them another name."
    ]
    assert check([SPACE], read_models(), METRICS) == []


def test_check_is_green_on_what_is_declared(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["spaces", "check"])
    assert capsys.readouterr().out.count("can be deployed") == len(read_spaces())


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("spaces:\n", "spaces: [\n", "This is no YAML"),
        ("title: HallaScope\n", "titel: HallaScope\n", "did you mean 'title'?"),
        ("sdk: gradio", "sdk: streamlit", "choose of gradio, static."),
        ("emoji: 🔎", "emoji: magnifier", "give one sign that is an emoji."),
        ("description: See", f"description: {'x' * 60} See", "the Hub takes 60: shorten it."),
        ("hardware: cpu-basic", "hardware: cpu", "choose of cpu-basic,"),
        ("hf_oauth: true", "hf_oauth: false", "has hf_oauth_scopes but no login"),
        ("primer/exact", "primer/exakt", "did you mean 'primer/exact'?"),
        ("[ihalla,", "[ihala,", "did you mean 'ihalla'?"),
        ('"48"', "48", "in quotes where it is a number."),
        ('"480"', '"many"', "give a whole number from 1, or 'none'."),
        ("HALLASCOPE_PRELOAD:", "HF_TOKEN:", "looks like a secret: variables are public"),
        ("name: hallascope-live", "name: hallascope", "There are two Spaces 'hallascope'"),
        ("sdk: static", "sdk: static\n    secrets: [HF_TOKEN]", "is static and runs nothing"),
    ],
)
def test_check_is_red_with_one_sentence_on_a_file_with_one_fault(
    right: str, wrong: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared, broken = FILE.read_text(encoding="utf-8"), tmp_path / "spaces.yaml"
    entries = declared.index("\nspaces:")
    broken.write_text(
        declared[:entries] + declared[entries:].replace(right, wrong, 1), encoding="utf-8"
    )
    with pytest.raises(SystemExit, match="1"):
        main(["spaces", "check", str(broken)])
    (said,) = capsys.readouterr().out.splitlines()
    assert words in said
    assert said.endswith((".", "?"))


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
