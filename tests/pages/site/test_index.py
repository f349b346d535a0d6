"""The index lists every run, over several pages where there are many, and a run its pictures."""

from dataclasses import replace

from markupsafe import Markup

from hallascope.engine.events import RunView
from hallascope.pages.site import index, paths
from tests.support.run_events import ASKED, MADE, SHOTS, evaluation

VIEW = RunView(
    run="r1",
    request=replace(ASKED, prompt="<i>a molecule"),
    state="finished",
    shots=(MADE, SHOTS[1]),
    evaluations=(evaluation(),),
)


def test_an_entry_counts_the_pictures_that_are_there_and_what_was_judged() -> None:
    entry = index.head(VIEW)
    assert (entry.pictures, entry.judged, entry.left_out) == (1, 1, 0)
    assert entry.models == ("exact", "hasty")
    assert entry.metrics == ("ihalla",)
    assert entry.thumbs == ((paths.thumbnail("ab" * 32), "<i>a molecule, by primer/exact"),)


def test_a_site_of_one_run_is_called_by_its_prompt() -> None:
    entry = index.head(VIEW)
    assert index.title([entry]) == "<i>a molecule"
    assert index.title([entry, entry]) == "2 prompts"


def test_many_runs_stand_on_several_pages_that_lead_to_each_other() -> None:
    entries = [index.head(VIEW)] * (index.PROMPTS + 1)
    first, second = index.pages(entries, Markup("<p>boards</p>"))
    assert first.count('href="runs/r1.html"') == index.PROMPTS
    assert second.count('href="runs/r1.html"') == 1
    assert 'href="prompts-2.html"' in first
    assert 'href="index.html">← earlier prompts' in second
    assert "<p>boards</p>" in first
    assert "<p>boards</p>" not in second
    assert f"{index.PROMPTS + 1} images of exact, hasty" in first
    assert "<i>a molecule" not in first + second


def test_the_page_of_a_run_links_each_picture_that_has_a_page() -> None:
    html = index.of_run(VIEW, created=0.0)
    assert "run r1 · 1970-01-01 · ihalla · " in html
    assert f'href="../{paths.picture(VIEW, MADE)}"' in html
    assert html.count('class="tile"') == 2
    assert html.count('<article class="tile"') == 1, "the image that is not there leads nowhere"
    assert 'data-count="2"' in html
