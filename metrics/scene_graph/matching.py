"""Matches seen things to those asked for: by name, and by attributes among equals.

Synonyms and kinds count ("a puppy" for "a dog"), the same word first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from hallascope.data.graphs import Graph, Node
from hallascope.metrics.reading.names import alike, label_phrase, same_name
from hallascope.metrics.reading.parsed import Phrase
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.words.attributes import NUMBER, meets

# For each asked node the seen ones that are it.
Matches = Mapping[str, tuple[str, ...]]
SAME_NAME = 2
ALIKE = 1
OTHER_NAME = 0


@dataclass(frozen=True)
class Fit:
    """Holds how well a seen node fits an asked one: by name, and how many attributes are met."""

    name: int
    attributes: int
    asked: str
    seen: str


@lru_cache(maxsize=10_000)
def name_fit(expected: Phrase, label: str) -> int:
    """Return how well a label names what was asked for.

    `SAME_NAME`, `ALIKE` for a synonym or kind, or `OTHER_NAME`, which is 0.
    """
    observed = label_phrase(label)
    if expected.name.casefold() == label.casefold():
        return SAME_NAME
    if observed is None:
        return OTHER_NAME
    if same_name(expected, observed):
        return SAME_NAME
    return ALIKE if alike(expected, observed) else OTHER_NAME


def least_number(prompt: PromptGraph, node: str) -> int:
    """Return how many things of a node the prompt asks for at least, and never under 1."""
    count = prompt.count(node)
    return max(count.least, 1) if count else 1


def matches(prompt: PromptGraph, image: Graph) -> Matches:
    """Return every asked node with the seen ones that are it, each seen one once.

    What is left over goes to the node that it fits best. Things that must not be there are matched
    with those that are there. What is one of others ("three cubes; a red cube is on top") is
    matched with one of them, each with another as long as there are any.
    """
    fits = [_fit(prompt, node, other) for node in prompt.graph.nodes for other in image.nodes]
    # The sort is stable: among equals the asked nodes keep their order.
    every = sorted((fit for fit in fits if fit.name), key=lambda fit: (-fit.name, -fit.attributes))
    ranked = [fit for fit in every if not prompt.asked_object(fit.asked).one_of]
    matched: dict[str, set[str]] = {node.name: set() for node in prompt.graph.nodes}
    taken: set[str] = set()
    for only_needed in (True, False):
        for fit in ranked:
            is_full = len(matched[fit.asked]) >= least_number(prompt, fit.asked)
            if fit.seen not in taken and not (only_needed and is_full):
                taken.add(fit.seen)
                matched[fit.asked].add(fit.seen)
    told_apart: set[str] = set()
    for only_others in (True, False):
        for fit in every:
            whole = prompt.whole(fit.asked)
            is_needed = len(matched[fit.asked]) < least_number(prompt, fit.asked)
            is_taken = only_others and fit.seen in told_apart
            if whole and is_needed and not is_taken and fit.seen in matched[whole]:
                told_apart.add(fit.seen)
                matched[fit.asked].add(fit.seen)
    return {
        name: tuple(node.name for node in image.nodes if node.name in others)
        for name, others in matched.items()
    }


def _fit(prompt: PromptGraph, node: Node, other: Node) -> Fit:
    expected = [attribute.value for attribute in node.attributes if attribute.kind != NUMBER]
    observed = [attribute.value for attribute in other.attributes]
    met = sum(any(meets(value, shown) for shown in observed) for value in expected)
    return Fit(name_fit(prompt.phrase(node.name), other.label), met, node.name, other.name)


def extraneous(prompt: PromptGraph, image: Graph) -> tuple[Node, ...]:
    """Return what is seen and nobody asked for, under no name at all.

    Several of one type that was asked for are not extraneous (section 4.1).
    """
    return tuple(node for node in image.nodes if not is_in_prompt(prompt, node.label))


def is_in_prompt(prompt: PromptGraph, label: str) -> bool:
    """Return whether a label names anything of the prompt."""
    return any(name_fit(phrase, label) for phrase in (*prompt.names, *prompt.text.phrases))
