"""Lists the tabs of the dashboard by their name in the address, in the order of the header.

A module is imported when the app is built. The tabs within a tab are the `PARTS` of its module.
"""

from collections.abc import Mapping

PAGES: Mapping[str, str] = {
    "evaluate": "hallascope.pages.evaluate.page",
    "leaderboard": "hallascope.pages.leaderboard.page",
    "errors": "hallascope.pages.errors.page",
    "trust": "hallascope.pages.trust",
    "learn": "hallascope.pages.learn.page",
}
