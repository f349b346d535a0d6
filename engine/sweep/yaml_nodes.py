"""Reads the nodes of a YAML document, each fault with its line and what to do.

It does not know what the keys mean.
"""

import difflib
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml

from hallascope.data.models.specs import CURRENCY
from hallascope.engine.sweep.spec import Fault

_NULL, _MAP, _SEQUENCE = "tag:yaml.org,2002:null", yaml.MappingNode, yaml.SequenceNode

Read = Callable[[yaml.Node], Any]


class Wrong(Exception):
    """Faults of a part that cannot stand."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults)
        self.faults = faults


def document(text: str) -> yaml.Node:
    """The one document of a text. Raises Wrong."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Wrong(
            Fault(
                mark.line + 1 if mark else 1,
                f"This is no YAML ({_short(error.problem or error.context)}): mend it.",
            )
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        at = getattr(error, "position", 0)
        raise Wrong(
            Fault(text.count("\n", 0, at) + 1, f"The file is no YAML ({_short(error)}): mend it.")
        ) from None
    if node is None:
        raise Wrong(
            Fault(
                1,
                "The file is empty: write `prompts` and `models` into it, or see examples/primer.yaml.",
            )
        )
    return node


def text(node: yaml.Node) -> str:
    """A text on one line, whatever YAML takes it for."""
    if not isinstance(node, yaml.ScalarNode) or node.tag == _NULL or not node.value.strip():
        raise wrong(
            node, f"{shown(node)} is no text: write one, in quotes where it has signs of YAML in it"
        )
    return " ".join(node.value.split())


def optional(node: yaml.Node) -> str | None:
    """A name; None where it is `none` or nothing."""
    if isinstance(node, yaml.ScalarNode) and (
        node.tag == _NULL or node.value.strip().casefold() == "none"
    ):
        return None
    return text(node)


def whole(least: int, most: int) -> Read:
    def read(node: yaml.Node) -> int:
        value = node.value.strip() if isinstance(node, yaml.ScalarNode) else ""
        if not (
            value.isascii()
            and value.removeprefix("-").isdigit()
            and len(value) < 20
            and least <= int(value) <= most
        ):
            raise wrong(
                node,
                f"{shown(node)} does not go here: write a whole number from {least:,} to {most:,}",
            )
        return int(value)

    return read


def amount(node: yaml.Node) -> float:
    try:
        value = float(node.value) if isinstance(node, yaml.ScalarNode) else math.nan
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise wrong(
            node, f"{shown(node)} is no amount of money: write one in {CURRENCY} from 0, e.g. 5.00"
        )
    return value


def flag(node: yaml.Node) -> bool:
    value = node.value.casefold() if isinstance(node, yaml.ScalarNode) else ""
    if value not in ("true", "false", "yes", "no"):
        raise wrong(node, f"{shown(node)} is neither true nor false: write one of them")
    return value in ("true", "yes")


def choice(of: Iterable[str], what: str) -> Read:
    known = tuple(of)

    def read(node: yaml.Node) -> str:
        if (name := text(node)) not in known:
            raise wrong(node, f"There is no {what} {name!r}: {_near(name, known)}")
        return name

    return read


def each(read: Read) -> Read:
    """A list, or one alone.

    Every fault of its items is told, and what stands there twice is taken once.
    """

    def several(node: yaml.Node) -> tuple[Any, ...]:
        found, faults = [], list[Fault]()
        for one in node.value if isinstance(node, _SEQUENCE) else [node]:
            try:
                found.append(read(one))
            except Wrong as faulty:
                faults += faulty.faults
        if faults:
            raise Wrong(*faults)
        return tuple(dict.fromkeys(found))

    return several


def mapping(node: yaml.Node, known: Mapping[str, Read], what: str) -> dict[str, Any]:
    """Values by key, each as its reader reads it.

    Unknown keys, doubled ones and all faults of values are told.
    """
    if not isinstance(node, _MAP):
        raise wrong(
            node,
            f"{shown(node)} stands where the keys of {what} belong: write `key: value` with {', '.join(known)}",
        )
    found: dict[str, Any] = {}
    faults: list[Fault] = []
    for key, value in node.value:
        try:
            name = _key(key, known, what)
            if name in found:
                raise wrong(key, f"The key {name!r} stands here twice: leave one out")
            found[name] = None
            found[name] = known[name](value)
        except Wrong as faulty:
            faults += faulty.faults
    if faults:
        raise Wrong(*faults)
    return found


def _key(node: yaml.Node, known: Mapping[str, Read], what: str) -> str:
    name = str(node.value) if isinstance(node, yaml.ScalarNode) else ""
    if name not in known:
        raise wrong(node, f"{shown(node)} is no key of {what}: {_near(name, tuple(known))}")
    return name


def line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def wrong(node: yaml.Node, said: str) -> Wrong:
    return Wrong(Fault(line(node), said if said.endswith("?") else f"{said}."))


def shown(node: yaml.Node) -> str:
    """A value as it stands there, shortened."""
    if isinstance(node, yaml.ScalarNode):
        return "Nothing" if node.tag == _NULL or not node.value else repr(_short(node.value))
    return "A list" if isinstance(node, _SEQUENCE) else "A mapping"


def _short(thing: object) -> str:
    said = " ".join(str(thing).split())
    return said if len(said) <= 60 else f"{said[:57]}..."


def _near(name: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"choose of {', '.join(known)}"
