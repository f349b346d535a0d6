"""The scripts of the page as text: what is in the browser is written in files of its own; it knows no Gradio."""

from pathlib import Path

FOLDER = Path(__file__).parent
PARTS = {  # scripts that come in several files, one after the other
    "evidence": ("zoom", "evidence"),
    **{name: ("nodes", name) for name in ("labelling", "lessons", "review", "teaching")},
}
VIEWER = "/* THE VIEWER */"  # in whose place a script has the evidence viewer within its own element


def script(name: str) -> str:
    """A script of ours, whole."""
    said = "\n".join((FOLDER / f"{part}.js").read_text("utf-8") for part in PARTS.get(name, (name,)))
    return said.replace(VIEWER, script("evidence")) if VIEWER in said else said
