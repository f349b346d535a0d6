"""`hallascope methods` prints what is true of a run, as text, BibTeX and JSON."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hallascope.cli import main
from hallascope.cli.commands import methods
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.shared_runs import keep

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    store = Store(folder=tmp_path / "home")
    keep(store)
    monkeypatch.setattr(methods, "create_services", lambda: Services(store, {}))

    def said(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main.main(["methods", *arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return said


def test_the_paragraph_comes_first_and_bibtex_after_it(say: Say) -> None:
    code, out, _ = say("run1")
    assert code == 0
    paragraph, entries = out.split("\n\n", 1)
    assert paragraph.startswith("We generated 2 images")
    assert entries.startswith("@software{hallascope,")
    assert say("run1", "--bibtex")[1].startswith("@software{hallascope,")


def test_json_has_both(say: Say) -> None:
    document = json.loads(say("run1", "--json")[1])
    assert document["paragraph"].startswith("We generated 2 images")
    assert set(document["bibtex"]) == {"hallascope", "lim2025ihalla", "fig"}


def test_an_unknown_run_is_a_sentence(say: Say) -> None:
    code, _, err = say("nothing")
    assert code == 2
    assert "nothing" in err
