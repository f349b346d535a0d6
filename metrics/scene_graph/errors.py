"""Finds the errors of a picture by type: of its answers, and what nobody asked for.

What the prompt says of a thing that is missing makes no further error.
"""

from collections.abc import Sequence
from functools import partial

from hallascope.data.graphs import GraphError
from hallascope.metrics.scene_graph.image_graph import ImageGraph
from hallascope.metrics.scene_graph.matching import extraneous
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.scene_answers import SceneAnswer


def errors(
    prompt: PromptGraph, image: ImageGraph, answers: Sequence[SceneAnswer], strictly: bool = False
) -> tuple[GraphError, ...]:
    """Return the errors of the questions in their order, then things nobody asked for.

    Of these there is one error a kind. An error names the place of its finding.

    `strictly`: what was left out counts, too.
    """
    of_questions = []
    for place, answer in enumerate(answers):
        if answer.state == "incorrect" or (strictly and answer.state != "correct"):
            error = _question_error(prompt, answer, place)
            if error is not None:
                of_questions.append(error)
    return (*of_questions, *_extraneous_errors(prompt, image, len(answers)))


def _question_error(prompt: PromptGraph, answer: SceneAnswer, place: int) -> GraphError | None:
    """Return the error of a wrong answer; None where the thing it is about is missing."""
    question = answer.question
    label = next(node.label for node in prompt.graph.nodes if node.name == question.nodes[0])
    observed = answer.answer.observed
    is_found = all(answer.recalled.groups)
    error = partial(GraphError, subject=label, finding=place)
    match question.kind:
        case "existence" if question.wanted == "no":
            return error(
                type="extraneous",
                asked=f"no {label}",
                seen=observed or label,
                asked_in=question.nodes,
                seen_in=answer.nodes,
            )
        case "existence":
            return error(type="omission", asked=label, seen="", asked_in=question.nodes, seen_in=())
        case "relation" if is_found:
            return error(
                type="relation",
                asked=question.words.removeprefix(f"{label} "),
                seen=observed,
                asked_in=(question.edge,),
                seen_in=tuple(triple.edge for triple in answer.recalled.triples if triple.edge),
            )
        case "attribute" | "number" if is_found:
            return error(
                type="count" if question.kind == "number" else "attribute",
                asked=question.value,
                seen=observed,
                asked_in=question.nodes,
                seen_in=answer.nodes,
            )
        case _:
            return None


def _extraneous_errors(prompt: PromptGraph, image: ImageGraph, first: int) -> list[GraphError]:
    """Return one error for each kind of thing that nobody asked for, from the place `first` on."""
    nodes_by_label: dict[str, list[str]] = {}
    for node in extraneous(prompt, image.graph):
        nodes_by_label.setdefault(node.label, []).append(node.name)
    return [
        GraphError(
            type="extraneous",
            subject=label,
            asked="",
            seen=label,
            asked_in=(),
            seen_in=tuple(nodes),
            finding=place,
        )
        for place, (label, nodes) in enumerate(nodes_by_label.items(), first)
    ]
