"""Presses the button of the Evaluate tab as a browser does, and times what comes.

It knows what stands in the cards, and nothing of models.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass

from bench.crowd.http import Browser
from bench.crowd.page import PageLayout, VisitorPage

# the version of a card names how many metrics have judged its image, see `components/cards`
JUDGED_CARD = re.compile(r'data-version="(?:True|False) [1-9]')
EARLIER_RUN = "data-previous"  # the cards are still those of the run before


@dataclass(frozen=True)
class VerdictTimes:
    """Holds the seconds from a click to the first judged image and to the end of the run."""

    first: float
    last: float


class EvaluatePage:
    """Holds one visitor's page, with the settings that it opens with.

    It reads the page's configuration. Raises RefusedRequest where there is none.
    """

    def __init__(self, address: str) -> None:
        browser = Browser(address, 0)
        self._layout = PageLayout(json.loads(browser.get("/config")))
        self._page = VisitorPage(browser, self._layout)

    def close(self) -> None:
        self._page.close()

    def evaluate(self, prompt: str) -> VerdictTimes:
        """Click on an example: its prompt is evaluated by the models that the page has chosen.

        Raises RuntimeError where no image was judged.
        """
        run, cards = self._layout.queued_after("go", "click"), self._layout.ids["cards"]
        first = None

        def look() -> None:
            nonlocal first
            shown = str(self._page.values[cards])
            if first is None and JUDGED_CARD.search(shown) and EARLIER_RUN not in shown:
                first = time.monotonic() - began

        self._page.values[self._layout.ids["prompt"]] = prompt
        began = time.monotonic()
        self._page.fire("go", "click", on_message=look)
        ended = self._page.times[run].ended
        if first is None or ended is None:
            raise RuntimeError(f"No image of {prompt!r} was judged: click on it by hand and look.")
        return VerdictTimes(first, ended - began)
