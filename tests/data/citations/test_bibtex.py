"""Every metric has its papers, and the entries are those that the documentation shows."""

import re
from pathlib import Path

import pytest
import yaml

from hallascope.data.citations.bibtex import FILE, bibtex_entries, citation_keys
from hallascope.metrics import METRICS

ROOT = Path(__file__).parents[3]
ENTRIES: dict[str, str] = yaml.safe_load(FILE.read_text("utf-8"))["entries"]


def test_every_metric_has_a_paper() -> None:
    for metric in METRICS:
        assert citation_keys(metric), metric
        assert set(citation_keys(metric)) <= set(ENTRIES)
    assert citation_keys("nothing") == ()


@pytest.mark.parametrize("key", list(ENTRIES))
def test_an_entry_is_whole_and_stands_in_the_documentation(key: str) -> None:
    entry = ENTRIES[key]
    assert re.match(rf"@[a-z]+\{{{key},\n", entry)
    assert entry.count("{") == entry.count("}")
    assert "title" in entry
    assert "author" in entry
    assert entry.strip() in (ROOT / "docs" / "citing.md").read_text("utf-8")


def test_the_entry_of_hallascope_says_what_citation_cff_says() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    entry = bibtex_entries(())["hallascope"]
    for value in (citation["title"], citation["version"], citation["license"]):
        assert f"{{{value}}}" in entry
    assert citation["authors"][0]["name"] in entry


def test_entries_come_once_with_hallascope_first() -> None:
    keys = list(bibtex_entries(["blip-vqa", "blip-itm", "nothing"]))
    assert keys == ["hallascope", "li2022blip", "huang2023t2icompbench"]
