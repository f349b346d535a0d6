"""Measures what pointing at a mark costs the evidence viewer, with few marks and with many:
``python -m bench.viewer_hover``.

Script and style of one hover, in milliseconds of the browser's own clock; part of ``make bench``.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, expect

from bench.ratios import COLUMNS, Ratio
from bench.support.browser import chromium
from hallascope.cli.output.printing import table
from tests.support.apps import running

FEW, MANY, FRAME = 5, 50, 16.0
MOST = 10.0  # times as many marks may cost at most so many times as much
# Point at every mark in turn, five times; each time force the style of what changed, as the browser
# would before it paints.
HOVER = """() => {
  const marks = [...document.querySelectorAll("#evidence .region")];
  const took = [];
  for (let turn = 0; turn < 6; turn += 1) for (const mark of marks) {
    const began = performance.now();
    mark.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    document.querySelector("#evidence .stage").getBoundingClientRect();
    if (turn) took.push(performance.now() - began);
  }
  return took;
}"""


def hovers(browser: Browser, address: str, marks: int) -> tuple[float, float]:
    """The median and the 95th percentile of one hover, in ms."""
    page = browser.new_page(viewport={"width": 1440, "height": 1100}, reduced_motion="reduce")
    page.goto(f"{address}?show={marks}")
    expect(page.locator("#evidence .region")).to_have_count(marks, timeout=120_000)
    took = page.evaluate(HOVER)
    page.close()
    return median(took), quantiles(took, n=20)[-1]


def ratios() -> list[Ratio]:
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), "tests.support.viewer_app", Path(folder)) as address,
        chromium() as browser,
    ):
        (few, few_worst), (many, many_worst) = (
            hovers(browser, address, marks) for marks in (FEW, MANY)
        )
    words = f"{many:.2f} ms (95 %: {many_worst:.2f}) to {few:.2f} ms (95 %: {few_worst:.2f})"
    return [
        Ratio(
            f"a hover over {MANY} marks to one over {FEW}", many / max(few, 0.1), MOST, True, words
        ),
        Ratio(
            f"a hover over {MANY} marks to one frame",
            many_worst / FRAME,
            1,
            True,
            f"95 % within {many_worst:.2f} of {FRAME:g} ms",
        ),
    ]


def main() -> None:
    found = ratios()
    print(table(COLUMNS, found))
    sys.exit(0 if all(ratio.kept for ratio in found) else 1)


if __name__ == "__main__":
    main()
