"""No tab shows a mean without saying what was left out."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from hallascope.data.models.specs import read_models
from hallascope.data.records import Score
from hallascope.engine.events import EvaluateRequest, Evaluation, Finished
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.browser import visit
from tests.support.left_out_store import LEFT_OUT, MEAN, fill
from tests.support.shared_apps import SharedApps

pytestmark = [pytest.mark.browser, pytest.mark.full]
DETAILS = "Details of the I-HallA score"  # folded
# what each tab shows of the stored runs: where, a word that is there once it is filled, and what it
# says of what a mean of them leaves out
PLACES = {
    "?tab=leaderboard": ("#tabs", "m/two", LEFT_OUT),
    "?tab=errors&part=slices": ("#tabs", "groups were looked at", LEFT_OUT),
    "?tab=evaluate": ("body", "a cat 0", re.compile(r"0\.75 \(7 images, 35 left out\)")),
}
# the tabs that show one run, each by the metric that it shows, and a word that ends its numbers
OF_A_RUN = {
    "evaluate": ("ihalla", DETAILS),
    "ihalla": ("ihalla", DETAILS),
    "fig": ("fig", "metric version"),
    "scene_graph": ("scene-graph", "metric version"),
    "factualbench": ("factualbench", "metric version"),
}
# what stands beside a score: what it leaves out, or how many of its parts are met
RESTS = re.compile(r"left.out|\d of \d", re.IGNORECASE)
RUN = EvaluateRequest(
    prompt="two red circles",
    models=("primer/exact",),
    metrics=tuple(dict.fromkeys(metric for metric, _ in OF_A_RUN.values())),
    judge="primer/judge",
    captioner="primer/judge",
    detector="primer/segmenter",
    segmenter="primer/segmenter",
)


def test_each_tab_says_what_a_mean_leaves_out(
    browser: Browser, apps: SharedApps, tmp_path: Path
) -> None:
    fill(tmp_path).close()
    address = apps.fresh(folder=tmp_path)
    for query, (place, word, left_out) in PLACES.items():
        with visit(browser, address, query) as page:
            if "evaluate" in query:
                page.get_by_role("button", name="Runs").click()
            expect(page.locator(place).get_by_text(word).first).to_be_visible()
            text = page.locator(place).inner_text()
            assert MEAN.search(text), query
            assert left_out.search(text), query


def run_with_left_outs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a run of which every score is 0.75, of four things, with a fifth left out."""
    services = Services(Store(folder=folder), read_models())
    keep = services.store.keep_evaluation

    def keep_changed(*, evaluation: Evaluation, **more: Any) -> Any:
        scores = dict.fromkeys(evaluation.report.scores, Score(0.75, 4, 1))
        report = replace(evaluation.report, scores=scores, published={})
        return keep(evaluation=replace(evaluation, report=report), **more)

    monkeypatch.setattr(services.store, "keep_evaluation", keep_changed)
    *_, ended = services.evaluate(RUN)
    services.store.close()
    assert isinstance(ended, Finished)
    return ended.run


def test_each_tab_of_a_run_says_beside_every_score_what_it_leaves_out(
    browser: Browser, apps: SharedApps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_with_left_outs(tmp_path, monkeypatch)
    address = apps.fresh("shipped", folder=tmp_path)
    bare = {}
    for tab, (_, word) in OF_A_RUN.items():
        with visit(browser, address, f"?run={run}&tab={tab}") as page:
            panel = page.locator("#tabs [role=tabpanel]:visible")
            last = panel.get_by_text(word, exact=True).filter(visible=True).first
            expect(last).to_be_visible()
            if word == DETAILS:
                last.click()
                drawn = panel.get_by_text("By composition", exact=True).filter(visible=True)
                expect(drawn.first).to_be_visible()
            shown = page.locator("#tabs").inner_text()
            means = list(MEAN.finditer(shown))
            assert means, tab
            bare[tab] = [
                near
                for found in means
                if not RESTS.search(near := shown[found.start() - 50 : found.end() + 50])
            ]
    assert not any(bare.values()), bare
