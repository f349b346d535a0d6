"""Measures what pointing at a mark costs the evidence viewer, with few marks and with many:
``python -m bench.viewer_hover``.

Script and style of one hover, in milliseconds of the browser's own clock; part of ``make bench``.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import gradio as gr
from playwright.sync_api import Browser, expect

from bench.ratios import COLUMNS, Ratio
from bench.support.apps import free_port
from bench.support.browser import chromium
from bench.support.marks import crowd, paint
from hallascope.cli.output.printing import table
from hallascope.components.evidence.exhibits.findings import exhibit
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import live
from hallascope.components.theme.gradio_theme import launch_options
from hallascope.components.tiles.tile import Tile
from hallascope.data.records import Report, Score

PROMPT = "many things"
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


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Yield the address of the evidence viewer, where ``?show=`` says with how many marks."""
    with gr.Blocks(analytics_enabled=False, fill_width=True) as demo:
        evidence = live("evidence/viewer", viewer(()), elem_id="evidence")

        def load(asker: gr.Request) -> str:
            return viewer([exhibit(marked_tile(int(asker.query_params["show"]), folder))])

        demo.load(load, None, evidence)
    demo.launch(
        server_port=free_port(),
        prevent_thread_lock=True,
        quiet=True,
        allowed_paths=[str(folder)],
        **launch_options(),
    )
    yield demo.local_url
    demo.close(verbose=False)


def marked_tile(marks: int, folder: Path) -> Tile:
    found = crowd(marks)
    report = Report(
        metric="fig",
        version="1",
        prompt=PROMPT,
        image="ab" * 32,
        scores={"score": Score(1.0, marks, 0)},
        evidence=found,
    )
    return Tile(
        run="run",
        key="image",
        model="primer/careless",
        name="careless",
        prompt=PROMPT,
        seed=0,
        path=paint(found, folder / f"{marks}.png", 1024),
        reports=(report,),
    )


def ratios() -> list[Ratio]:
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder)) as address,
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
