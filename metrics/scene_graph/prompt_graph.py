"""Builds the graph of a text: its things with attributes, relations, and what must not be there.

After section 3.3 of the paper (dependency tree, then triples).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hallascope.data.graphs import Attribute, Edge, Graph, Node
from hallascope.data.regions import Span
from hallascope.metrics.parsing.name_matching import same_name
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.words.language import number_word
from hallascope.metrics.scene_graph.attributes import NUMBER, STATE, describing_words, kind, normal

PART_OF = "part of"
MANY = 2  # at least so many a plural without a number asks for


@dataclass(frozen=True)
class PromptGraph:
    """Holds a text as a graph; `phrases` are the words of each node, `parsed` all that was read."""

    graph: Graph
    phrases: tuple[Phrase, ...]
    parsed: Parsed

    def phrase(self, name: str) -> Phrase:
        """Return the words of a node. Raises ValueError where there is none of that name."""
        return self.phrases[[node.name for node in self.graph.nodes].index(name)]

    def number(self, name: str) -> int | None:
        """Return how many of it the text says, None where it says no number."""
        return self.phrase(name).number


def make_prompt_graph(text: str) -> PromptGraph:
    """Return the graph of a text.

    "The dog" is the one that was named before; a text that names nothing has an empty graph.
    """
    parsed = parse(text, describing_words())
    first_mentions = _first_mentions(parsed)
    mentions: dict[int, list[int]] = {}
    for phrase, first in first_mentions.items():
        mentions.setdefault(first, []).append(phrase)
    names = {first: f"n{at}" for at, first in enumerate(mentions, 1)}
    nodes = tuple(_node(parsed, names[first], phrases) for first, phrases in mentions.items())
    edges = _edges(parsed, {phrase: names[first] for phrase, first in first_mentions.items()})
    phrases = tuple(parsed.phrases[first] for first in mentions)
    return PromptGraph(Graph(nodes, edges), phrases, parsed)


# --- nodes


def _first_mentions(parsed: Parsed) -> Mapping[int, int]:
    """Return for each phrase of a thing, or of one said not to be there, the first of the same."""
    firsts: dict[int, int] = {}
    for at, phrase in enumerate(parsed.phrases):
        if not phrase.is_thing and not phrase.absent:
            continue
        before = reversed(dict.fromkeys(firsts.values()))
        same = (first for first in before if _refers_to(phrase, parsed.phrases[first]))
        firsts[at] = next(same, at)
    return firsts


def _refers_to(phrase: Phrase, before: Phrase) -> bool:
    """Return whether two phrases name one thing: "a dog" and "the dog", not "the red dog"."""
    if not phrase.definite or phrase.absent != before.absent or not same_name(phrase, before):
        return False
    colors = _colors(phrase)
    colors_before = _colors(before)
    return not colors or not colors_before or bool(colors & colors_before)


def _colors(phrase: Phrase) -> set[str]:
    return {normal(word.text) for word in phrase.modifiers if kind(word.text) == "color"}


def _node(parsed: Parsed, name: str, mentions: Sequence[int]) -> Node:
    phrases = [parsed.phrases[at] for at in mentions]
    negated = any(action.negated and action.object in mentions for action in parsed.actions)
    attributes = tuple(_attributes(phrases))
    known = {attribute.value for attribute in attributes}
    # What it does alone is a state of it: "a dog sleeping".
    states: dict[str, Attribute] = {}
    for action in parsed.actions:
        if action.subject in mentions and action.object is None and action.words not in known:
            states[action.words] = Attribute(STATE, action.words, (action.span,))
    return Node(
        name=name,
        label=phrases[0].name,
        attributes=(*attributes, *states.values()),
        spans=tuple(phrase.name_span for phrase in phrases),
        absent=phrases[0].absent or negated,
    )


def _attributes(phrases: Sequence[Phrase]) -> Iterator[Attribute]:
    """Yield the first number of a thing, and each word that describes it, once."""
    yielded: set[str] = set()
    for phrase in phrases:
        if phrase.number is not None and NUMBER not in yielded:
            yielded.add(NUMBER)
            span = phrase.count_span or phrase.name_span
            yield Attribute(NUMBER, number_word(phrase.number), (span,))
        for word in phrase.modifiers:
            attribute_kind = kind(word.text)
            value = normal(word.text)
            if attribute_kind and value not in yielded:
                yielded.add(value)
                yield Attribute(attribute_kind, value, (word.span,))


# --- edges


class _Relation(NamedTuple):
    """Holds a relation between two phrases, and where the text says it; sorted by that place."""

    start: int
    subject: int
    words: str
    target: int
    span: Span


def _edges(parsed: Parsed, names: Mapping[int, str]) -> tuple[Edge, ...]:
    """Return the edges in the order of the text, each once.

    `names`: the node of each phrase.
    """
    edges: dict[tuple[str, str, str], Edge] = {}
    for _, subject, words, target, span in sorted(_relations(parsed)):
        if subject not in names or target not in names or names[subject] == names[target]:
            continue
        key = (names[subject], words, names[target])
        if key not in edges:
            edges[key] = Edge(f"e{len(edges) + 1}", *key, (span,))
    return tuple(edges.values())


def _relations(parsed: Parsed) -> Iterator[_Relation]:
    for position in parsed.positions:
        subject, relation, anchor, span = position
        if anchor is not None:
            yield _Relation(span[0], subject, relation, anchor, span)
    for action in parsed.actions:
        if action.object is not None and not action.negated:
            start = action.span[0]
            yield _Relation(start, action.subject, action.words, action.object, action.span)
    for at, whole in parsed.indexed_things():
        if whole.owned is not None:
            # The words of the relation are the "of" before the whole.
            of = parsed.text.rfind("of", 0, whole.span[0])
            span = (of, of + 2) if of >= 0 else whole.name_span
            yield _Relation(whole.span[0], whole.owned, PART_OF, at, span)
