"""Lists the tabs of the dashboard by their name in the address, in the order of the header.

A module is imported when the app is built.
"""

from collections.abc import Mapping

PAGES: Mapping[str, str] = {
    "explore": "hallascope.pages.explore.page",
    "questions": "hallascope.pages.questions.page",
    "ihalla": "hallascope.pages.ihalla",
    "fig": "hallascope.pages.fig",
    "scene_graph": "hallascope.pages.scene_graph.page",
    "factualbench": "hallascope.pages.factualbench.page",
    "leaderboard": "hallascope.pages.leaderboard.page",
    "errors": "hallascope.pages.error_analysis.page",
    "judges": "hallascope.pages.judges.page",
    "people": "hallascope.pages.people.page",
    "agreement": "hallascope.pages.agreement.page",
    "teach": "hallascope.pages.teach.page",
}
