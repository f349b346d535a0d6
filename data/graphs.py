"""Holds scene graphs as plain values: things with attributes and relations, and matches.

Things are asked for or seen, and matches tie the two.

Nodes and edges are named within their graph ("n1", "e1"), in the order in which they were found.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from hallascope.data.regions import Span

ErrorType = Literal["attribute", "count", "relation", "omission", "extraneous"]
ERROR_TYPES: tuple[ErrorType, ...] = get_args(ErrorType)
AnswerValue = Literal["yes", "no", "unknown"]


@dataclass(frozen=True)
class Attribute:
    """Holds what is said of a thing.

    `kind` is "color", "shape", "texture", "number" or "state".

    `spans`: its words in the prompt.
    """

    kind: str
    value: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Node:
    """Holds a thing of a graph.

    `segment`: where it is, by the name in the evidence; "" for what was asked. `absent`: asked not
    to be there ("no hat").
    """

    name: str
    label: str
    attributes: tuple[Attribute, ...] = ()
    segment: str = ""
    spans: tuple[Span, ...] = ()
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
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Graph:
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()


class Triple(NamedTuple):
    """Holds a statement about the picture, such as ("circle 1", "is", "red").

    The predicate may be "left of", and the object a thing. `nodes` and `edge` name what of the seen
    graph says it.
    """

    subject: str
    predicate: str
    object: str
    nodes: tuple[str, ...] = ()
    edge: str = ""


@dataclass(frozen=True, kw_only=True)
class GraphQuestion:
    """Holds a question from the prompt, answered from the triples in `memory` alone.

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
    """Holds an error of the picture: what of which thing was asked, and what is seen.

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
    """Holds the graph of the prompt beside that of the picture.

    `matches`: pairs of names, an asked node or edge and the seen one it is.

    `grade` is 1 to 7, None where nothing was asked or it is uncertain; `sentence` is that of
    the scale.
    """

    asked: Graph
    seen: Graph
    matches: tuple[tuple[str, str], ...] = ()
    questions: tuple[GraphQuestion, ...] = ()
    errors: tuple[GraphError, ...] = ()
    grade: int | None = None
    sentence: str = ""
