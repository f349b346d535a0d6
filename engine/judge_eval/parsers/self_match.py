"""Holds prompts against themselves: as its own caption a prompt has all that it asks for.

What is missing all the same is an error of the reading or of the matching, and of no picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hallascope.engine.judge_eval.parsers.parser_eval import PromptShare, prompt_share
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.matching import compare
from hallascope.metrics.fig.pairs import attribute_words
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.readings.comparison import SYSTEMS, System
from hallascope.metrics.scene_graph.errors import errors
from hallascope.metrics.scene_graph.image_graph import ImageGraph, graph_of_caption
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.scene_answers import answers
from hallascope.metrics.scene_graph.words.attributes import describing_words


@dataclass(frozen=True)
class SelfMatch:
    """Holds a prompt with what each system finds missing in it or extraneous, in words.

    `unreadable` is why the rules read nothing of it, "" where they do.
    """

    prompt: str
    faults: Mapping[System, tuple[str, ...]] = field(default_factory=dict)
    unreadable: str = ""

    @property
    def is_perfect(self) -> bool:
        """Whether no system finds a fault; a prompt that is not read has none."""
        return not any(self.faults.values())


@dataclass(frozen=True)
class SelfMatchEvaluation:
    """Holds the prompts held against themselves; those that are not read are in no share."""

    prompts: tuple[SelfMatch, ...]

    @property
    def unreadable(self) -> tuple[SelfMatch, ...]:
        """Return the prompts that the rules do not read."""
        return tuple(match for match in self.prompts if match.unreadable)

    def perfect(self, system: System) -> PromptShare:
        """Return the share of the prompts in which a system finds no fault."""
        return prompt_share(
            [(not match.faults[system], 1) for match in self.prompts if not match.unreadable]
        )


def evaluate_self_match(prompts: Sequence[str]) -> SelfMatchEvaluation:
    """Hold each prompt against itself, in every system."""
    return SelfMatchEvaluation(tuple(match_with_itself(prompt) for prompt in prompts))


def match_with_itself(prompt: str) -> SelfMatch:
    """Return what each system finds missing or extraneous in a prompt that is its own caption.

    Raises TextTooLong and ParserMissing.
    """
    unreadable = read_prompt(prompt).unreadable
    if unreadable:
        return SelfMatch(prompt, unreadable=unreadable)
    faults = {"fig": _fig_faults, "scene-graph": _scene_graph_faults}
    return SelfMatch(prompt, {system: tuple(faults[system](prompt)) for system in SYSTEMS})


def _fig_faults(prompt: str) -> Iterator[str]:
    """Yield the rows of stages 1 and 2 that are not met, then those of stage 3."""
    stages = compare(read_prompt(prompt, attribute_words(ATTRIBUTES)), prompt)
    for row in stages.rows:
        if not row.strict:
            yield f"{row.kind}: {row.expected}"
    for row in stages.extras:
        yield f"{row.kind}: {row.observed}"


def _scene_graph_faults(prompt: str) -> Iterator[str]:
    """Yield the questions that its own graph answers wrong, then the extraneous things."""
    graph = graph_of_reading(read_prompt(prompt, describing_words()))
    image = ImageGraph(graph=graph_of_caption(prompt), caption=prompt)
    answered = answers(graph, image, questions(graph), matches(graph, image.graph))
    for answer in answered:
        if answer.state != "correct":
            yield answer.question.text
    for error in errors(graph, image, answered):
        if error.type == "extraneous" and not error.asked:
            yield f"extraneous: {error.seen}"
