"""Every format is there by its name, and none writes what must not leave."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.storage.store import Store
from tests.support.exports import Send
from tests.support.shared_runs import keep, keep_corrected, rate


def test_the_site_counts_what_people_said_and_names_nobody(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    for rater in ("Ann Example", "Bo Example"):
        rate(store, rater=rater)
    written = send(store, "site")
    pages = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").rglob("*.html")}
    assert written.ratings == 8
    assert "2 people." in pages["run1.run1-0.html"]
    assert "<td>five (2)</td>" in pages["run1.run1-0.html"]
    assert "What people say" not in pages["run1.run1-1.html"]
    assert not any("Example" in said for said in pages.values())


def test_unknown_forms_and_runs_are_refused_in_one_sentence(home: Store, send: Send) -> None:
    with pytest.raises(
        BadRequest, match="There is no form 'xml' to export to: this version has csv, jsonl"
    ):
        send(home, "xml")
    with pytest.raises(UnknownRun, match="No run 'nope' is stored here"):
        send(home, "csv", runs="nope")


@pytest.mark.parametrize("form", ["site", "every-eval-ever"])
def test_who_corrected_a_reading_is_not_named_where_nobody_is(
    store: Store, send: Send, tmp_path: Path, form: str
) -> None:
    keep(store)
    keep_corrected(store)
    send(store, form)
    files = [path for path in (tmp_path / "out").rglob("*") if path.suffix in (".html", ".json")]
    texts = [path.read_text("utf-8") for path in files]
    assert any("corrected" in text for text in texts)
    assert not any("Example" in text for text in texts)
