"""The one look, light and dark: tokens as CSS variables, and the style sheets.

It knows no library that shows them.
"""

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parents[1]
SHEETS = (
    "theme/style.css",
    "theme/parts.css",
    "evidence/viewer.css",
    "html/truth.css",
    "cards/matrix.css",
    "html/jury.css",
    "evidence/image_stage.css",
    "evidence/exhibits/factualbench.css",
    "readings/panel.css",
    "share/share.css",
    "questions/questions.css",
    "scene_graph/graph_drawing.css",
    "scene_graph/graph.css",
    "all_metrics/all_metrics.css",
    "judges/judges.css",
    "leaderboard/leaderboard.css",
    "labels/labeling.css",
    "runs/runs.css",
    "errors/image_tiles.css",
    "errors/slice_table.css",
    "errors/run_changes.css",
    "learn/exercise.css",
    "learn/break_it.css",
    "learn/odd_one_out.css",
    "learn/live/cards.css",
    "models/quotes.css",
    "models/prompt_help.css",
    "theme/narrow.css",
)

LIGHT: Mapping[str, str] = {
    "paper": "#faf9f6",
    "card": "#ffffff",
    "quiet": "#f4f2ed",
    "line": "#e4e1da",
    "line-strong": "#8b8a86",
    "ink": "#1d1f24",
    "soft": "#5c6270",
    "accent": "#2f5fd0",
    "accent-wash": "#edf2fd",
    "button": "#2f5fd0",
    "correct": "#1a7f4e",
    "correct-wash": "#ebf6f0",
    "incorrect": "#b3261e",
    "incorrect-wash": "#fbe9e7",
    "left-out": "#7a5b00",
    "left-out-wash": "#faf0d2",
}
DARK: Mapping[str, str] = {
    "paper": "#17181b",
    "card": "#1f2125",
    "quiet": "#26282d",
    "line": "#35383f",
    "line-strong": "#7d828d",
    "ink": "#ecebe6",
    "soft": "#a9aeb9",
    "accent": "#93b1f8",
    "accent-wash": "#232d45",
    "button": "#3a68d6",
    "correct": "#74d3a2",
    "correct-wash": "#1b3327",
    "incorrect": "#ff9f94",
    "incorrect-wash": "#40211f",
    "left-out": "#e8c565",
    "left-out-wash": "#372e16",
}


def css() -> str:
    """Return the tokens of both looks and the style sheets."""
    light, dark = (
        " ".join(f"--{token}: {value};" for token, value in tokens.items())
        for tokens in (LIGHT, DARK)
    )
    return (
        f":root {{ color-scheme: light; {light} }}\n.dark {{ color-scheme: dark; {dark} }}\n"
        f"{sheets()}"
    )


def sheets() -> str:
    """Return all style sheets in their order: a later one overrides an earlier one."""
    return "\n".join((FOLDER / name).read_text("utf-8") for name in SHEETS)
