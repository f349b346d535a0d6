"""Two runs are compared image by image: what got better, what got worse, how sure that is, and a
report without markup of prompts.
"""

from pathlib import Path

import pytest

from hallascope.engine.error_analysis.slices.change_report import (
    html_report,
    markdown_report,
    write_changes,
)
from hallascope.engine.error_analysis.slices.run_changes import (
    RunChanges,
    compare_run_errors,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.run_history.history import RunHistory
from hallascope.engine.storage.store import Store
from tests.engine.run_history.test_comparison import MODELS, FilledServices, keep_sweep

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
PROMPTS = tuple(f"{number} cats" for number in NUMBERS)


def compared(store: Store, *names: str) -> RunChanges:
    history = RunHistory(FilledServices(store))  # type: ignore[arg-type]
    one, other = (history.find(name) for name in names)
    return compare_run_errors(store, one, other)


def test_a_run_that_got_worse_in_all_prompts_is_worse(store: Store) -> None:
    keep_sweep(store, "before", dict.fromkeys(PROMPTS, (0.8,)))
    keep_sweep(store, "after", dict.fromkeys(PROMPTS, (0.2,)), seed=0)
    changes = compared(store, "before", "after")
    assert changes.whole.verdict == "worse"
    assert changes.is_worse
    assert changes.whole.counts == (0, 8, 0)
    assert changes.whole.difference == pytest.approx(0.6)
    # all eight signs the same way: 2 of 2 ** 8 flips, times at least as many tests as one
    assert changes.whole.p == pytest.approx(2 / 2**8)
    assert changes.whole.corrected_p is not None
    assert changes.whole.corrected_p >= 2 / 2**8
    assert changes.sentence.startswith("The second run is worse than the first")


def test_the_other_way_round_it_is_better(store: Store) -> None:
    keep_sweep(store, "before", dict.fromkeys(PROMPTS, (0.8,)))
    keep_sweep(store, "after", dict.fromkeys(PROMPTS, (0.2,)))
    there, back = compared(store, "before", "after"), compared(store, "after", "before")
    assert (back.whole.verdict, back.is_worse) == ("better", False)
    assert back.whole.difference == pytest.approx(-there.whole.difference)
    assert back.whole.counts == (8, 0, 0)


def test_images_are_paired_by_prompt_and_model_and_the_rest_is_counted(store: Store) -> None:
    keep_sweep(store, "before", {"a cat": (0.2, 0.6), "a dog": (0.2, 0.6)})
    keep_sweep(store, "after", {"a cat": (0.2, 0.8), "a cow": (1.0, 1.0)})
    changes = compared(store, "before", "after")
    assert changes.unpaired == (2, 2)
    assert changes.whole.counts == (1, 0, 1)
    (image,) = changes.images
    assert (image.prompt, image.models, image.change) == ("a cat", (MODELS[1],) * 2, "better")
    assert image.errors == pytest.approx((0.4, 0.2))


def test_runs_without_a_common_image_are_refused(store: Store) -> None:
    keep_sweep(store, "before", {"a cat": (0.2, 0.6)})
    keep_sweep(store, "after", {"a dog": (0.2, 0.6)})
    with pytest.raises(BadRequest, match="No image of the two runs can be paired"):
        compared(store, "before", "after")
    with pytest.raises(BadRequest, match="compared with itself"):
        compared(store, "before", "before")


EVIL = "<img src=x> | `cat`"
REPORTED = (EVIL, *(f"{number} cats" for number in NUMBERS))


@pytest.fixture
def changed(store: Store) -> Store:
    keep_sweep(store, "before", dict.fromkeys(REPORTED, (0.8,)))
    keep_sweep(store, "after", dict.fromkeys(REPORTED, (0.2,)))
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
