"""What the measurements read, compute and judge is right; their visitors do what people do."""

import io
import itertools
import random
from pathlib import Path

import psutil
import pytest
from bench.hero import Frame, save_animation
from PIL import Image
from playwright.sync_api import Browser

from bench import cold_start, crowd, hero
from bench import ratios as bench
from bench.cold_start import EMPTY, ClickRow, VerdictTimes
from bench.ratios import Ratio, paired_ratio
from hallascope.pages.explore.page import EXAMPLES
from tests.conftest import dashboard
from tests.support.shipped_app import DASHBOARD


def measured(monkeypatch: pytest.MonkeyPatch, ratios: list[float]) -> Ratio:
    """The paired ratio where each round takes what `ratios` say, to one second."""
    order: list[str] = []
    rounds = {"first": itertools.cycle(ratios), "second": itertools.repeat(1.0)}

    def seconds(run: object) -> float:
        assert callable(run)
        run()
        return next(rounds[order[-1]])

    monkeypatch.setattr(bench, "seconds", seconds)
    found = paired_ratio("x", lambda: order.append("first"), lambda: order.append("second"), 1.05)
    assert order[2:4] == order[5:3:-1], "they take turns at going first"
    return found


def test_a_ratio_is_missed_only_where_its_whole_interval_lies_beyond_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noisy = measured(monkeypatch, [1.0, 1.06, 1.1])
    assert noisy.value == pytest.approx(1.06)
    assert noisy.kept
    assert noisy.interval == pytest.approx((1.0, 1.1))
    assert not measured(monkeypatch, [1.06, 1.07, 1.08, 1.06, 1.07]).kept


@pytest.mark.parametrize(
    ("at_most", "value", "kept"),
    [(True, 1.1, False), (True, 0.9, True), (False, 1.1, True), (False, 0.9, False)],
)
def test_a_ratio_without_an_interval_is_judged_by_its_value(
    at_most: bool, value: float, kept: bool
) -> None:
    assert Ratio("x", value, 1.0, at_most).kept is kept


@pytest.mark.parametrize(("first", "code"), [(0.5, 0), (5.5, 1)])
def test_a_missed_bar_of_the_start_is_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], first: float, code: int
) -> None:
    seconds = {DASHBOARD: 1.4, EMPTY: 1.0}
    monkeypatch.setattr(cold_start, "measure_start", seconds.__getitem__)
    row = ClickRow("a click", [VerdictTimes(first, 6.0)], cold_start.COLD_BOUND)
    monkeypatch.setattr(cold_start, "click_rows", lambda *_: [row])
    with pytest.raises(SystemExit) as ended:
        cold_start.main([])
    assert ended.value.code == code
    assert ("MISSED" in capsys.readouterr().out) == bool(code)


def test_percentiles_of_a_crowd() -> None:
    shares = {0.0: 1.0, 0.5: 5.0, 0.9: 9.0, 0.95: 10.0, 1.0: 10.0}
    values = [float(n) for n in range(10, 0, -1)]
    assert {share: crowd.percentile(values, share) for share in shares} == shares
    assert crowd.spread([]) == "p50 inf s, p95 inf s"


@pytest.mark.full
def test_visitors_open_the_page_and_evaluate_without_an_error(tmp_path: Path) -> None:
    with dashboard(tmp_path, 0.0) as address:
        app = crowd.CrowdedApp(address.rstrip("/"), psutil.Process(), ["/theme.css"])
        page, evaluations, errors = crowd.check_crowd(app, visitors=2)
    assert page.holds
    assert evaluations.measured.startswith("p50")
    assert (errors.measured, len(app.evaluations)) == ("0", 4)


@pytest.mark.browser
@pytest.mark.full
def test_a_click_is_timed_to_its_first_and_to_its_last_verdict(
    tmp_path: Path, browser: Browser
) -> None:
    with dashboard(tmp_path, 0.0) as address:
        page = browser.new_page()
        page.goto(address)
        times = [cold_start.click(page, prompt) for prompt in EXAMPLES[:2]]
    assert all(0 < one.first <= one.last for one in times)


def noise(seed: int) -> bytes:
    """A PNG of 40 x 30 pixels at random, which compresses badly."""
    pixels = random.Random(seed).randbytes(40 * 30 * 3)
    Image.frombytes("RGB", (40, 30), pixels).save(made := io.BytesIO(), "PNG")
    return made.getvalue()


def test_an_animation_keeps_its_times_and_its_size_or_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hero, "WIDTH", 20)
    frames = [Frame(noise(number), duration) for number, duration in enumerate((900, 100, 2000))]
    file = tmp_path / "hero.webp"
    assert save_animation(frames, file) == file.stat().st_size
    with Image.open(file) as image:
        assert (image.size, getattr(image, "n_frames", 1)) == ((20, 15), 3)
    monkeypatch.setattr(hero, "HEAVIEST", 100)
    with pytest.raises(ValueError, match="3 frames take more than 100 bytes"):
        save_animation(frames, tmp_path / "other.webp")
    assert not (tmp_path / "other.webp").exists()
