"""Counts the files, lines and Python tokens of each room: ``python -m bench.size [FOLDER]``.

Comments, docstrings and blank lines are no tokens, so that formatting cannot change the size.
"""

import ast
import io
import subprocess
import sys
import tokenize
from collections import defaultdict
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
    rooms: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "*.py"], capture_output=True, text=True, check=True
    )
    for name in listed.stdout.split():
        file = root / name
        parts = [file, *(root / parent for parent in Path(name).parents[:-1])]
        if file.exists() and not any(part.is_symlink() for part in parts):
            source = file.read_text(encoding="utf-8")
            rooms[name.split("/")[0]].append((1, source.count("\n"), count_tokens(source)))
    sums = {room: [sum(column) for column in zip(*own, strict=True)] for room, own in rooms.items()}
    sums = dict(sorted(sums.items(), key=lambda item: -item[1][2]))
    code = [own for room, own in sums.items() if room != "tests"]
    sums["without tests"] = [sum(column) for column in zip(*code, strict=True)]
    for room, (files, lines, tokens) in sums.items():
        print(f"{room:16}{files:6}{lines:10,}{tokens:11,}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
