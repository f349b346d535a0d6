"""Makes a graph of what a prompt asks for: objects with attributes, and how they stand.

After section 3.3 of the paper (dependency tree, then triples); the reading of the prompt is that of
`metrics.reading`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hallascope.data.graphs import Attribute, Edge, Graph, Node
from hallascope.data.prompt_reading import AskedObject, Count, PromptReading
from hallascope.metrics.reading.names import name_phrase
from hallascope.metrics.reading.parsed import Parsed, Phrase
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.reading.words.language import count_words, plural
from hallascope.metrics.scene_graph.words.attributes import NUMBER, describing_words, kind, normal


@dataclass(frozen=True)
class PromptGraph:
    """Holds the graph of a reading; `names` are the names of its nodes as the parser reads them."""

    graph: Graph
    reading: PromptReading
    names: tuple[Phrase, ...]

    def phrase(self, node: str) -> Phrase:
        """Return the name of a node as the parser reads it. Raises ValueError for no node."""
        return self.names[self._index(node)]

    def asked_object(self, node: str) -> AskedObject:
        """Return what the prompt asks for at a node. Raises ValueError for no node."""
        return self.reading.objects[self._index(node)]

    def count(self, node: str) -> Count | None:
        """Return how many of a node the prompt asks for; None where it says no number."""
        return self.asked_object(node).count

    def is_plural(self, node: str) -> bool:
        """Return whether the prompt may ask for several of a node."""
        count = self.count(node)
        return count is not None and count.most != 1

    def words(self, node: str) -> str:
        """Return the name of a node as the prompt says it of several, else that of one."""
        thing = self.asked_object(node)
        if not self.is_plural(node):
            return thing.name
        if self.reading.source == "rules" and thing.spans:
            return self.reading.prompt[slice(*thing.spans[0])]
        return plural(thing.name)

    def whole(self, node: str) -> str:
        """Return the node of which a node is one, "" where it is one of none."""
        one_of = self.asked_object(node).one_of
        ids = [thing.id for thing in self.reading.objects]
        return self.graph.nodes[ids.index(one_of)].name if one_of else ""

    @property
    def text(self) -> Parsed:
        """All that the prompt's text (or its translation) names, objects or not."""
        return parse(self.reading.translation or self.reading.prompt, describing_words())

    def _index(self, node: str) -> int:
        return [other.name for other in self.graph.nodes].index(node)


def make_prompt_graph(text: str) -> PromptGraph:
    """Return the graph of a text, read by rules; one that names nothing has an empty graph."""
    return graph_of_reading(read_prompt(text, describing_words()))


def graph_of_reading(reading: PromptReading) -> PromptGraph:
    """Return the graph of what a prompt asks for.

    A place in the picture alone ("on the left") is no edge, and neither is a relation to what must
    not be there. What must not be there in one place and is asked for in another ("a man without a
    hat beside a man with a hat") is no node: that it is in the image says nothing.
    """
    asked_for = {thing.name.casefold() for thing in reading.objects if not thing.absent}
    objects = [
        thing
        for thing in reading.objects
        if not (thing.absent and thing.name.casefold() in asked_for)
    ]
    reading = replace(reading, objects=tuple(objects))
    absent = {thing.id for thing in objects if thing.absent}
    names = {thing.id: f"n{at}" for at, thing in enumerate(reading.objects, 1)}
    nodes = tuple(
        Node(
            name=names[thing.id],
            label=thing.name,
            attributes=tuple(_attributes(thing)),
            spans=thing.spans,
            absent=thing.absent,
        )
        for thing in reading.objects
    )
    relations = [
        relation
        for relation in reading.relations
        if {relation.subject, relation.target} <= names.keys() - absent
    ]
    edges = tuple(
        Edge(
            name=f"e{number}",
            source=names[relation.subject],
            relation=relation.words,
            target=names[relation.target],
            spans=relation.spans,
        )
        for number, relation in enumerate(relations, 1)
    )
    phrases = tuple(name_phrase(thing.name) for thing in reading.objects)
    return PromptGraph(Graph(nodes, edges), reading, phrases)


def _attributes(thing: AskedObject) -> Iterator[Attribute]:
    """Yield the number of an object, where a number is said, and each word that describes it."""
    count = thing.said_count
    if count is not None:
        yield Attribute(NUMBER, count_words(count), thing.count_spans or thing.spans[:1])
    values: set[str] = set()
    for word in thing.attributes:
        attribute_kind = kind(word.value)
        value = normal(word.value)
        if attribute_kind and value not in values:
            values.add(value)
            yield Attribute(attribute_kind, value, word.spans)
