"""Writes the models by role as a table in Markdown, with memory, size and license."""

from collections.abc import Mapping

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import ROLES

MARKS = (
    "<!-- models: made by `hallascope models list --out data/models/README.md` -->",
    "<!-- end of models -->",
)
_HEAD = (
    "| roles | model | what it is | memory | to fetch | license |\n| --- | --- | --- | --- | --- |"
    " --- |"
)


def table(models: Mapping[str, ModelSpec]) -> str:
    """Return every model of the file that does not ship, once, by its first role.

    Services are at the end.
    """
    listed = [spec for spec in models.values() if spec.kind not in ("simulated", "trained")]
    listed.sort(key=lambda spec: (_of_service(spec), ROLES.index(spec.roles[0])))
    return "\n".join([_HEAD, *map(_row, listed)])


def insert_table(text: str, made: str) -> str:
    """Return the text with the table between its two marks.

    Raises ValueError where they are not there, in this order, each once.
    """
    before, mark, rest = text.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not mark or not end:
        raise ValueError("it has no place for the table")
    return f"{before}{mark}\n\n{made}\n\n{end}{after}"


def _of_service(spec: ModelSpec) -> bool:
    return spec.kind == "api" or spec.base_url is not None


def _row(spec: ModelSpec) -> str:
    memory = f"{spec.memory_gb:g} GB" if spec.memory_gb else "-"
    size = f"{spec.size_gb:g} GB" if spec.size_gb else "-"
    license = spec.license or ("of the service" if _of_service(spec) else "-")
    gate = ", gated" if spec.gated else ""
    cells = (
        ", ".join(spec.roles),
        f"`{spec.id}`",
        _cell(spec.title),
        memory,
        size,
        _cell(license) + gate,
    )
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
