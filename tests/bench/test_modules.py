"""Imports between modules are found where they stand, and their chains and circles are right."""

import pytest

from bench import modules
from bench.modules import Import, Module, module_of


def sources(**texts: str) -> list[Module]:
    """Return modules by path, with two underscores for a slash."""
    return [module_of(f"{path.replace('__', '/')}.py", text) for path, text in texts.items()]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("engine/run/driver.py", "engine.run.driver"),
        ("engine/run/__init__.py", "engine.run"),
        ("hallascope/api.py", "api"),
        ("hallascope/__init__.py", "hallascope"),
    ],
)
def test_a_module_is_named_by_its_place(path: str, name: str) -> None:
    assert module_of(path, "").name == name


@pytest.mark.parametrize(
    ("statement", "when"),
    [
        ("from hallascope.data.b import x", "module"),
        ("from hallascope.data import b", "module"),
        ("import hallascope.data.b", "module"),
        ("from .b import x", "module"),
        ("from . import b", "module"),
        ("try:\n    from hallascope.data.b import x\nexcept ImportError: pass", "module"),
        ("class A:\n    from hallascope.data.b import x", "module"),
        ("if TYPE_CHECKING:\n    from hallascope.data.b import x", "types"),
        ("def f():\n    from hallascope.data.b import x", "function"),
        ("class A:\n    def f(self):\n        from hallascope.data.b import x", "function"),
    ],
)
def test_an_import_is_found_with_the_kind_of_its_place(statement: str, when: modules.When) -> None:
    assert modules.imports(sources(data__a=statement, data__b="")) == {
        Import("data.a", "data.b", when)
    }


def test_what_is_not_ours_is_no_import() -> None:
    assert modules.imports(sources(data__a="import json, numpy.linalg", data__b="")) == set()


def links(*pairs: str, when: modules.When = "module") -> set[Import]:
    """Return imports written as "a>b"."""
    return {
        Import(importer, imported, when)
        for importer, imported in (pair.split(">") for pair in pairs)
    }


def test_children_of_a_folder_are_its_subfolders_modules_and_its_own_module() -> None:
    found = links(
        "e.run.a>e.run.b", "e.run.a>e.store.a", "e.services>e.run.a", "e>e.services", "e.x>d"
    )
    graph = modules.child_graph("e", found)
    assert set(graph.edges) == {
        ("run", "store"),
        ("services", "run"),
        ("__init__", "services"),
    }
    assert modules.depth(graph) == 4
    assert set(modules.child_graph("", found).edges) == {("e", "d")}


def test_a_circle_is_one_step_of_a_chain() -> None:
    assert modules.depth(modules.module_graph(links("a>b", "b>a", "b>c"))) == 2
    assert modules.depth(modules.module_graph(set())) == 0


def test_folders_that_import_each_other_by_different_files_are_a_circle() -> None:
    found = links("e.a.x>e.b.x", "e.b.y>e.a.y")
    tree = sources(e__a__x="", e__a__y="", e__b__x="", e__b__y="")
    assert modules.file_circles(found) == []
    assert modules.folder_circles(tree, found) == [("e.a", "e.b")]


def test_a_folder_and_a_module_beside_it_are_two_things() -> None:
    tree = sources(e__services="", e__errors="", e__run__a="")
    downward = links("e.services>e.run.a", "e.run.a>e.errors")
    assert modules.folder_circles(tree, downward) == []
    back = downward | links("e.run.a>e.services")
    assert modules.folder_circles(tree, back) == [("e.run", "e.services")]


def test_a_circle_by_a_function_counts_only_where_it_is_asked_for() -> None:
    found = links("a>b") | links("b>a", when="function")
    assert modules.file_circles(found) == []
    assert modules.file_circles(found, modules.EVERY) == [("a", "b")]


def test_the_rooms_of_this_checkout_are_read() -> None:
    names = {module.name for module in modules.read_modules()}
    assert {"engine.services", "api", "metrics", "primer.scenes"} <= names
