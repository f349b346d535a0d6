"""Builds the graph of a text: its things with attributes, relations, and what is forbidden.

The last is what must not be there.

After section 3.3 of the paper (dependency tree, then triples); it knows no picture.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hallascope.data.evidence import Span
from hallascope.data.graphs import Attribute, Edge, Graph, Node
from hallascope.metrics.parsing.language import spelled
from hallascope.metrics.parsing.name_matching import same_name
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.scene_graph.attributes import NUMBER, STATE, describing, kind, normal

PART_OF = "part of"
MANY = 2  # at least so many a plural without a number asks for


@dataclass(frozen=True)
class PromptGraph:
    """A text as a graph; `phrases` are the words of each node, `parsed` all that was read."""

    graph: Graph
    phrases: tuple[Phrase, ...]
    parsed: Parsed

    def phrase(self, name: str) -> Phrase:
        """The words of a node. Raises ValueError where there is none of that name."""
        return self.phrases[[node.name for node in self.graph.nodes].index(name)]

    def number(self, name: str) -> int | None:
        """How many of it the text says, None where it says no number."""
        return self.phrase(name).number


def make_prompt_graph(text: str) -> PromptGraph:
    """The graph of a text.

    "The dog" is the one that was named before; a text that names nothing has an empty graph.
    """
    parsed = parse(text, describing())
    places = _nodes(parsed)
    kept = list(dict.fromkeys(places.values()))
    names = {at: f"n{kept.index(first) + 1}" for at, first in places.items()}
    nodes = [
        _node(parsed, names[first], [at for at in places if places[at] == first]) for first in kept
    ]
    nodes = [
        _acting(parsed, node, [at for at in places if names[at] == node.name]) for node in nodes
    ]
    numbered = tuple(
        replace(edge, name=f"e{at}") for at, edge in enumerate(_edges(parsed, names), 1)
    )
    return PromptGraph(
        Graph(tuple(nodes), numbered), tuple(parsed.phrases[first] for first in kept), parsed
    )


# --- nodes
# --------------------------------------------------------------------------------------------------


def _nodes(parsed: Parsed) -> dict[int, int]:
    """Return for each phrase of a thing, or of one said not to be there, the first of the same."""
    found: dict[int, int] = {}
    for at, phrase in enumerate(parsed.phrases):
        if phrase.is_thing or phrase.absent:
            found[at] = next(
                (
                    first
                    for first in reversed(dict.fromkeys(found.values()))
                    if _again(parsed, first, at)
                ),
                at,
            )
    return found


def _again(parsed: Parsed, first: int, at: int) -> bool:
    """Return whether two phrases name one thing: "a dog" and "the dog", not "the red dog"."""
    one = parsed.phrases[first]
    other = parsed.phrases[at]
    if not other.definite or one.absent != other.absent or not same_name(other, one):
        return False
    colours = [
        {normal(word.text) for word in each.words if kind(word.text) == "color"}
        for each in (one, other)
    ]
    return not all(colours) or bool(colours[0] & colours[1])


def _node(parsed: Parsed, name: str, places: list[int]) -> Node:
    phrases = [parsed.phrases[at] for at in places]
    first = phrases[0]
    denied = any(action.denied and action.object in places for action in parsed.actions)
    spans = tuple(phrase.named for phrase in phrases)
    return Node(
        name=name,
        label=first.name,
        attributes=tuple(_attributes(phrases)),
        spans=spans,
        absent=first.absent or denied,
    )


def _attributes(phrases: list[Phrase]) -> Iterator[Attribute]:
    met: set[str] = set()
    for phrase in phrases:
        if phrase.number is not None and NUMBER not in met:
            met.add(NUMBER)
            yield Attribute(NUMBER, spelled(phrase.number), (phrase.counted or phrase.named,))
        for word in phrase.words:
            of = kind(word.text)
            value = normal(word.text)
            if of and value not in met:
                met.add(value)
                yield Attribute(of, value, (word.span,))


def _acting(parsed: Parsed, node: Node, places: list[int]) -> Node:
    """With what it does alone: "a dog sleeping"."""
    known = {attribute.value for attribute in node.attributes}
    alone = [
        action
        for action in parsed.actions
        if action.subject in places and action.object is None and action.words not in known
    ]
    states = {action.words: Attribute(STATE, action.words, (action.span,)) for action in alone}
    return replace(node, attributes=(*node.attributes, *states.values()))


# --- edges
# --------------------------------------------------------------------------------------------------


def _edges(parsed: Parsed, names: dict[int, str]) -> Iterable[Edge]:
    """In the order of the text, each once and not yet named."""
    found: list[tuple[int, int, str, int, Span]] = []
    found += [
        (place.span[0], place.subject, place.relation, place.anchor, place.span)
        for place in parsed.places
        if place.anchor is not None
    ]
    found += [
        (a.span[0], a.subject, a.words, a.object, a.span)
        for a in parsed.actions
        if a.object is not None and not a.denied
    ]
    found += [
        (each.span[0], each.owner, PART_OF, at, _of_span(parsed, each))
        for at, each in parsed.indexed_things()
        if each.owner is not None
    ]
    said: dict[tuple[str, str, str], Edge] = {}
    for _, subject, relation, other, span in sorted(found):
        if subject in names and other in names and names[subject] != names[other]:
            key = (names[subject], relation, names[other])
            said.setdefault(key, Edge("", *key, (span,)))
    return said.values()


def _of_span(parsed: Parsed, whole: Phrase) -> Span:
    """The word "of" before what something is a part of."""
    start = parsed.text.rfind("of", 0, whole.span[0])
    return (start, start + 2) if start >= 0 else whole.named
