"""Reads the modules of the rooms and what they import from each other, without running them.

An import is one of three: at module level (it runs when the module is imported), for types (under
``if TYPE_CHECKING``), or inside a function (it runs when the function is called). Names of modules
are given without `hallascope.`: `engine.run.driver`. Modules that are named by strings in a
registry are not followed.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import networkx as nx

ROOT = Path(__file__).parents[1]
ROOMS = ("pages", "components", "cli", "engine", "metrics", "backends", "primer", "data")
PACKAGE = "hallascope"
When = Literal["module", "types", "function"]
EVERY: tuple[When, ...] = get_args(When)
OWN = "__init__"  # what a folder's own module is called among the folder's children


@dataclass(frozen=True)
class Module:
    """One file of Python: its name without `hallascope.`, its place below the root, its text."""

    name: str
    path: str
    text: str
    tree: ast.Module


class Import(NamedTuple):
    """One module imports another, once for each kind of place."""

    importer: str
    imported: str
    when: When


def module_of(path: str, text: str) -> Module:
    """Return the module of a file at `path`, which is relative to the root with slashes."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == OWN:
        parts.pop()
    if parts[0] == PACKAGE and len(parts) > 1:
        del parts[0]
    return Module(".".join(parts), path, text, ast.parse(text))


def read_modules(root: Path = ROOT) -> list[Module]:
    """Return all modules of the rooms and of the package's own folder, sorted by path."""
    files = [file for room in ROOMS for file in (root / room).rglob("*.py")]
    files += (root / PACKAGE).glob("*.py")
    paths = sorted(file.relative_to(root).as_posix() for file in files)
    return [module_of(path, (root / path).read_text(encoding="utf-8")) for path in paths]


def imports(modules: Sequence[Module]) -> set[Import]:
    """Return all imports between the modules."""
    names = frozenset(module.name for module in modules)
    found = set[Import]()
    for module in modules:
        for node, when in _import_nodes(module.tree.body, "module"):
            for target in _targets(node, module):
                imported = _known(target, names)
                if imported is not None and imported != module.name:
                    found.add(Import(module.name, imported, when))
    return found


def _import_nodes(
    body: Iterable[ast.AST], when: When
) -> Iterator[tuple[ast.Import | ast.ImportFrom, When]]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, when
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _import_nodes(ast.iter_child_nodes(node), "function")
        elif isinstance(node, ast.If) and when == "module" and _checks_types(node.test):
            yield from _import_nodes(node.body, "types")
            yield from _import_nodes(node.orelse, when)
        else:
            yield from _import_nodes(ast.iter_child_nodes(node), when)


def _checks_types(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _targets(node: ast.Import | ast.ImportFrom, module: Module) -> list[str]:
    """Return the full names that a statement imports, without `hallascope.`."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        base = _absolute(node, module)
        names = [f"{base}.{alias.name}" for alias in node.names]
    return [name.removeprefix(f"{PACKAGE}.") for name in names]


def _absolute(node: ast.ImportFrom, module: Module) -> str:
    if not node.level:
        return node.module or ""
    parts = module.path.removesuffix(".py").split("/")[: -node.level]
    return ".".join([*parts, *filter(None, [node.module])])


def _known(target: str, names: frozenset[str]) -> str | None:
    """Return the module that a full name is, or is a part of."""
    while target and target not in names:
        target = target.rpartition(".")[0]
    return target or None


def module_graph(found: Iterable[Import], whens: Sequence[When] = EVERY) -> "nx.DiGraph[str]":
    """Return which module imports which, by imports of the given kinds."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from((one.importer, one.imported) for one in found if one.when in whens)
    return graph


def child_graph(
    folder: str, found: Iterable[Import], whens: Sequence[When] = EVERY
) -> "nx.DiGraph[str]":
    """Return which direct child of a folder imports which: its subfolders and modules.

    `folder` is a name such as `engine.run`; "" is the root, whose children are the rooms.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    for one in found:
        first, second = _child(one.importer, folder), _child(one.imported, folder)
        if one.when in whens and first and second and first != second:
            graph.add_edge(first, second)
    return graph


def _child(name: str, folder: str) -> str | None:
    if not folder:
        return name.partition(".")[0]
    if name == folder:
        return OWN
    if not name.startswith(f"{folder}."):
        return None
    return name.removeprefix(f"{folder}.").partition(".")[0]


def depth(graph: "nx.DiGraph[str]") -> int:
    """Return how many nodes the longest chain has; a circle counts as one node."""
    if not graph:
        return 0
    chain: int = nx.dag_longest_path_length(nx.condensation(graph))
    return chain + 1


def circles(graph: "nx.DiGraph[str]") -> list[tuple[str, ...]]:
    """Return the strongly connected components of more than one node, each sorted."""
    components = nx.strongly_connected_components(graph)
    return sorted(tuple(sorted(nodes)) for nodes in components if len(nodes) > 1)


def folders(modules: Iterable[Module]) -> list[str]:
    """Return the names of all folders that hold modules, the root ("") first."""
    found = {""}
    for module in modules:
        parts = module.path.split("/")[:-1]
        if parts != [PACKAGE]:
            found.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return sorted(found)


def file_circles(
    found: Iterable[Import], whens: Sequence[When] = ("module",)
) -> list[tuple[str, ...]]:
    """Return the groups of modules that import each other in a circle."""
    return circles(module_graph(found, whens))


def folder_circles(
    modules: Sequence[Module], found: set[Import], whens: Sequence[When] = ("module",)
) -> list[tuple[str, ...]]:
    """Return the groups of a folder's direct children that import each other in a circle.

    Each level is looked at by itself, so that a folder and a module beside it are two things. A
    group of modules alone is no circle of folders: `file_circles` has it.
    """
    names = folders(modules)
    groups = []
    for folder in names:
        for group in circles(child_graph(folder, found, whens)):
            full = tuple(f"{folder}.{child}" if folder else child for child in group)
            if set(full) & set(names):
                groups.append(full)
    return groups
