"""Reads the modules of the rooms and what they import from each other, without running them.

Only imports that run when a module is imported count: neither those for types (under
``if TYPE_CHECKING``) nor those inside functions. Names of modules are given without `hallascope.`:
`engine.run.driver`. Modules that are named by strings in a registry are not followed.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import networkx as nx

from bench.release.wheel import ROOMS as ROOMS

ROOT = Path(__file__).parents[2]
PACKAGE = "hallascope"
OWN = "__init__"  # what a folder's own module is called among the folder's children


@dataclass(frozen=True)
class Module:
    """One file of Python: its name without `hallascope.`, its place below the root, its text."""

    name: str
    path: str
    text: str
    tree: ast.Module


class Import(NamedTuple):
    """One module imports another."""

    importer: str
    imported: str


def module_of(path: str, text: str) -> Module:
    """Return the module of a file at `path`, which is relative to the root with slashes."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == OWN:
        parts.pop()
    if parts[0] == PACKAGE and len(parts) > 1:
        del parts[0]
    return Module(".".join(parts), path, text, ast.parse(text))


@cache
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
        for node in _import_nodes(module.tree.body):
            for target in _targets(node, module):
                imported = _known(target, names)
                if imported is not None:
                    found.add(Import(module.name, imported))
    return found


def _import_nodes(body: Iterable[ast.AST]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and _checks_types(node.test):
            yield from _import_nodes(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _import_nodes(ast.iter_child_nodes(node))


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


def file_circles(found: Iterable[Import]) -> list[tuple[str, ...]]:
    """Return the groups of modules that import each other in a circle, or themselves."""
    found = set(found)
    alone = [(module,) for module, imported in sorted(found) if module == imported]
    return [*alone, *_circles(found)]


def folder_circles(modules: Sequence[Module], found: set[Import]) -> list[tuple[str, ...]]:
    """Return the groups of a folder's direct children that import each other in a circle.

    Each level is looked at by itself, so that a folder and a module beside it are two things. A
    group of modules alone is no circle of folders: `file_circles` has it.
    """
    names = _folders(modules)
    pairs: dict[str, set[tuple[str, str]]] = {name: set() for name in names}
    for one in found:
        first, second = (name.split(".") for name in one)
        for depth in range(min(len(first), len(second)) + 1):
            folder = ".".join(first[:depth])
            if first[:depth] == second[:depth] and folder in names:
                pairs[folder].add((_child(first, depth), _child(second, depth)))
    groups = []
    for folder in sorted(names):
        for group in _circles(pairs[folder]):
            full = tuple(f"{folder}.{child}" if folder else child for child in group)
            if set(full) & names:
                groups.append(full)
    return groups


def _child(parts: Sequence[str], depth: int) -> str:
    """Return which direct child of its folder at this depth a module is or lies in."""
    return parts[depth] if depth < len(parts) else OWN


def _circles(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the strongly connected components of more than one node, each sorted."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from(pairs)
    components = nx.strongly_connected_components(graph)
    return sorted(tuple(sorted(nodes)) for nodes in components if len(nodes) > 1)


def _folders(modules: Iterable[Module]) -> set[str]:
    """Return the names of all folders that hold modules; the root is ""."""
    found = {""}
    for module in modules:
        parts = module.path.split("/")[:-1]
        if parts != [PACKAGE]:
            found.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return found
