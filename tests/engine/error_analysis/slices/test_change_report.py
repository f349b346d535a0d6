"""The report of two runs is Markdown for a pull request, or one page; no text becomes markup."""

from pathlib import Path

import pytest

from hallascope.engine.error_analysis.slices.change_report import (
    changes_document,
    html_report,
    markdown_report,
    write_changes,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.store import Store
from tests.engine.error_analysis.slices.test_run_changes import NUMBERS, compared
from tests.engine.run_history.test_comparison import keep_sweep

EVIL = "<img src=x> | `cat`"
PROMPTS = (EVIL, *(f"{number} cats" for number in NUMBERS))


@pytest.fixture
def changed(store: Store) -> Store:
    keep_sweep(store, "before", dict.fromkeys(PROMPTS, (0.8,)))
    keep_sweep(store, "after", dict.fromkeys(PROMPTS, (0.2,)))
    return store


def test_the_markdown_has_a_row_for_each_slice_and_no_markup_of_a_prompt(changed: Store) -> None:
    report = markdown_report(compared(changed, "before", "after"))
    assert "| All images | 0.200 | 0.800 | +0.600 |" in report
    assert r"\<img src=x\> \| \`cat\`" in report
    assert "<img" not in report.replace(r"\<img", "")
    assert "### Images that got worse (9)" in report
    rows = [line for line in report.splitlines() if line.startswith("|")]
    assert len({line.replace(r"\|", "").count("|") for line in rows}) == 1


def test_the_page_escapes_what_prompts_say_and_needs_no_other_file(changed: Store) -> None:
    page = html_report(compared(changed, "before", "after"), {})
    assert "&lt;img src=x&gt;" in page
    assert "<img src=x>" not in page
    assert 'src="http' not in page


def test_the_page_holds_its_thumbnails(changed: Store, tmp_path: Path) -> None:
    changes = compared(changed, "before", "after")
    thumbnail = tmp_path / "thumbnail.webp"
    thumbnail.write_bytes(b"one image")
    page = html_report(changes, dict.fromkeys(changes.images[0].evaluations, thumbnail))
    assert page.count("data:image/webp;base64,b25lIGltYWdl") == 2


def test_the_name_of_the_file_says_which_report_it_is(changed: Store, tmp_path: Path) -> None:
    changes = compared(changed, "before", "after")
    write_changes(changes, tmp_path / "report.html", changed)
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    write_changes(changes, tmp_path / "report.md", changed)
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("## ")
    with pytest.raises(BadRequest, match=r"ends in .md or .html"):
        write_changes(changes, tmp_path / "report.pdf", changed)
    with pytest.raises(BadRequest, match="cannot be written"):
        write_changes(changes, tmp_path / "no" / "report.md", changed)


def test_the_document_has_what_changed(changed: Store) -> None:
    document = changes_document(compared(changed, "before", "after"))
    assert document["is_worse"] is True
    assert document["whole"]["worse"] == len(PROMPTS)
    assert {image["change"] for image in document["images"]} == {"worse"}
