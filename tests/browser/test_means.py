"""No tab shows a mean without saying what was left out."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import shot, visit
from tests.support.left_out_store import LEFT_OUT, MEAN, fill
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
# what each tab shows of the stored runs: where, and a word that is there once it is filled
PLACES = {
    "?tab=leaderboard": ("#tabs", "m/two"),
    "?tab=errors&part=slices": ("#tabs", "groups were looked at"),
    "?tab=evaluate": ("body", "a cat 0"),
}


@pytest.mark.full
def test_each_tab_says_what_a_mean_leaves_out(
    browser: Browser, apps: SharedApps, tmp_path: Path
) -> None:
    fill(tmp_path).close()
    address = apps.fresh(folder=tmp_path)
    for query, (place, word) in PLACES.items():
        with visit(browser, address, query) as page:
            if "evaluate" in query:
                page.get_by_role("button", name="Runs").click()
            expect(page.locator(place).get_by_text(word).first).to_be_visible()
            text = page.locator(place).inner_text()
            shot(page, f"left-out-{len(query)}")
            assert MEAN.search(text), query
            assert LEFT_OUT.search(text), query
