"""HTML is only ever a `Markup`, so that no text can become a tag.

An f-string, a join or a sum of plain strings is neither escaped nor `Markup`; no such string may
hold a tag. A `Markup` is made of a constant alone: what varies goes through `tag`, `join` or
`Markup(...).format`, which escape it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for part in ("components", "pages", "hallascope/results.py", "app.py")
    for path in ([ROOT / part] if part.endswith(".py") else (ROOT / part).rglob("*.py"))
)
BUILDERS = ROOT / "components" / "html" / "markup.py"  # where strings become HTML, escaped
TAG = re.compile(r"</?[a-z][a-z0-9]*[\s/>]|<!doctype", re.IGNORECASE)
PATTERNS = ("compile",)  # functions whose strings are searched for, not shown


def faults(source: str) -> Iterator[str]:
    """Yield what in the source builds HTML as a plain string, with its line."""
    tree = ast.parse(source)
    allowed = {id(node) for node in _docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in ("Markup", *PATTERNS):
            for argument in node.args:
                if isinstance(argument, ast.Constant):
                    allowed.add(id(argument))
                elif _called(node) == "Markup":
                    yield f"line {node.lineno}: Markup of what is no constant"
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in allowed:
            continue
        if isinstance(node.value, str) and TAG.search(node.value):
            yield f"line {node.lineno}: a tag in a plain string"


def _docstrings(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_plain_string_holds_a_tag(path: Path) -> None:
    if path != BUILDERS:
        assert not list(faults(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "line",
    [
        'html = f"<b>{name}</b>"',
        'html = "<b>" + name + "</b>"',
        'html = "<b>%s</b>" % name',
        'html = "".join(["<li>", name])',
        'html = Markup(f"<b>{name}</b>")',
        "html = Markup(name)",
        'html = f"<img src={name}>"',
        'html = "{}</p>".format(name)',
    ],
)
def test_html_of_plain_strings_is_found(line: str) -> None:
    assert list(faults(line))


@pytest.mark.parametrize(
    "line",
    [
        'html = Markup("<b>{}</b>").format(name)',
        'html = tag("b", name)',
        'words = f"{a} < {b}, p <0.001"',
        'pattern = re.compile(r"<b>(.*?)</b>")',
    ],
)
def test_what_is_escaped_passes(line: str) -> None:
    assert not list(faults(line))
