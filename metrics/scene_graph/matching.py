"""Matches seen things to those asked for: by name, and by attributes among equals.

It knows names and attributes, no boxes. Our reading: synonyms and kinds count ("a puppy" for "a
dog"), the same word first.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from hallascope.data.graphs import Graph, Node
from hallascope.metrics.parsing.language import article
from hallascope.metrics.parsing.name_matching import alike, same_name
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.scene_graph.attributes import NUMBER, meets
from hallascope.metrics.scene_graph.prompt_graph import MANY, PromptGraph

Matches = Mapping[str, tuple[str, ...]]  # for each asked node the seen ones that are it


class Fit(NamedTuple):
    """How well a seen thing fits an asked one: by name (2 the same, 1 alike) and attributes.

    It counts how many of its attributes fit.
    """

    name: int
    attributes: int


def label_phrase(label: str) -> Phrase | None:
    """The words of a label as the parser reads a thing."""
    return next(iter(parse(article(label)).things), None)


@cache
def called(asked: Phrase, label: str) -> int:
    """Return how well a label names what was asked for: 2 the same, 1 a synonym or kind, 0."""
    said = label_phrase(label)
    if asked.name.casefold() == label.casefold() or (said is not None and same_name(asked, said)):
        return 2
    return int(said is not None and alike(asked, said))


def needed(phrase: Phrase) -> int:
    """How many of a thing the prompt asks for at least."""
    return phrase.number or (MANY if phrase.plural else 1)


def matches(asked: PromptGraph, seen: Graph) -> Matches:
    """Every asked node with the seen ones that are it, each seen one once.

    What is left over goes to the node that it fits best.

    Of things that must not be there, those that are there.
    """
    pairs = [
        (fit, node.name, one.name)
        for node in asked.graph.nodes
        for one in seen.nodes
        if (fit := _fit(asked, node, one)).name
    ]
    order = {node.name: at for at, node in enumerate(asked.graph.nodes)}
    pairs.sort(key=lambda pair: (-pair[0].name, -pair[0].attributes, order[pair[1]]))
    found: dict[str, list[str]] = {node.name: [] for node in asked.graph.nodes}
    taken: set[str] = set()
    for room in (True, False):
        for _, name, one in pairs:
            if one not in taken and (not room or len(found[name]) < needed(asked.phrase(name))):
                taken.add(one)
                found[name].append(one)
    return {name: _in_order(seen.nodes, ones) for name, ones in found.items()}


def _fit(asked: PromptGraph, node: Node, one: Node) -> Fit:
    wanted = [attribute.value for attribute in node.attributes if attribute.kind != NUMBER]
    shown = [attribute.value for attribute in one.attributes]
    met = sum(any(meets(value, other) for other in shown) for value in wanted)
    return Fit(called(asked.phrase(node.name), one.label), met)


def _in_order(nodes: Sequence[Node], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(node.name for node in nodes if node.name in names)


def extraneous(asked: PromptGraph, seen: Graph) -> tuple[Node, ...]:
    """What is seen and nobody asked for, under no name at all.

    Several of one type that was asked for are not extraneous (section 4.1).
    """
    return tuple(
        one
        for one in seen.nodes
        if not any(called(phrase, one.label) for phrase in asked.parsed.phrases)
    )
