"""Reads the text of a scene-graph parser as the same records as the rules.

The text is that of FACTUAL's models (Li et al., Findings of ACL 2023): ``( dogs , is , 2 ) ,
( dogs , sit on , mat )``. Such parsers know one node for each name, and no text, style or negation
beyond "without".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hallascope.data.files.tidy import line
from hallascope.data.prompt_reading import (
    MANY,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    find_words,
)
from hallascope.data.regions import Span
from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.number_words import number_value, read_number
from hallascope.metrics.reading.words.relations import BOX_RELATIONS, spellings

MOST_TRIPLES = 120
_LONGEST = 200  # characters of a name, an attribute or a predicate
_TRIPLE = re.compile(r"\(([^()]*)\)")
_BETWEEN = re.compile(r"[\s,]*")
_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|«([^»]+)»')
_HAS_ATTRIBUTE = "is"
_WITHOUT = frozenset({"without", "have no", "has no", "with no", "not have"})
_WITH = frozenset({"have", "has", "with"})
_SEVERAL = frozenset({"many", "several", "multiple", "some", "various", "numerous"})


class ParsedTriple(NamedTuple):
    """Holds what a parser says of a subject, in its words."""

    subject: str
    predicate: str
    target: str


@dataclass(frozen=True)
class _CountedName:
    """Holds the name of one of several, and how many there are; None where no number is said."""

    name: str
    count: Count | None


@dataclass
class _Node:
    """Holds what the triples say of one name."""

    id: str
    name: str
    count: Count | None = None
    attributes: list[str] = field(default_factory=list)
    absent: bool = False

    def describe(self, value: str) -> None:
        """Add what is said with "is": a number, or a word that describes it."""
        words = value.split()
        number = read_number(words, 0)
        if number is not None and number.stop == len(words):
            self.count = Count.exactly(number.value)
        elif value in _SEVERAL:
            self.count = self.count or MANY
        elif value not in self.attributes:
            self.attributes.append(value)

    def asked_object(self, prompt: str) -> AskedObject:
        """Return the object that the prompt asks for."""
        return AskedObject(
            id=self.id,
            name=self.name,
            spans=find_words(prompt, self.name),
            count=self.count,
            attributes=tuple(
                AskedAttribute(word, find_words(prompt, word)) for word in self.attributes
            ),
            absent=self.absent,
        )


class _Graph:
    """Collects what triples say: nodes by name, relations, and texts in quotation marks."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self.nodes: dict[str, _Node] = {}
        self.relations: list[AskedRelation] = []
        self.texts = {
            line(text).casefold(): AskedText(text, span) for text, span in _quotes(prompt)
        }

    def add(self, triple: ParsedTriple) -> None:
        """Add an attribute, a text or a relation."""
        subject = self._node(triple.subject)
        text = self.texts.get(triple.target)
        if triple.predicate == _HAS_ATTRIBUTE:
            subject.describe(triple.target)
        elif text is not None:
            self.texts[triple.target] = replace(text, on=subject.id)
        else:
            self._relate(subject, triple.predicate, self._node(triple.target))

    def _relate(self, subject: _Node, predicate: str, target: _Node) -> None:
        if predicate in _WITHOUT:
            target.absent = True
        elif target is subject:
            # "a monkey next to another monkey"
            subject.count = subject.count or MANY
        else:
            words = relation_of(predicate)
            spans = find_words(self.prompt, words)
            self.relations.append(AskedRelation(subject.id, words, target.id, spans))

    def _node(self, term: str) -> _Node:
        """Return the node of a term such as "two dogs", a new one where its name is new."""
        counted = _counted_name(term)
        node = self.nodes.setdefault(counted.name, _Node(f"o{len(self.nodes) + 1}", counted.name))
        is_said = node.count is not None and node.count != MANY
        if counted.count is not None and not is_said:
            node.count = counted.count
        return node


def parse_scene_graph_text(prompt: str, reply: str) -> PromptReading | None:
    """Return the reading of a reply; None where it is no list of triples. Never raises."""
    triples = _triples(reply)
    if triples is None:
        return None
    graph = _Graph(prompt)
    for triple in triples:
        graph.add(triple)
    return PromptReading(
        prompt=prompt,
        objects=tuple(node.asked_object(prompt) for node in graph.nodes.values()),
        relations=tuple(dict.fromkeys(graph.relations)),
        texts=tuple(graph.texts.values()),
        # such a parser does not say in which language the prompt is
        language="",
        source="model",
    )


def _triples(reply: str) -> list[ParsedTriple] | None:
    """Return the triples of a reply; None where there is anything else in it."""
    if not _TRIPLE.search(reply) or not _BETWEEN.fullmatch(_TRIPLE.sub("", reply)):
        return None
    triples: list[ParsedTriple] = []
    for match in list(_TRIPLE.finditer(reply))[:MOST_TRIPLES]:
        parts = [line(part).casefold()[:_LONGEST] for part in match[1].split(",")]
        if len(parts) < 3 or not all(parts):
            return None
        triples.append(ParsedTriple(parts[0], " ".join(parts[1:-1]), parts[-1]))
    return triples


def _counted_name(term: str) -> _CountedName:
    """Return the name of one, and the number before it; a plural without a number is several."""
    words = _separate_number(term.split())
    if len(words) > 1 and words[0] in ("a", "an", "the"):
        words = words[1:]
    count = None
    number = read_number(words, 0)
    if len(words) > 1 and words[0] in _SEVERAL:
        words, count = words[1:], MANY
    elif number is not None and number.stop < len(words):
        words, count = words[number.stop :], Count.exactly(number.value)
    noun = language.singular(words[-1])
    if count is None and noun != words[-1]:
        count = MANY
    return _CountedName(" ".join([*words[:-1], noun]), count)


def _separate_number(words: list[str]) -> list[str]:
    """Return the words with "twenty-one" at their start as two."""
    tens, _, ones = words[0].partition("-")
    is_number = number_value(tens) and number_value(ones)
    return [tens, ones, *words[1:]] if is_number else words


# --- relations and texts


def relation_of(predicate: str) -> str:
    """Return a predicate in the words of a reading.

    "stand behind" is "behind", "on left of" is "left of", "have" is "with", "hold" is "holding",
    "look at" is "looking at"; "on back of" stays as it is.
    """
    if predicate in _WITH:
        return "with"
    words = predicate.split()
    for start in range(len(words)):
        relation = _spelled_relation(words[start:])
        if relation and (start == 0 or relation in BOX_RELATIONS):
            return relation
    if _spelled_relation(words[:1]) or words[0].endswith("ing"):
        return predicate
    return " ".join([language.gerund(words[0]), *words[1:]])


def _spelled_relation(words: Sequence[str]) -> str:
    """Return the relation that some words say, also without "the"; "" where they say none."""
    for spelled, spelling in spellings().items():
        if spelling.has_object and list(words) == [word for word in spelled if word != "the"]:
            return spelling.relation
    return ""


def _quotes(prompt: str) -> Iterator[tuple[str, Span]]:
    """Yield what stands in quotation marks in a prompt, with its place."""
    for match in _QUOTED.finditer(prompt):
        group = match.lastindex or 1
        yield match[group], match.span(group)
