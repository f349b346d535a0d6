"""Asks a judge about the things in a picture: color, shape, texture, and relations.

A relation is how two of them stand to each other.

Its steps yield the questions and read the replies.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.graphs import Attribute
from hallascope.data.prompts.templates import Template
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Ask, Failure, Reply
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.parsing.words.language import capitalize_first
from hallascope.metrics.scene_graph import attributes, relations, replies
from hallascope.metrics.scene_graph.attributes import ASKED, NUMBER, STATE
from hallascope.metrics.scene_graph.image_graph import (
    ImageGraph,
    InspectionFailure,
    graph_of_segments,
)
from hallascope.metrics.scene_graph.matching import name_fit
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph

YES_NO = ("Yes", "No")
MOST_PAIRS = 4  # pairs of things that a judge is shown for one relation


class CropQuestion(NamedTuple):
    """One question about a part: its segments, its kind or value, and its choices.

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
    """A picture that is looked at for what a prompt asks."""

    image: Picture
    asked: PromptGraph
    form: Template

    def graph(self, segments: Sequence[SegmentEvidence]) -> PlanSteps[ImageGraph]:
        """Return the graph of these segments, with their attributes and relations."""
        looks = [look for one in segments for look in self._looks(one)]
        pairs = list(self._pairs(segments))
        said = yield from self._ask_judge([*looks, *pairs])
        found: dict[str, list[Attribute]] = defaultdict(list)
        judged: list[relations.Relation] = []
        lost: dict[tuple[str, ...], InspectionFailure] = {}
        for look, word in zip([*looks, *pairs], said, strict=True):
            if isinstance(word, InspectionFailure):
                lost[(*look.about, look.value or look.kind)] = word
            elif len(look.about) == 2:
                if word != relations.NOTHING:
                    judged.append(relations.Relation(look.about[0], word, look.about[1]))
            else:
                found[look.about[0]].append(_attribute(look, word))
        graph = graph_of_segments(self.asked, segments, found, judged)
        names = {node.segment: node.name for node in graph.nodes}
        keyed = {(*(names[name] for name in key[:-1]), key[-1]): left for key, left in lost.items()}
        return ImageGraph(graph=graph, segments=tuple(segments), lost=keyed)

    # --- what is asked

    def _looks(self, segment: SegmentEvidence) -> Iterator[CropQuestion]:
        """Yield questions for color, shape and texture of every thing.

        Also whether it is so, of what else the prompt says of it.

        Our reading: the shape of what is called by a shape, as a circle, is told by its name, and
        asked only where the prompt says one.
        """
        nodes = [
            node
            for node in self.asked.graph.nodes
            if not node.absent and name_fit(self.asked.phrase(node.name), segment.phrase)
        ]
        wanted = [
            attribute for node in nodes for attribute in node.attributes if attribute.kind != NUMBER
        ]
        for kind in ASKED:
            values = [attribute.value for attribute in wanted if attribute.kind == kind]
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
        several = {
            a.value
            for node in nodes
            for a in node.attributes
            if sum(b.kind == a.kind for b in node.attributes) > 1
        }
        for attribute in dict.fromkeys(
            one
            for one in wanted
            if one.kind == STATE or (one.kind in ASKED and one.value in several)
        ):
            yield CropQuestion(
                about=(segment.name,),
                kind=attribute.kind,
                value=attribute.value,
                question=f"Is this {attribute.value}?",
                choices=YES_NO,
                region=segment.box,
            )

    def _pairs(self, segments: Sequence[SegmentEvidence]) -> Iterator[CropQuestion]:
        """Yield questions about pairs of things, on the part of the picture that holds both.

        There the prompt asks what boxes cannot tell.
        """
        for edge in self.asked.graph.edges:
            if edge.relation in relations.FROM_BOXES:
                continue
            one = self.asked.phrase(edge.source)
            other = self.asked.phrase(edge.target)
            pairs = [
                (a, b)
                for a in segments
                for b in segments
                if a != b and name_fit(one, a.phrase) and name_fit(other, b.phrase)
            ]
            near = sorted(pairs, key=lambda pair: relations.union(pair[0].box, pair[1].box).area)[
                :MOST_PAIRS
            ]
            for a, b in near:
                depth = edge.relation in relations.DEPTH
                question = (
                    f"Where is the {a.phrase}, seen from the {b.phrase}?"
                    if depth
                    else f"What is the {a.phrase} doing with the {b.phrase}?"
                )
                region = relations.union(a.box, b.box)
                yield CropQuestion(
                    about=(a.name, b.name),
                    kind="relation",
                    value=edge.relation,
                    question=question,
                    choices=relations.choices(edge.relation),
                    region=region,
                )

    # --- asking and reading

    def _ask_judge(self, looks: Sequence[CropQuestion]) -> PlanSteps[list[str | InspectionFailure]]:
        """Return for each question the choice that the judge named, or why there is none."""
        answers = (yield [self.ask(look) for look in looks]) if looks else []
        return [_parse_choice(look, reply) for look, reply in zip(looks, answers, strict=True)]

    def ask(self, look: CropQuestion) -> Ask:
        """Return the question as the judge is asked it."""
        choices = tuple(map(capitalize_first, look.choices))
        text = self.form.fill({"question": look.question, "choices": ", ".join(choices)})
        return Ask(
            images=(self.image,),
            text=text,
            question=look.question,
            choices=choices,
            template=self.form.version,
            schema=replies.schema(choices),
            region=look.region,
        )


def _parse_choice(look: CropQuestion, reply: Reply) -> str | InspectionFailure:
    said = text_reply(reply, "judge")
    if isinstance(said, Failure):
        return InspectionFailure(
            "failed", f"The judge gave no answer to “{look.question}”: {said.message}"
        )
    word = replies.choice(said.text, look.choices)
    if word is None:
        return InspectionFailure(
            "unreadable",
            f"The judge's answer to “{look.question}” names none of the choices, or several.",
        )
    return (
        word
        if word is not False
        else InspectionFailure("unreadable", f"The judge cannot tell: “{look.question}”")
    )


def _attribute(look: CropQuestion, word: str) -> Attribute:
    """Return what a judge said of a thing.

    Of a question of yes and no it is the value that was asked, or that it is not so.
    """
    if not look.value:
        return Attribute(look.kind, word)
    return Attribute(look.kind, look.value if word == "Yes" else f"not {look.value}")
