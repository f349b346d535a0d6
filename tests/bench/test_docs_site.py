"""The site of the documentation has every page, and loads nothing from elsewhere."""

import re
from pathlib import Path

import pytest

from bench import docs_site
from bench.docs_site import linked_files, links, loaded_from_elsewhere
from bench.release.steps import ROOT

NAV = re.compile(r"(?:^|: |- )([\w./-]+\.md)$", re.MULTILINE)


def test_the_navigation_has_every_page_once_and_no_other() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = [f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md")]
    assert sorted(NAV.findall(text)) == sorted([*docs_site.FIRST, *pages])


def test_pages_come_with_what_they_link_to_and_links_in_code_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs_site, "ROOT", tmp_path)
    (tmp_path / "data").mkdir()
    first, second = tmp_path / "README.md", tmp_path / "data" / "README.md"
    first.write_text(
        "[a](data/README.md#part) `[b](b.md)` [c](https://host/c.md)\n```\n[d](d.md)\n```\n[e](#e)"
    )
    second.write_text("![an image](an%20image.webp) [first](../README.md) [out](../../out.md)")
    image = tmp_path / "data" / "an image.webp"
    image.write_bytes(b"")
    assert links(first) == ["data/README.md#part", "https://host/c.md", "#e"]
    assert linked_files([first]) == {first, second, image}


def test_a_list_after_a_line_of_text_is_a_list_of_its_own() -> None:
    text = "Text:\n- one\n  more\n- two\n\n- three\n```\ncode\n- no item\n```"
    assert docs_site.separate_lists(text) == text.replace("Text:\n", "Text:\n\n")


@pytest.mark.parametrize(
    "tag, elsewhere",
    [
        ('<script src="https://host/a.js">', True),
        ("<script src=//host/a.js>", True),
        ('<link rel="stylesheet" href="https://host/a.css">', True),
        ('<img alt="x" src="http://host/a.png">', True),
        ('<script src="assets/a.js">', False),
        ('<a href="https://host/">', False),
        ('<link rel="next" href="docs/tour.html">', False),
    ],
)
def test_what_a_page_loads_from_another_host_is_found(
    tmp_path: Path, tag: str, elsewhere: bool
) -> None:
    (tmp_path / "index.html").write_text(f"<html>{tag}</html>")
    assert loaded_from_elsewhere(tmp_path) == ([f"index.html: {tag}"] if elsewhere else [])
