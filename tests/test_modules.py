"""Imports between modules are found where they run, and their circles are right."""

import pytest

from tests.support.modules import Import, Module, file_circles, folder_circles, imports, module_of


def sources(**texts: str) -> list[Module]:
    """Return modules by path, with two underscores for a slash."""
    return [module_of(f"{path.replace('__', '/')}.py", text) for path, text in texts.items()]


def links(*pairs: str) -> set[Import]:
    """Return imports written as "a>b"."""
    return {Import(*pair.split(">")) for pair in pairs}


@pytest.mark.parametrize(
    "statement, is_found",
    [
        ("from hallascope.data.b import x", True),
        ("from hallascope.data import b", True),
        ("import hallascope.data.b", True),
        ("from .b import x", True),
        ("from . import b", True),
        ("try:\n    from hallascope.data.b import x\nexcept ImportError: pass", True),
        ("class A:\n    from hallascope.data.b import x", True),
        ("if TYPE_CHECKING:\n    from hallascope.data.b import x", False),
        ("class A:\n    def f(self):\n        from hallascope.data.b import x", False),
        ("import json, numpy.linalg", False),
    ],
)
def test_an_import_counts_where_it_runs_at_import(statement: str, is_found: bool) -> None:
    found = imports(sources(data__a=statement, data__b=""))
    assert found == (links("data.a>data.b") if is_found else set())


def test_modules_are_named_by_their_place() -> None:
    paths = ("engine/run/driver.py", "engine/run/__init__.py", "hallascope/api.py")
    assert [module_of(path, "").name for path in paths] == [
        "engine.run.driver",
        "engine.run",
        "api",
    ]


def test_folders_that_import_each_other_by_different_files_are_a_circle() -> None:
    found = links("e.a.x>e.b.x", "e.b.y>e.a.y")
    tree = sources(e__a__x="", e__a__y="", e__b__x="", e__b__y="")
    assert file_circles(found) == []
    assert folder_circles(tree, found) == [("e.a", "e.b")]
    assert file_circles(links("a>b", "b>c", "c>a", "c>d")) == [("a", "b", "c")]
    assert file_circles(links("a>b", "b>b")) == [("b",)]


def test_a_folder_and_a_module_beside_it_are_two_things() -> None:
    tree = sources(e__services="", e__errors="", e__run__a="")
    downward = links("e.services>e.run.a", "e.run.a>e.errors")
    assert folder_circles(tree, downward) == []
    back = downward | links("e.run.a>e.services")
    assert folder_circles(tree, back) == [("e.run", "e.services")]
