"""Answers the questions of a prompt from the graph of its picture, each with its state.

What the prompt says of a thing that is missing is answered "unknown" and not correct.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hallascope.data.evidence import State
from hallascope.data.graphs import AnswerValue, Triple
from hallascope.metrics.reading.words.relations import INVERSE
from hallascope.metrics.scene_graph.answering import (
    RecalledTriples,
    TripleAnswer,
    answer,
    is_about,
    recall,
    triples,
    twins,
)
from hallascope.metrics.scene_graph.image_graph import ImageGraph, InspectionFailure
from hallascope.metrics.scene_graph.matching import Matches
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.questions import SceneQuestion
from hallascope.metrics.scene_graph.relations import meets

LOST = TripleAnswer("unknown", lost=True)


@dataclass(frozen=True)
class SceneAnswer:
    """Holds a question with its memory, its answer and its state.

    `note`: why it was left out, or what is missing.
    """

    question: SceneQuestion
    recalled: RecalledTriples
    answer: TripleAnswer
    state: State
    note: str = ""

    @property
    def is_judged(self) -> bool:
        """Return whether the answer counts, correct or not."""
        return self.state in ("correct", "incorrect")

    @property
    def nodes(self) -> tuple[str, ...]:
        """Return the seen nodes of the memory, each once."""
        return tuple(
            dict.fromkeys(name for triple in self.recalled.triples for name in triple.nodes)
        )

    @property
    def met_triples(self) -> tuple[Triple, ...]:
        """Return the relations of the memory that are the asked one.

        What is said the other way round counts by its inverse.
        """
        return tuple(
            triple
            for triple in self.recalled.triples
            if triple.edge and meets(self.question.value, self._forward_relation(triple))
        )

    def _forward_relation(self, triple: Triple) -> str:
        source, target = triple.nodes
        sources, targets = self.recalled.groups
        if source in sources and target in targets:
            return triple.predicate
        return INVERSE.get(triple.predicate, "")


def answers(
    prompt: PromptGraph, image: ImageGraph, questions: Sequence[SceneQuestion], matched: Matches
) -> list[SceneAnswer]:
    """Return every question answered from its memory.

    What could not be looked at is left out, all of it where nothing could be seen.
    """
    known = triples(image.graph)
    same = twins(prompt)
    results = []
    for question in questions:
        recalled = recall(question, matched, known, same)
        if image.failure:
            results.append(SceneAnswer(question, recalled, LOST, "failed", image.failure))
        else:
            from_triples = answer(question, prompt, recalled, image.lost)
            results.append(_judge_answer(question, recalled, from_triples, image))
    return results


def _judge_answer(
    question: SceneQuestion, recalled: RecalledTriples, answer: TripleAnswer, image: ImageGraph
) -> SceneAnswer:
    if answer.lost:
        failure = next(
            failure for key, failure in image.lost.items() if is_about(key, question, recalled)
        )
        return SceneAnswer(question, recalled, answer, failure.state, failure.why)
    note = ""
    if question.kind != "existence" and not all(recalled.groups):
        note = "What it asks about was not found."
    state: State = "correct" if answer.value == question.wanted else "incorrect"
    return SceneAnswer(question, recalled, answer, state, note)


def replace_answer(
    scene_answer: SceneAnswer, value: AnswerValue | InspectionFailure
) -> SceneAnswer:
    """Return the same question with an answer of somebody else, from the same memory.

    It is left out where there is no answer. Where a thing was not found, nothing is known of it:
    to "unknown" the answer that follows from its absence stands.
    """
    if isinstance(value, InspectionFailure):
        return replace(scene_answer, answer=LOST, state=value.state, note=value.why)
    if value == "unknown" and not all(scene_answer.recalled.groups):
        value = scene_answer.answer.value
    replaced = replace(scene_answer, answer=TripleAnswer(value, scene_answer.answer.observed))
    if scene_answer.answer.lost:
        return replaced
    correct = value == scene_answer.question.wanted
    return replace(replaced, state="correct" if correct else "incorrect")
