"""Asks a judge about the things in a picture: color, shape, texture, and relations.

A relation is how two of them stand to each other.

Its steps yield the questions and read the replies.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.graphs import Attribute, Edge, Node
from hallascope.data.lexicon import capitalize
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Ask, Failure, Reply
from hallascope.data.wordings.templates import Template
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.scene_graph import relations
from hallascope.metrics.scene_graph.image_graph import (
    ImageGraph,
    InspectionFailure,
    graph_of_segments,
)
from hallascope.metrics.scene_graph.matching import name_fit
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.words import attributes, replies
from hallascope.metrics.scene_graph.words.attributes import ASKED, STATE

RELATION = "relation"
YES_NO = ("Yes", "No")


@dataclass(frozen=True)
class CropQuestion:
    """Holds a question about a part: its segments, its kind or value, and its choices.

    It has a value where it is one of yes and no.
    """

    about: tuple[str, ...]
    kind: str
    value: str
    question: str
    choices: tuple[str, ...]
    region: Box


@dataclass(frozen=True)
class ImageInspection:
    """Looks at a picture for what a prompt asks."""

    image: Picture
    prompt: PromptGraph
    form: Template

    def graph(self, segments: Sequence[SegmentEvidence]) -> PlanSteps[ImageGraph]:
        """Return the graph of these segments, with their attributes and relations."""
        questions = [
            question for segment in segments for question in self._segment_questions(segment)
        ]
        questions += self._pair_questions(segments)
        answers = (yield [self.ask(question) for question in questions]) if questions else []
        attributes_by_segment: dict[str, list[Attribute]] = defaultdict(list)
        judged: list[relations.Relation] = []
        failures: list[tuple[CropQuestion, InspectionFailure]] = []
        for question, reply in zip(questions, answers, strict=True):
            choice = _parse_choice(question, reply)
            if isinstance(choice, InspectionFailure):
                failures.append((question, choice))
            elif question.kind != RELATION:
                attributes_by_segment[question.about[0]].append(_attribute(question, choice))
            elif choice != relations.NOTHING:
                source, target = question.about
                judged.append(relations.Relation(source, choice, target))
        graph = graph_of_segments(self.prompt, segments, attributes_by_segment, judged)
        nodes = {node.segment: node.name for node in graph.nodes}
        lost = {
            (*(nodes[name] for name in question.about), question.value or question.kind): failure
            for question, failure in failures
        }
        return ImageGraph(graph=graph, segments=tuple(segments), lost=lost)

    # --- what is asked

    def _segment_questions(self, segment: SegmentEvidence) -> Iterator[CropQuestion]:
        """Yield the questions for color, shape and texture of a thing.

        Then, with yes and no, those for what else the prompt says of it.

        The shape of what is called by a shape, as a circle, is told by its name, and
        asked only where the prompt says one.
        """
        nodes = [
            node
            for node in self.prompt.graph.nodes
            if not node.absent and name_fit(self.prompt.phrase(node.name), segment.phrase)
        ]
        for kind in ASKED:
            values = [
                attribute.value
                for node in nodes
                for attribute in node.attributes
                if attribute.kind == kind
            ]
            if kind == "shape" and attributes.is_shape(segment.phrase) and not values:
                continue
            yield CropQuestion(
                about=(segment.name,),
                kind=kind,
                value="",
                question=f"What {kind} is this?",
                choices=attributes.choices(kind, values),
                region=segment.box,
            )
        for attribute in _attributes_to_confirm(nodes):
            yield CropQuestion(
                about=(segment.name,),
                kind=attribute.kind,
                value=attribute.value,
                question=f"Is this {attribute.value}?",
                choices=YES_NO,
                region=segment.box,
            )

    def _pair_questions(self, segments: Sequence[SegmentEvidence]) -> Iterator[CropQuestion]:
        """Yield a question for each relation of the prompt that boxes cannot tell.

        It is asked of the pairs of things that may be meant, on the part of the picture that holds
        both.
        """
        for edge in self.prompt.graph.edges:
            if edge.relation in relations.FROM_BOXES and edge.relation not in relations.CONTACT:
                continue
            for source, target in self._nearest_pairs(edge, segments):
                if edge.relation in relations.CONTACT:
                    if not relations.may_be_in_contact(source.box, target.box, edge.relation):
                        continue
                    question = f"Is the {source.phrase} in or on the {target.phrase}?"
                elif edge.relation in relations.DEPTH:
                    question = f"Where is the {source.phrase}, seen from the {target.phrase}?"
                else:
                    question = f"What is the {source.phrase} doing with the {target.phrase}?"
                yield CropQuestion(
                    about=(source.name, target.name),
                    kind=RELATION,
                    value=edge.relation,
                    question=question,
                    choices=relations.choices(edge.relation),
                    region=relations.union(source.box, target.box),
                )

    def _nearest_pairs(
        self, edge: Edge, segments: Sequence[SegmentEvidence]
    ) -> list[tuple[SegmentEvidence, SegmentEvidence]]:
        """Return pairs of segments that may be the ends of an edge: those nearest each other."""
        source = self.prompt.phrase(edge.source)
        target = self.prompt.phrase(edge.target)
        pairs = [
            (first, second)
            for first, second in permutations(segments, 2)
            if name_fit(source, first.phrase) and name_fit(target, second.phrase)
        ]
        pairs.sort(key=lambda pair: relations.union(pair[0].box, pair[1].box).area)
        return pairs[: relations.MOST_JUDGED_PAIRS]

    def ask(self, question: CropQuestion) -> Ask:
        """Return the question as the judge is asked it."""
        choices = tuple(map(capitalize, question.choices))
        values = {"question": question.question, "choices": ", ".join(choices)}
        return Ask(
            images=(self.image,),
            text=self.form.fill(values),
            question=question.question,
            choices=choices,
            template=self.form.version,
            schema=replies.answer_schema(*choices, CANNOT_TELL),
            region=question.region,
        )


def _attributes_to_confirm(nodes: Sequence[Node]) -> Iterator[Attribute]:
    """Yield the attributes, each once, that need a question of yes and no.

    They are states, and all of a kind of which a thing has several, as a choice names only one.
    """
    several = {
        attribute.value
        for node in nodes
        for attribute in node.attributes
        if sum(other.kind == attribute.kind for other in node.attributes) > 1
    }
    for attribute in dict.fromkeys(attribute for node in nodes for attribute in node.attributes):
        if attribute.kind == STATE or (attribute.kind in ASKED and attribute.value in several):
            yield attribute


def _parse_choice(question: CropQuestion, reply: Reply) -> str | InspectionFailure:
    """Return the choice that the judge named, or why there is none."""
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return InspectionFailure(
            "failed", f"The judge gave no answer to “{question.question}”: {answer.message}"
        )
    choice = replies.read_word_choice(answer.text, question.choices)
    if choice is None:
        return InspectionFailure(
            "unreadable",
            f"The judge's answer to “{question.question}” names none of the choices, or several.",
        )
    if choice == CANNOT_TELL:
        return InspectionFailure("unreadable", f"The judge cannot tell: “{question.question}”")
    return choice


def _attribute(question: CropQuestion, choice: str) -> Attribute:
    """Return what a judge said of a thing.

    Of a question of yes and no it is the value that was asked, or that it is not so.
    """
    if not question.value:
        return Attribute(question.kind, choice)
    if choice == "Yes":
        return Attribute(question.kind, question.value)
    return Attribute(question.kind, f"not {question.value}")
