"""Every command of the README ends well, in the order in which a newcomer types them."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
# What takes minutes as it stands, and what this test types in its place.
SHORTER = {
    "--images 400 --each-concept 8": "--images 4",
    "--labeled data/labelled/primer-diffusion": "--labeled labeled",
    "--judge NAME": "--judge primer/judge --images 4",
    "--vary number": "--vary number --images 2",
}
# Commands that need a service or the Hub, and the tests that run them against one on this machine.
ELSEWHERE = {
    'hallascope evaluate "Albert Einstein holding a sunflower" --key-from-env': (
        "tests/cli/test_starters.py"
    ),
    "hallascope models get laptop": "tests/backends/hub/test_download.py",
}


def readme_commands() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"`(hallascope [^`]+)`", text)))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the commands name: three prompts and ten labeled images."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    sweep = tmp_path / "examples" / "primer.yaml"
    text = sweep.read_text(encoding="utf-8")
    shorter = text.replace("count: 200", "count: 3").replace("[ihalla, fig,", "[ihalla] # fig,")
    assert shorter.count("\n") == text.count("\n")
    assert shorter != text
    sweep.write_text(shorter, encoding="utf-8")
    labeled = shutil.copytree(ROOT / "data" / "labelled" / "primer-diffusion", tmp_path / "labeled")
    for file in labeled.glob("*.jsonl"):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[:10]), encoding="utf-8")
    return tmp_path


def test_every_command_of_the_readme_ends_well(checkout: Path, command: Any) -> None:
    commands = readme_commands()
    assert len(commands) > 12
    assert set(ELSEWHERE) <= set(commands)
    for typed in commands:
        if typed in ELSEWHERE:
            assert (ROOT / ELSEWHERE[typed]).is_file()
            continue
        for long, short in SHORTER.items():
            typed = typed.replace(long, short)
        ended = command(*shlex.split(typed)[1:])
        assert ended.code == 0, f"{typed}: {ended.err or ended.out}"
