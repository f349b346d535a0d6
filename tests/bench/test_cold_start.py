"""The bench of the start presses the button of the page, and says which bar is missed."""

from pathlib import Path

import pytest

from bench.cold_start import __main__ as bench
from bench.cold_start.__main__ import ClickRow
from bench.cold_start.apps import DASHBOARD, EMPTY
from bench.cold_start.clicks import EvaluatePage, VerdictTimes
from tests.conftest import dashboard


def test_clicks_of_the_bench_bring_verdicts(tmp_path: Path) -> None:
    with dashboard(tmp_path, 0.0) as address:
        page = EvaluatePage(address)
        for prompt in ("a molecule of methane", "a gentoo penguin"):
            times = page.evaluate(prompt)
            assert 0 < times.first <= times.last
        with pytest.raises(RuntimeError, match="No image"):
            page.evaluate("what no model here can draw")
        page.close()


def test_a_click_is_judged_by_the_median_of_its_first_verdicts() -> None:
    times = [VerdictTimes(first, 9.0) for first in (0.1, 0.2, 7.0)]
    assert ClickRow("x", times, 0.2).kept
    assert not ClickRow("x", times, 0.19).kept


@pytest.mark.parametrize(("first", "code"), [(0.5, 0), (5.5, 1)])
def test_a_missed_bar_is_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], first: float, code: int
) -> None:
    seconds = {DASHBOARD: 1.4, EMPTY: 1.0}
    monkeypatch.setattr(bench, "measure_start", seconds.__getitem__)
    row = ClickRow("as soon as the page is served", [VerdictTimes(first, 6.0)], bench.COLD_BOUND)
    monkeypatch.setattr(bench, "click_rows", lambda *_: [row])
    with pytest.raises(SystemExit) as ended:
        bench.main([])
    assert ended.value.code == code
    assert ("MISSED" in capsys.readouterr().out) == bool(code)
