"""The pages for people are whole: every link leads to something, every tab has its place and its
picture in the tour.
"""

import re
from pathlib import Path
from urllib.parse import unquote

import yaml

from bench.docs_site import FIRST, links
from bench.tour import PANELS, STOPS
from hallascope.app import tabs_by_title
from hallascope.metrics import METRICS, get
from hallascope.pages.errors import page as errors
from hallascope.pages.learn import page as learn
from tests.conftest import ROOT

DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES_FOR_PEOPLE = [ROOT / name for name in FIRST] + DOCS
TOUR = ROOT / "docs" / "tour"
PANELS_FOLDER = ROOT / "docs" / "panels"
MOST, MOST_TOGETHER = 120_000, 900_000  # bytes


def anchors(file: Path) -> set[str]:
    """What the headings of a page are called in addresses, as GitHub makes them."""
    text = re.sub(
        r"^(```|~~~).*?^\1", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    titles = (
        re.sub(r"[`*]", "", title).strip().lower()
        for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    )
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def broken(file: Path, link: str) -> bool:
    """Whether a relative link leads nowhere."""
    where, _, anchor = unquote(link).partition("#")
    target = (file.parent / where).resolve() if where else file
    if not target.is_relative_to(ROOT) or not target.exists():
        return True
    return bool(anchor) and (target.suffix != ".md" or anchor not in anchors(target))


def test_every_relative_link_leads_to_a_file_and_every_anchor_to_a_heading() -> None:
    assert [
        f"{file.name}: {link}"
        for file in PAGES_FOR_PEOPLE
        for link in links(file)
        if not re.match(r"[a-z]+:", link) and broken(file, link)
    ] == []


def test_every_test_and_measurement_that_a_page_names_is_there() -> None:
    pages = [*PAGES_FOR_PEOPLE, ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"]
    named = {
        name
        for page in pages
        for name in re.findall(r"`((?:tests|bench)/[^`\s:]+)`", page.read_text(encoding="utf-8"))
    }
    assert len(named) > 15
    assert [name for name in sorted(named) if not list(ROOT.glob(name.rstrip("/")))] == []


def test_every_module_that_a_page_or_the_makefile_runs_is_there() -> None:
    texts = [file.read_text(encoding="utf-8") for file in (*PAGES_FOR_PEOPLE, ROOT / "Makefile")]
    run = {name for text in texts for name in re.findall(r"python -m (bench\.[\w.]+\w)", text)}
    assert len(run) > 10
    paths = {name: ROOT / name.replace(".", "/") for name in run}
    assert [
        name
        for name, path in sorted(paths.items())
        if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists()
    ] == []


def test_the_readme_leads_to_every_page_of_the_docs() -> None:
    led = {unquote(link).partition("#")[0] for link in links(ROOT / "README.md")}
    assert {f"docs/{file.name}" for file in DOCS} <= led | {
        "docs/" + one.partition("#")[0] for one in links(ROOT / "docs" / "tour.md")
    }


def test_every_tab_has_a_section_and_a_picture_in_the_tour_and_a_way_to_make_it() -> None:
    names = {
        title: str(place["part"] or place["tab"])
        for title, place in tabs_by_title().items()
        if place["part"] not in ("all", *errors.PARTS, *learn.PARTS) and title != "Trust"
    }
    text = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    found = re.findall(r"^###? (.+?)\n(.*?)(?=^###? |\Z)", text, re.MULTILINE | re.DOTALL)
    sections = dict(found)
    assert [title for title in sections if title in names] == list(names)
    for title, name in names.items():
        assert f"(tour/{name}.webp)" in sections[title], title
    assert set(STOPS) == set(names.values())
    assert {file.stem for file in TOUR.iterdir()} == set(names.values())


def test_the_pictures_of_the_tour_are_small_and_say_in_words_what_they_show() -> None:
    assert {file.stem for file in PANELS_FOLDER.iterdir()} == set(PANELS)
    sizes = [file.stat().st_size for file in TOUR.iterdir()]
    assert max(sizes) < MOST
    assert sum(sizes) < MOST_TOGETHER
    for file in PAGES_FOR_PEOPLE:
        described = re.findall(r"!\[([^\]]*)\]\(", file.read_text(encoding="utf-8"))
        assert all(len(words) > 20 for words in described), file.name


def test_the_page_on_scores_says_of_every_metric_where_it_misleads() -> None:
    text = (ROOT / "docs" / "scores.md").read_text(encoding="utf-8")
    sections = re.split(r"^#+ ", text, flags=re.MULTILINE)
    silent = {
        metric
        for metric in METRICS
        if not any(f"`{metric}`" in part and "mislead" in part for part in sections)
    }
    assert silent == set()


def test_every_metric_says_what_its_score_is_and_where_it_misleads() -> None:
    known = {name: get(name) for name in METRICS}
    assert [name for name, metric in known.items() if not metric.definition.endswith(".")] == []
    assert [name for name, metric in known.items() if not metric.caveat.endswith(".")] == []


def test_labels_that_ship_are_named_as_those_of_a_language_model() -> None:
    gold = sorted((ROOT / "bench").glob("gold_*/README.md"))
    assert len(gold) == 3
    assert [path for path in gold if "language model" not in path.read_text("utf-8")] == []
    said = re.compile(r"(second|careful) person|two people|by eye|as a person does", re.IGNORECASE)
    pages = (*gold, *DOCS, ROOT / "backends" / "embedded" / "judge" / "README.md")
    assert [path for path in pages if said.search(path.read_text("utf-8"))] == []


def test_the_glossary_explains_a_word_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = [
        word.strip().lower()
        for cell in re.findall(r"^\| (?!word|---)([^|]+) \|", text, re.MULTILINE)
        for word in re.split(r"[(),]", cell)
        if word.strip()
    ]
    assert len(words) > 60
    assert sorted(words) == sorted(set(words))


def test_the_citation_is_of_this_version() -> None:
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    version = re.search(
        r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert version
    assert said["version"] == version[1]
    pages = [page.read_text(encoding="utf-8") for page in PAGES_FOR_PEOPLE]
    wheels = {name for page in pages for name in re.findall(r"hallascope-([\d.]+)-py3", page)}
    assert wheels == {version[1]}
    assert f"version = {{{version[1]}}}" in (ROOT / "docs" / "citing.md").read_text(
        encoding="utf-8"
    )
