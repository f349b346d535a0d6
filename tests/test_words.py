"""No text of page, commands and documentation has words that are no longer used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
# what stands for it now: image, no one, again, expected, configuration; American spelling
FORBIDDEN = re.compile(
    r"\b(pictures?|nobody|anew|gold|line-ups?|colours?|labell(?:ed|ing|er)"
    r"|licences?|centre|is said of it|who looks)\b",
    re.IGNORECASE,
)
FILES = sorted(
    file
    for folder in ("cli", "components", "pages")
    for pattern in ("*.py", "*.js")
    for file in (ROOT / folder).rglob(pattern)
)
# sentences of a script: a text in quotation marks that has a space and begins as words do
SCRIPT_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")


def python_texts(source: str) -> Iterator[str]:
    """Yield the texts of a module, without its documentation and the classes of its elements."""
    tree = ast.parse(source)
    unseen: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            unseen.add(id(node.value))
        elif isinstance(node, ast.keyword) and node.arg in ("class_", "prog"):
            unseen.update(map(id, ast.walk(node.value)))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in unseen
        ):
            yield node.value


def script_texts(source: str) -> Iterator[str]:
    """Yield the texts of a script, its comments aside."""
    for line in source.splitlines():
        if not line.lstrip().startswith(("*", "//", "/*")):
            for found in SCRIPT_TEXT.finditer(line):
                yield found[1] or found[2] or ""


def is_sentence(text: str) -> bool:
    """Return whether people read the text: it has words, and is no name, selector or markup."""
    words = re.sub(r"<[^>]*>|\$?\{[^}]*\}", " ", text).split()
    return len(words) > 1 and not re.search(r"[#.\[][\w-]+|=|\bclass\b", text.split()[0])


def test_no_text_of_the_interface_has_a_word_of_before() -> None:
    assert len(FILES) > 50
    found = {}
    for file in FILES:
        source = file.read_text(encoding="utf-8")
        texts = python_texts(source) if file.suffix == ".py" else script_texts(source)
        if wrong := [text for text in texts if is_sentence(text) and FORBIDDEN.search(text)]:
            found[str(file.relative_to(ROOT))] = wrong
    assert found == {}


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)|https?://\S+", re.MULTILINE | re.DOTALL)
COLUMN = re.compile(r"^\| `\w+` \| .*$", re.MULTILINE)  # of exports: the engine's words
WEAK = re.compile(
    r"\b(pictures?|nobody|anew|colours?|labell(?:ed|ing|er)|licences?|centre"
    r"|is told|what stands|tell\w* apart|who looks)\b",
    re.IGNORECASE,
)


def test_no_page_of_the_documentation_has_a_word_of_before() -> None:
    found = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8").rpartition("\n---\n")[2]
        prose = CODE.sub(" ", COLUMN.sub(" ", text) if page.name == "exports.md" else text)
        if wrong := [match[0] for match in WEAK.finditer(prose)]:
            found[page.name] = wrong
    assert found == {}
