"""The product uses no private name of a library: those change without notice."""

import ast
import re
from collections.abc import Iterator, Mapping

from tests.support.modules import read_modules

OURS = {"hallascope", "bench", "tests", "training"}
PRIVATE = re.compile(r"_[a-zA-Z0-9]\w*")
# Documented, though they begin with an underscore.
PUBLIC = {"_asdict", "_exit", "_fields", "_make", "_replace"}


def defined_names(tree: ast.AST) -> Iterator[str]:
    """The names that a file defines: functions, classes, variables, parameters, attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=value):
                for each in ast.walk(value):
                    if isinstance(each, ast.Constant):
                        yield str(each.value)


def used_names(tree: ast.AST) -> Iterator[str]:
    """The private names that a file may take from a library."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name):
                yield name
            case ast.Call(
                func=ast.Name(id="getattr" | "setattr" | "hasattr"),
                args=[_, ast.Constant(value=str(name)), *_],
            ):
                yield name
            case ast.ImportFrom(module=str(module), level=0, names=names):
                if module.partition(".")[0] not in OURS:
                    yield from (*module.split("."), *(each.name for each in names))
            case ast.Import(names=names):
                yield from (part for each in names for part in each.name.split("."))


def imported_files(tree: ast.AST) -> Iterator[str]:
    """The paths of our own files that a file may import from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hallascope"):
            folder = "/".join(str(node.module).split(".")[1:])
            for path in (folder, *(f"{folder}/{each.name}" for each in node.names)):
                yield from (f"{path}.py", f"{path}/__init__.py")


def findings(trees: Mapping[str, ast.Module]) -> set[tuple[str, str]]:
    """File and name of each private name that its file, and what that imports, do not define."""
    defined = {file: set(defined_names(tree)) for file, tree in trees.items()}
    found = set[tuple[str, str]]()
    for file, tree in trees.items():
        near = (file, *imported_files(tree))
        own = PUBLIC.union(*(defined.get(each, set()) for each in near))
        used = {name for name in used_names(tree) if PRIVATE.fullmatch(name)}
        found |= {(file, name) for name in used - own}
    return found


def inner_parts_of_gradio(tree: ast.AST) -> Iterator[str]:
    """What a file takes from Gradio beside `gradio` itself: its modules, and subclasses."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("gradio"):
                yield module
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name.startswith("gradio."))
            case ast.ClassDef(bases=bases):
                yield from (base for each in bases if (base := ast.unparse(each))[:3] == "gr.")


def test_no_private_name_of_a_library_is_used() -> None:
    assert not findings({module.path: module.tree for module in read_modules()})


def test_gradio_is_used_by_its_own_name_alone() -> None:
    found = {each.path: list(inner_parts_of_gradio(each.tree)) for each in read_modules()}
    assert {file: parts for file, parts in found.items() if parts} == {}
