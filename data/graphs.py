"""Holds scene graphs as plain values: things with attributes and relations, and matches.

Things are asked for or seen, and matches tie the two; it knows no metric.

Nodes and edges are named within their graph ("n1", "e1"), in the order in which they were found.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

TextSpan = tuple[int, int]  # from and up to which character of the prompt

ErrorType = Literal["attribute", "relation", "omission", "extraneous"]
ERROR_TYPES: tuple[ErrorType, ...] = ("attribute", "relation", "omission", "extraneous")
AnswerValue = Literal["yes", "no", "unknown"]


@dataclass(frozen=True)
class Attribute:
    """What is said of a thing: `kind` is "color", "shape", "texture", "number" or "state".

    `spans`: its words in the prompt.
    """

    kind: str
    value: str
    spans: tuple[TextSpan, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Node:
    """A thing. `segment`: where it is, by the name in the evidence; "" for what was asked.

    `absent`: asked not to be there ("no hat").
    """

    name: str
    label: str
    attributes: tuple[Attribute, ...] = ()
    segment: str = ""
    spans: tuple[TextSpan, ...] = ()
    absent: bool = False


@dataclass(frozen=True)
class Edge:
    """Holds how the thing `source` stands to the thing `target`, by the names of their nodes.

    Examples are "left of" and "holding".
    """

    name: str
    source: str
    relation: str
    target: str
    spans: tuple[TextSpan, ...] = ()


@dataclass(frozen=True)
class Graph:
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()


class Triple(NamedTuple):
    """A statement about the picture: ("circle 1", "is", "red"), or with "left of" and a thing.

    `nodes` and `edge` name what of the seen graph says it.
    """

    subject: str
    predicate: str
    object: str
    nodes: tuple[str, ...] = ()
    edge: str = ""


@dataclass(frozen=True, kw_only=True)
class GraphQuestion:
    """A question from the prompt, answered from the triples in `memory` and from nothing else.

    `kind`: "existence", "attribute", "number" or "relation". `wanted` is the answer of a faithful
    picture, `answer` what the memory gives. `asked`: the nodes and edges of the asked graph it is
    about. `finding`: the index of its finding in the evidence. `asked_value` and `seen_value` are
    the words to set side by side where they differ.
    """

    text: str
    kind: str
    wanted: AnswerValue
    answer: AnswerValue
    asked: tuple[str, ...]
    memory: tuple[Triple, ...]
    finding: int
    asked_value: str = ""
    seen_value: str = ""


@dataclass(frozen=True, kw_only=True)
class GraphError:
    """An error of the picture: what of which thing was asked, and what is seen.

    `asked_in` and `seen_in` name nodes or edges.
    """

    type: ErrorType
    subject: str
    asked: str
    seen: str
    asked_in: tuple[str, ...] = ()
    seen_in: tuple[str, ...] = ()
    finding: int | None = None


@dataclass(frozen=True, kw_only=True)
class SceneGraphs:
    """The graph of the prompt beside that of the picture.

    `matches`: pairs of names, an asked node or edge and the seen one it is.

    `grade` is 1 to 7, None where nothing could be seen or nothing was asked; `sentence` is that of
    the scale.
    """

    asked: Graph
    seen: Graph
    matches: tuple[tuple[str, str], ...] = ()
    questions: tuple[GraphQuestion, ...] = ()
    errors: tuple[GraphError, ...] = ()
    grade: int | None = None
    sentence: str = ""
