"""The one look, light and dark: tokens as CSS variables, icons, and the style sheets.

It knows no library that shows them.
"""

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

BUTTON = Markup("""<button type="button" class="look" data-look aria-pressed="false"
aria-label="Dark look"><svg viewBox="0 0 16 16" aria-hidden="true">
<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.4"/>
<path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor"/></svg></button>""")
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

# Icons as paths in a 16 x 16 box: a glyph may be missing from a font, a path is not.
ICON_PATHS: Mapping[str, str] = {
    "check": "M3.2 8.6 6.5 12 12.8 4.6",
    "cross": "M4 4 12 12M12 4 4 12",
    "question": "M5.4 5.9a2.6 2.6 0 1 1 3.9 2.3c-.9.5-1.3 1-1.3 1.9M8 12.9v.1",
    "dot": "M8 8v.01",
    "warning": "M8 2.2 14.6 13.6H1.4ZM8 6.6v3.1M8 11.5v.1",
}
_ICON_IMAGE = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none'"
    " stroke='black' stroke-width='2.2' stroke-linecap='round' stroke-linejoin='round'%3E"
    "%3Cpath d='{path}'/%3E%3C/svg%3E"
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
    """Return the tokens of both looks, the icons and the style sheets."""
    light, dark = (
        " ".join(f"--{token}: {value};" for token, value in tokens.items())
        for tokens in (LIGHT, DARK)
    )
    icons = "\n".join(
        f'.icon-{name}::before {{ content: ""; '
        f'mask-image: url("{_ICON_IMAGE.format(path=path)}"); }}'
        for name, path in ICON_PATHS.items()
    )
    return (
        f":root {{ color-scheme: light; {light} }}\n.dark {{ color-scheme: dark; {dark} }}\n"
        f"{icons}\n{sheets()}"
    )


def sheets() -> str:
    """Return all style sheets in their order: a later one overrides an earlier one."""
    return "\n".join((FOLDER / name).read_text("utf-8") for name in SHEETS)
