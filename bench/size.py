"""Counts the files, lines and Python tokens of each room: ``python -m bench.size [FOLDER]``.

Comments, docstrings and blank lines are no tokens, so that formatting cannot change the size.
"""

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from pathlib import Path

LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def count_tokens(source: str) -> int:
    """Return how many tokens a module has."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, owners) and ast.get_docstring(node, clean=False) is not None
    }
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return sum(
        token.type not in LAYOUT
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
        for token in tokens
    )


def main(root: Path) -> None:
    """Print a line a room, the largest first, and their sum without the tests."""
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "*.py"], capture_output=True, text=True, check=True
    )
    for name in listed.stdout.split():
        file = root / name
        if file.exists() and file.resolve() == root.resolve() / name:  # a link is no file of a room
            source = file.read_text(encoding="utf-8")
            counts = {"files": 1, "lines": source.count("\n"), "tokens": count_tokens(source)}
            rooms[name.split("/")[0]].update(counts)
    ordered = sorted(rooms.items(), key=lambda item: -item[1]["tokens"])
    code = sum((counts for room, counts in ordered if room != "tests"), Counter())
    for room, counts in [*ordered, ("without tests", code)]:
        print(f"{room:16}{counts['files']:6}{counts['lines']:10,}{counts['tokens']:11,}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
