"""The scripts of the page as text: what is in the browser is written in files of its own.

It knows no Gradio.
"""

from pathlib import Path

FOLDER = Path(__file__).parents[1]
DOM = "js/dom"
PARTS = {  # scripts that come in several files, one after the other
    "evidence/viewer": ("js/zoom", "evidence/viewer"),
    **{
        name: (DOM, name)
        for name in (
            "people/labelling",
            "teach/lesson_editor",
            "questions/review",
            "teach/exercise",
        )
    },
}
VIEWER = (
    "/* THE VIEWER */"  # in whose place a script has the evidence viewer within its own element
)


def script(name: str) -> str:
    """Return a script whole, named as its file lies in `components`, without its suffix."""
    parts = PARTS.get(name, (name,))
    code = "\n".join((FOLDER / f"{part}.js").read_text("utf-8") for part in parts)
    return code.replace(VIEWER, script("evidence/viewer")) if VIEWER in code else code
