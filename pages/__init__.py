"""The tabs of the dashboard, one module each, in the order they stand in the header; a page is imported when the app is built."""

PAGES: tuple[str, ...] = (
    "pages.explore",
    "pages.questions",
    "pages.ihalla",
    "pages.fig",
    "pages.scene_graph",
    "pages.factualbench",
    "pages.leaderboard",
    "pages.judges",
    "pages.people",
    "pages.agreement",
    "pages.teach",
)
