"""Measures how the code is built and prints one table with goals: ``make house``.

Measured is the code of the rooms and of the package's own folder; tests and bench are apart. A
number is a fact: where a goal is missed the table says so, and the exit code stays 0. The values
of 0.1.0 were measured once, then.
"""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.docstrings import count_without_verb
from bench.modules import (
    EVERY,
    PACKAGE,
    ROOMS,
    ROOT,
    Import,
    Module,
    child_graph,
    depth,
    file_circles,
    folder_circles,
    imports,
    read_modules,
)
from hallascope.cli.output.printing import TextColumn, table

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
SOURCES = {".py", ".js", ".css"}
LONGEST = 100  # columns of a line
DRAWINGS = ("primer/concepts/", "primer/drawing/")
MOST_FILES = 15
# the most arrows and the longest chain that a room should have; the others have no goal
GOALS_OF_ROOMS = {
    "pages": (30, 3),
    "components": (25, 3),
    "backends": (40, 4),
    "engine": (90, 11),
}
BEFORE_OF_ROOMS = {
    "pages": (45, "107 / 8"),
    "components": (73, "89 / 9"),
    "backends": (44, "98 / 6"),
    "engine": (34, "190 / 13"),
}


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One line of the table. `met` is None where there is no goal."""

    name: str
    before: str = ""
    now: str
    goal: str = ""
    met: bool | None = None


COLUMNS = (
    TextColumn("measure", lambda m: m.name),
    TextColumn("0.1.0", lambda m: m.before),
    TextColumn("now", lambda m: m.now),
    TextColumn("goal", lambda m: m.goal),
    TextColumn("", lambda m: {None: "", True: "met", False: "NOT MET"}[m.met]),
)


def main() -> None:
    modules = read_modules()
    print(table(COLUMNS, measures(ROOT, modules)))
    for heading, groups in circles_by_kind(modules).items():
        print(
            f"\n{heading}: {len(groups)}", *(f"  {', '.join(group)}" for group in groups), sep="\n"
        )


def measures(root: Path, modules: Sequence[Module]) -> list[Measure]:
    """Return all lines of the table."""
    return [
        *_names(modules),
        *_folders(root, modules),
        *_sizes(modules),
        *_habits(modules),
        *_coverage(root, modules),
    ]


# --- names and folders ----------------------------------------------------------------------------


def types_sharing_a_name(modules: Sequence[Module]) -> tuple[int, int]:
    """Return how many classes have a name that another class has too, and of how many."""
    names = Counter(
        node.name
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
    )
    return sum(count for count in names.values() if count > 1), names.total()


def _names(modules: Sequence[Module]) -> Iterator[Measure]:
    shared, of = types_sharing_a_name(modules)
    share = shared / of
    yield Measure(
        name="types that share a name with another",
        before="43 %",
        now=f"{share:.1%} ({shared} of {of})",
        goal="< 3 %",
        met=share < 0.03,
    )


def largest_folder(files: Collection[str], room: str) -> tuple[str, int]:
    """Return the folder of a room in which most source files lie flat, and how many.

    Counted are Python, JavaScript and CSS, `__init__.py` included.
    """
    sources = [Path(file) for file in files if Path(file).suffix in SOURCES]
    flat = Counter(path.parent.as_posix() for path in sources if path.parts[0] == room)
    return max(flat.items(), key=lambda item: item[1], default=(room, 0))


def _folders(root: Path, modules: Sequence[Module]) -> Iterator[Measure]:
    files = [path.relative_to(root).as_posix() for room in ROOMS for path in _files(root / room)]
    for room in ROOMS:
        folder, count = largest_folder(files, room)
        before = str(BEFORE_OF_ROOMS[room][0]) if room in BEFORE_OF_ROOMS else ""
        yield Measure(
            name=f"files flat in one folder, {room}",
            before=before,
            now=f"{count} ({folder})",
            goal=f"<= {MOST_FILES}",
            met=count <= MOST_FILES,
        )
    found = imports(modules)
    for room in ROOMS:
        yield _arrows(room, found)
    for heading, groups in circles_by_kind(modules).items():
        only_called = "functions" in heading
        yield Measure(
            name=heading,
            before="2" if only_called and "files" in heading else "",
            now=str(len(groups)),
            goal="" if only_called else "0",
            met=None if only_called else not groups,
        )


def _files(folder: Path) -> list[Path]:
    return [
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]


def _arrows(room: str, found: set[Import]) -> Measure:
    """Count the imports between a room's direct children, at module level and for types."""
    graph = child_graph(room, found, ("module", "types"))
    arrows, chain = graph.number_of_edges(), depth(graph)
    goal = GOALS_OF_ROOMS.get(room)
    return Measure(
        name=f"arrows / depth between the children of {room}",
        before=BEFORE_OF_ROOMS[room][1] if room in BEFORE_OF_ROOMS else "",
        now=f"{arrows} / {chain}",
        goal=f"<= {goal[0]} / {goal[1]}" if goal else "",
        met=arrows <= goal[0] and chain <= goal[1] if goal else None,
    )


def circles_by_kind(modules: Sequence[Module]) -> Mapping[str, list[tuple[str, ...]]]:
    """Return the circles of imports between files and between folders.

    Imports at module level count. Circles that need an import for types or one inside a function
    stand apart.
    """
    found = imports(modules)
    files = file_circles(found)
    places = folder_circles(modules, found)
    every_file = file_circles(found, EVERY)
    every_place = folder_circles(modules, found, EVERY)
    return {
        "circles between files": files,
        "circles between folders": places,
        "circles between files by imports for types or inside functions": _without(
            every_file, files
        ),
        "circles between folders by imports for types or inside functions": _without(
            every_place, places
        ),
    }


def _without(
    groups: Sequence[tuple[str, ...]], known: Sequence[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    return [group for group in groups if group not in known]


# --- sizes ----------------------------------------------------------------------------------------


def functions(module: Module) -> list[Function]:
    """Return all functions and methods of a module, inner ones included."""
    return [node for node in ast.walk(module.tree) if isinstance(node, FUNCTIONS)]


def body_nodes(function: Function) -> int:
    """Return how many AST nodes a function's body has without its docstring."""
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return sum(1 for statement in body for _ in ast.walk(statement))


def long_lines(modules: Sequence[Module], longest: int = LONGEST) -> int:
    """Return how many lines have more columns than `longest`."""
    return sum(len(line) > longest for module in modules for line in module.text.splitlines())


def _sizes(modules: Sequence[Module]) -> Iterator[Measure]:
    apart = [module for module in modules if not module.path.startswith(DRAWINGS)]
    sizes = [body_nodes(function) for module in apart for function in functions(module)]
    middle, ninetieth = np.percentile(sizes, [50, 90])
    yield Measure(
        name="AST nodes of a function, p50 / p90, without drawings",
        before="60 / 173",
        now=f"{middle:.0f} / {ninetieth:.0f}",
        goal="<= 40 / 130",
        met=bool(middle <= 40 and ninetieth <= 130),
    )
    count = long_lines(modules)
    yield Measure(
        name=f"lines over {LONGEST} columns",
        before="> 3,100",
        now=f"{count:,}",
        goal="0",
        met=not count,
    )


# --- habits ---------------------------------------------------------------------------------------


def helpers_used_once(module: Module) -> list[str]:
    """Return the private functions and methods whose name stands exactly once in their module."""
    uses = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    private = [one.name for one in functions(module) if re.match(r"_(?!_)", one.name)]
    return [name for name in private if uses[name] == 1]


def nested_ternaries(module: Module) -> int:
    """Return how many ternaries have another one as one of their three operands."""
    return sum(
        any(isinstance(part, ast.IfExp) for part in (node.test, node.body, node.orelse))
        for node in ast.walk(module.tree)
        if isinstance(node, ast.IfExp)
    )


def tuple_assignments(module: Module) -> int:
    """Return how many assignments have a tuple on both sides (`a, b = x, y`) and are no swap."""
    return sum(
        _has_two_tuples(node) and not _is_swap(node)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign)
    )


def _has_two_tuples(node: ast.Assign) -> bool:
    return isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple)


def _is_swap(node: ast.Assign) -> bool:
    sides = (node.targets[0], node.value)
    left, right = (
        sorted(ast.unparse(part) for part in ast.iter_child_nodes(side)) for side in sides
    )
    return left == right


def _habits(modules: Sequence[Module]) -> Iterator[Measure]:
    helpers = sum(len(helpers_used_once(module)) for module in modules)
    every = sum(len(functions(module)) for module in modules)
    yield _share("private helpers used exactly once, of all functions", "32 %", helpers, every, 15)
    ternaries = sum(map(nested_ternaries, modules))
    yield Measure(
        name="nested ternaries", before="52", now=str(ternaries), goal="0", met=not ternaries
    )
    pairs = sum(map(tuple_assignments, modules))
    lines = sum(len(module.text.splitlines()) for module in modules)
    rate = 100 * pairs / lines
    yield Measure(
        name="tuple assignments in 100 lines, swaps apart",
        before="1.29",
        now=f"{rate:.2f} ({pairs})",
        goal="<= 0.2",
        met=rate <= 0.2,
    )
    bare, written = count_without_verb([module.tree for module in modules])
    yield _share("docstrings whose first sentence has no verb", "71 %", bare, written, 25)


def _share(name: str, before: str, count: int, of: int, most: int) -> Measure:
    """Return a line for a share that should be at most `most` percent."""
    return Measure(
        name=name,
        before=before,
        now=f"{count / of:.1%} ({count} of {of})",
        goal=f"<= {most} %",
        met=count / of <= most / 100,
    )


# --- types and tests ------------------------------------------------------------------------------


def strict_places(pyproject: Mapping[str, Any]) -> list[str]:
    """Return which rooms, and "tests" and "bench", mypy checks strictly.

    The package stands for all rooms, since its folders are links to them. A place for which an
    override ignores errors is left out.
    """
    settings = pyproject["tool"]["mypy"]
    if not settings.get("strict"):
        return []
    listed = set(settings.get("packages", ()))
    ignored = [
        name
        for override in settings.get("overrides", ())
        if override.get("ignore_errors")
        for name in _names_of_override(override)
    ]
    checked = [room for room in ROOMS if {PACKAGE, room, f"{PACKAGE}.{room}"} & listed]
    checked += [place for place in ("tests", "bench") if place in listed]
    return [place for place in checked if not any(place in name.split(".") for name in ignored)]


def _names_of_override(override: Mapping[str, Any]) -> list[str]:
    names = override["module"]
    return [names] if isinstance(names, str) else list(names)


def path_of_test(path: str) -> str:
    """Return where the test of a module should lie: `tests/metrics/fig/test_matching.py`.

    Those of the package's own modules lie in `tests/library`.
    """
    folder, _, name = path.rpartition("/")
    place = "library" if folder == PACKAGE else folder
    return f"tests/{place}/test_{name}"


def modules_with_a_test(paths: Sequence[str], tests: Collection[str]) -> tuple[int, int]:
    """Return how many modules have a test file of their name, and of how many.

    `__init__.py` is left out.
    """
    named = [path for path in paths if not path.endswith("__init__.py")]
    return sum(path_of_test(path) in tests for path in named), len(named)


def _coverage(root: Path, modules: Sequence[Module]) -> Iterator[Measure]:
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    places = strict_places(pyproject)
    rooms = [room for room in ROOMS if room in places]
    yield Measure(
        name="rooms under strict types",
        before="4 of 6, no tests",
        now=f"{len(rooms)} of {len(ROOMS)}, {'tests too' if 'tests' in places else 'no tests'}",
        goal="all, tests too",
        met=len(rooms) == len(ROOMS) and "tests" in places,
    )
    tests = {path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py")}
    paths = [module.path for module in modules]
    with_test, of = modules_with_a_test(paths, tests)
    yield Measure(
        name="modules with a test file of their name",
        before="41 %",
        now=f"{with_test / of:.1%} ({with_test} of {of})",
        goal=">= 90 %",
        met=with_test / of >= 0.9,
    )
    drawn = modules_with_a_test([path for path in paths if not path.startswith(DRAWINGS[0])], tests)
    yield Measure(
        name="the same without the drawings of concepts", now=f"{drawn[0] / drawn[1]:.1%}"
    )


if __name__ == "__main__":
    main()
