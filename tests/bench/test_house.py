"""Each counter of `make house` on small sources whose count can be seen."""

import pytest

from bench import house
from bench.modules import ROOMS, Import, Module, module_of


def module(text: str, path: str = "data/sample.py") -> Module:
    return module_of(path, text)


def test_types_that_share_a_name_are_all_counted() -> None:
    modules = [
        module("class Page: ...\nclass Row: ..."),
        module("class Page: ...\ndef f():\n    class Page: ...", "data/other.py"),
    ]
    assert house.types_sharing_a_name(modules) == (3, 4)


def test_the_largest_folder_counts_sources_that_lie_flat_in_it() -> None:
    files = [
        *("pages/a/__init__.py", "pages/a/one.py", "pages/a/look.css", "pages/a/photo.png"),
        *("pages/one.py", "pages/two.py", "data/one.py"),
    ]
    assert house.largest_folder(files, "pages") == ("pages/a", 3)
    assert house.largest_folder(files, "cli") == ("cli", 0)


@pytest.mark.parametrize(
    ("source", "nodes"),
    [
        ("def f():\n    pass", 1),
        ('def f():\n    """Only words."""', 0),
        ('def f():\n    """Words."""\n    return 1', 2),
        ("def f():\n    return x", 3),
    ],
)
def test_a_body_is_counted_in_nodes_without_its_docstring(source: str, nodes: int) -> None:
    (function,) = house.functions(module(source))
    assert house.body_nodes(function) == nodes


def test_functions_are_methods_and_inner_ones_too() -> None:
    source = "class A:\n    async def f(self):\n        def g(): ...\ndef h(): ..."
    assert {one.name for one in house.functions(module(source))} == {"f", "g", "h"}


def test_a_line_is_long_from_one_column_more_than_allowed() -> None:
    assert house.long_lines([module(f"#{'x' * 99}\n#{'x' * 100}\n")], longest=100) == 1


def test_a_private_helper_counts_where_its_name_stands_once() -> None:
    source = (
        "def _once(): ...\ndef _twice(): ...\ndef _never(): ...\ndef public(): ...\n"
        "class A:\n    def __init__(self): self._method()\n    def _method(self): ...\n"
        "_once(), _twice(), _twice(), public()"
    )
    assert house.helpers_used_once(module(source)) == ["_once", "_method"]


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("x = 1 if a else 2", 0),
        ("x = 1 if a else 2 if b else 3", 1),
        ("x = (1 if a else 2) if b else 3", 1),
        ("x = 1 if a else f(2 if b else 3)", 0),
        ("x = 1 if a else 2 if b else 3 if c else 4", 2),
    ],
)
def test_a_ternary_is_nested_where_another_is_its_operand(source: str, count: int) -> None:
    assert house.nested_ternaries(module(source)) == count


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("a, b = 1, 'x'", 1),
        ("a, b = b, a", 0),
        ("a[0], a[1] = a[1], a[0]", 0),
        ("a, b = f()", 0),
        ("a = 1, 2", 0),
        ("self.a, self.b = a, b", 1),
    ],
)
def test_assignments_of_tuples_count_but_swaps_do_not(source: str, count: int) -> None:
    assert house.tuple_assignments(module(source)) == count


@pytest.mark.parametrize(
    ("mypy", "places"),
    [
        ({"strict": True, "packages": ["data", "tests"]}, ["data", "tests"]),
        ({"strict": True, "packages": ["hallascope"]}, list(ROOMS)),
        ({"packages": ["data"]}, []),
        (
            {
                "strict": True,
                "packages": ["data", "engine"],
                "overrides": [{"module": "hallascope.data.*", "ignore_errors": True}],
            },
            ["engine"],
        ),
    ],
)
def test_a_room_is_strict_where_mypy_reads_it_strictly(
    mypy: dict[str, object], places: list[str]
) -> None:
    assert house.strict_places({"tool": {"mypy": mypy}}) == places


def test_a_module_has_a_test_where_the_file_of_its_name_lies_in_its_place() -> None:
    paths = [
        *("metrics/fig/matching.py", "metrics/fig/report.py", "metrics/fig/__init__.py"),
        "hallascope/api.py",
    ]
    tests = {
        *("tests/metrics/fig/test_matching.py", "tests/metrics/test_report.py"),
        "tests/library/test_api.py",
    }
    assert house.modules_with_a_test(paths, tests) == (2, 3)


def test_circles_inside_functions_stand_apart() -> None:
    modules = [
        module("import data.b", "data/a.py"),
        module("def f():\n    import data.a", "data/b.py"),
        module("import data.d", "data/c.py"),
        module("import data.c", "data/d.py"),
    ]
    found = house.circles_by_kind(modules)
    apart = "circles between files by imports for types or inside functions"
    assert found["circles between files"] == [("data.c", "data.d")]
    assert found[apart] == [("data.a", "data.b")]
    assert found["circles between folders"] == []


def test_a_missed_goal_is_said_and_a_line_without_a_goal_is_not_judged() -> None:
    arrow = {
        Import("pages.a", "pages.b", "module"),
        Import("data.a", "data.b", "module"),
    }
    assert house._arrows("pages", arrow).met is True
    assert house._arrows("data", arrow).met is None
    chain = {Import(f"pages.{n}", f"pages.{n + 1}", "module") for n in range(3)}
    assert house._arrows("pages", chain).now == "3 / 4"
    assert house._arrows("pages", chain).met is False
