"""Makes the questions of a prompt by template; it knows no picture.

They are: is it there, how many, is it so, how does it stand to the other.

Paper, section 3.3, which has a language model write them from the triples; the templates need none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hallascope.data.evidence import Span
from hallascope.data.graphs import AnswerValue, Edge, Node
from hallascope.metrics.parsing import positions
from hallascope.metrics.parsing.language import article
from hallascope.metrics.scene_graph.attributes import NUMBER
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph

QuestionKind = Literal["existence", "number", "attribute", "relation"]


@dataclass(frozen=True, kw_only=True)
class SceneQuestion:
    """A question about one node, or about two and an edge.

    `nodes` are those of the asked graph, `value` what is asked of them.

    `of` is the kind of an attribute. `words`: what is asked in a few words ("red circle"); `spans`
    are its words in the prompt, those of what is asked first.
    """

    kind: QuestionKind
    text: str
    nodes: tuple[str, ...]
    value: str
    words: str
    spans: tuple[Span, ...]
    of: str = ""
    edge: str = ""
    wanted: AnswerValue = "yes"


def questions(asked: PromptGraph) -> tuple[SceneQuestion, ...]:
    """Return all that a prompt asks: of every thing, then of every two how they stand.

    Of a thing it asks whether it is there and what is said of it.
    """
    nodes = {node.name: node for node in asked.graph.nodes}
    found = [question for node in nodes.values() for question in _of_node(asked, node)]
    there = [
        edge
        for edge in asked.graph.edges
        if not nodes[edge.source].absent and not nodes[edge.target].absent
    ]
    return (*found, *(_of_edge(asked, edge, nodes) for edge in there))


def _of_node(asked: PromptGraph, node: Node) -> Iterator[SceneQuestion]:
    phrase = asked.phrase(node.name)
    label = node.label
    name = asked.parsed.text_at(phrase.named) if phrase.plural else label
    there = (
        f"Are there {name} in the picture?"
        if phrase.plural
        else f"Is there {article(label)} in the picture?"
    )
    yield SceneQuestion(
        kind="existence",
        text=there,
        nodes=(node.name,),
        value=label,
        words=label,
        spans=node.spans,
        wanted="no" if node.absent else "yes",
    )
    if node.absent:  # what it would be like does not matter
        return
    for attribute in node.attributes:
        spans = (*attribute.spans, *node.spans)
        if attribute.kind == NUMBER:
            many = f"{attribute.value} {name}"
            verb = "Are" if phrase.plural else "Is"
            yield SceneQuestion(
                kind="number",
                text=f"{verb} there exactly {many}?",
                nodes=(node.name,),
                value=attribute.value,
                words=many,
                spans=spans,
                of=NUMBER,
            )
        else:
            text = f"{'Are' if phrase.plural else 'Is'} the {name} {attribute.value}?"
            yield SceneQuestion(
                kind="attribute",
                text=text,
                nodes=(node.name,),
                value=attribute.value,
                words=f"{attribute.value} {label}",
                spans=spans,
                of=attribute.kind,
            )


def _of_edge(asked: PromptGraph, edge: Edge, nodes: dict[str, Node]) -> SceneQuestion:
    one = nodes[edge.source]
    other = nodes[edge.target]
    said = positions.words(edge.relation)
    verb = "Are" if asked.phrase(one.name).plural else "Is"
    text = f"{verb} the {_node_name(asked, one, other)} {said} the {_node_name(asked, other, one)}?"
    words = f"{one.label} {said} the {other.label}"
    spans = (*edge.spans, *one.spans, *other.spans)
    return SceneQuestion(
        kind="relation",
        text=text,
        nodes=(one.name, other.name),
        value=edge.relation,
        words=words,
        spans=spans,
        edge=edge.name,
    )


def _node_name(asked: PromptGraph, node: Node, other: Node) -> str:
    """Return a thing's name in the prompt, with attributes where another has the same name."""
    phrase = asked.phrase(node.name)
    name = asked.parsed.text_at(phrase.named) if phrase.plural else node.label
    values = [attribute.value for attribute in node.attributes if attribute.kind != NUMBER]
    return " ".join((*values, name)) if node.label == other.label else name
