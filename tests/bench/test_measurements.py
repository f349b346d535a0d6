"""What the measurements compute and judge is right; their visitors do what people do."""

import itertools
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bench import cold_start, crowd, error_map_scale, screenshots, size, walk
from bench.measuring import Row, finish, in_turns, ratio_row
from hallascope.engine.errors import BadRequest
from hallascope.pages.evaluate.page import EXAMPLES
from hallascope.primer import contact_sheet
from tests.conftest import dashboard


def test_two_calls_take_turns_at_going_first() -> None:
    clock = itertools.count(1.0)
    pairs = in_turns(lambda: next(clock), lambda: -next(clock), rounds=2)
    assert pairs == [(3.0, -4.0), (6.0, -5.0)]


def test_a_ratio_is_missed_only_where_its_whole_interval_lies_beyond_the_bound() -> None:
    def row(*ratios: float) -> Row:
        return ratio_row("x", [(ratio, 1.0) for ratio in ratios * 9], 1.05)

    noisy = row(1.0, 1.06, 1.1)
    assert (noisy.measured[:19], noisy.holds) == ("1.06 (1.00 to 1.10)", True)
    assert not row(1.06, 1.07, 1.08).holds


@pytest.mark.parametrize(
    "at_most, ratio, holds",
    [(True, 1.1, False), (True, 0.9, True), (False, 1.1, True), (False, 0.9, False)],
)
def test_a_ratio_without_an_interval_is_judged_by_its_value(
    at_most: bool, ratio: float, holds: bool
) -> None:
    assert ratio_row("x", [(ratio, 1.0)], 1.0, at_most=at_most).holds is holds


@pytest.mark.parametrize("holds, code", [(True, 0), (None, 0), (False, 1)])
def test_a_missed_bar_is_the_exit_code(
    holds: bool | None, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        finish([Row("kept", "1", "<= 2", True), Row("a click", "1.5 s", "<= 1 s", holds)])
    assert ended.value.code == code
    assert ("| NO " in capsys.readouterr().out) == bool(code)


def test_a_crowd_is_late_where_its_95th_percentile_is() -> None:
    seconds = [float(number) for number in range(101)]
    row = crowd.spread_row("x", seconds, 96)
    assert (row.measured, row.holds) == ("p50 50.00 s, p95 95.00 s", True)
    assert not crowd.spread_row("x", seconds, 95).holds
    assert not crowd.spread_row("x", [], 95).holds


def test_docstrings_comments_and_blank_lines_are_no_tokens() -> None:
    code = '"""A module."""\n\n# a comment\ndef f(a: int) -> str:\n    """Say."""\n    return "x"\n'
    assert size.count_tokens(code) == size.count_tokens('def f(a: int) -> str: return "x"') == 12


@pytest.mark.full
def test_visitors_open_the_page_and_evaluate_without_an_error(tmp_path: Path) -> None:
    with dashboard(tmp_path, 0.0) as address:
        app = crowd.CrowdedApp(address.rstrip("/"), ["/theme.css"])
        page, evaluations, errors = crowd.check_crowd(app, visitors=2)
    assert page.holds
    assert evaluations.measured.startswith("p50")
    assert (errors.measured, len(app.evaluations)) == ("0", 4)


def test_a_name_that_is_not_known_is_refused_with_those_that_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(BadRequest, match="leaderboard"):
        screenshots.main(["hero", "leaderbord"])
    for command, *names in (
        (walk.main, "judg"),
        (contact_sheet.main, "plant", str(tmp_path / "out.png"), "tulipp"),
    ):
        monkeypatch.setattr("sys.argv", ["bench", *names])
        with pytest.raises(SystemExit, match=f"{names[-1]}.*choose one of .*(judge|tulip)"):
            command()


@pytest.mark.browser
@pytest.mark.full
def test_a_click_is_timed_to_its_first_verdict(tmp_path: Path, browser: Browser) -> None:
    with dashboard(tmp_path, 0.0) as address:
        page = browser.new_page()
        page.goto(address)
        assert all(cold_start.click(page, prompt) > 0 for prompt in EXAMPLES[:2])


@pytest.mark.browser
@pytest.mark.full
def test_the_map_of_many_images_is_timed_until_it_is_drawn(
    tmp_path: Path, browser: Browser
) -> None:
    error_map_scale.fill(tmp_path, 300)
    assert error_map_scale.opening_seconds(browser, tmp_path, 300) > 0
