"""Makes the questions of a prompt by template.

They are: is it there, how many, is it so, how does it stand to the other.

Paper, section 3.3, which has a language model write them from the triples; the templates need none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hallascope.data.graphs import AnswerValue, Edge, Node
from hallascope.data.lexicon import with_article
from hallascope.data.regions import Span
from hallascope.metrics.reading.words.relations import relation_words
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.words.attributes import NUMBER

QuestionKind = Literal["existence", "number", "attribute", "relation"]


@dataclass(frozen=True, kw_only=True)
class SceneQuestion:
    """Holds a question about one node, or about two and an edge.

    `nodes` are those of the asked graph, `value` what is asked of them.

    `of` is the kind of an attribute. `words`: what is asked in a few words ("red circle"); `spans`
    are its words in the prompt, those of what is asked first. `wanted` is the answer of a picture
    that is as the prompt asks.
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


def questions(prompt: PromptGraph) -> tuple[SceneQuestion, ...]:
    """Return all that a prompt asks: of every thing, then of every two how they stand.

    Of a thing it asks whether it is there and what is said of it.
    """
    nodes = {node.name: node for node in prompt.graph.nodes}
    of_nodes = [question for node in nodes.values() for question in _node_questions(prompt, node)]
    of_edges = [
        _edge_question(prompt, edge, nodes[edge.source], nodes[edge.target])
        for edge in prompt.graph.edges
        if not nodes[edge.source].absent and not nodes[edge.target].absent
    ]
    return (*of_nodes, *of_edges)


def _node_questions(prompt: PromptGraph, node: Node) -> Iterator[SceneQuestion]:
    plural = prompt.is_plural(node.name)
    name = prompt.words(node.name)
    verb = "Are" if plural else "Is"
    # Of "no more than two cats" there may be none.
    if node.absent or not prompt.asked_object(node.name).is_optional:
        yield SceneQuestion(
            kind="existence",
            text=f"{verb} there {name if plural else with_article(node.label)} in the image?",
            nodes=(node.name,),
            value=node.label,
            words=node.label,
            spans=node.spans,
            wanted="no" if node.absent else "yes",
        )
    if node.absent:
        # What it would be like does not matter.
        return
    for attribute in node.attributes:
        is_number = attribute.kind == NUMBER
        text = f"{verb} the {name} {attribute.value}?"
        if is_number:
            count = prompt.count(node.name)
            number = f"exactly {attribute.value}" if count and count.exact else attribute.value
            text = f"{verb} there {number} {name}?"
        yield SceneQuestion(
            kind="number" if is_number else "attribute",
            text=text,
            nodes=(node.name,),
            value=attribute.value,
            words=f"{attribute.value} {name if is_number else node.label}",
            spans=(*attribute.spans, *node.spans),
            of=attribute.kind,
        )


def _edge_question(prompt: PromptGraph, edge: Edge, source: Node, target: Node) -> SceneQuestion:
    relation = relation_words(edge.relation)
    verb = "Are" if prompt.is_plural(source.name) else "Is"
    subject = _distinct_name(prompt, source, target)
    anchor = _distinct_name(prompt, target, source)
    return SceneQuestion(
        kind="relation",
        text=f"{verb} the {subject} {relation} the {anchor}?",
        nodes=(source.name, target.name),
        value=edge.relation,
        words=f"{source.label} {relation} the {target.label}",
        spans=(*edge.spans, *source.spans, *target.spans),
        edge=edge.name,
    )


def _distinct_name(prompt: PromptGraph, node: Node, other: Node) -> str:
    """Return a thing's name in the prompt, with attributes where another has the same name."""
    name = prompt.words(node.name)
    if node.label != other.label:
        return name
    values = [attribute.value for attribute in node.attributes if attribute.kind != NUMBER]
    return " ".join((*values, name))
