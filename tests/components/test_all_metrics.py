"""Rows of several metrics are linked by the same place or the same name, and by nothing else."""

from dataclasses import replace

from hallascope.components.all_metrics.links import (
    EvidenceSubject,
    SubjectReader,
    link,
    scoped_key,
)
from hallascope.components.all_metrics.marks import merge_marks
from hallascope.components.all_metrics.places import (
    box_place,
    is_same,
    segment_place,
)
from hallascope.components.evidence.exhibit import ImageRegion
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence
from hallascope.data.masks import box
from hallascope.data.outlines import Polygon
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.regions import Box
from hallascope.metrics.true_answers import UnaskedError
from tests.support.marks import segment
from tests.support.tiles import QUESTION
from tests.support.viewer_app import disc, square

PROMPT = "a red circle above a blue square"


CIRCLE = Box(0.4, 0.1, 0.6, 0.3)


SQUARE = Box(0.1, 0.6, 0.3, 0.8)


READING = PromptReading(
    prompt=PROMPT,
    source="rules",
    objects=(
        AskedObject(id="o1", name="circle", spans=((6, 12),)),
        AskedObject(id="o2", name="square", spans=((26, 32),)),
    ),
)


def outline(box: Box) -> Polygon:
    left, top, right, bottom = box.sides
    return ((left, top), (right, top), (right, bottom), (left, bottom))


REGIONS = {"circle": (outline(CIRCLE),), "square": (outline(SQUARE),)}


def subject(name: str, metric: str, *names: str, box: Box | None = None) -> EvidenceSubject:
    places = (box_place(box),) if box else ()
    return EvidenceSubject(scoped_key(metric, name), metric, frozenset(names), places)


def test_what_has_the_same_place_is_linked_both_ways_whatever_it_is_called() -> None:
    links = link(
        [
            subject("question=1", "", "hydrogen atom", box=CIRCLE),
            subject("finding=1", "fig", "ball", box=CIRCLE),
            subject("finding=2", "fig", "hydrogen atom", box=SQUARE),
        ]
    )
    assert links.same == {"question=1": ("fig.finding=1",), "fig.finding=1": ("question=1",)}
    assert links.whole == {}


def test_a_name_links_where_one_of_the_two_has_no_place() -> None:
    links = link(
        [
            subject("question=1", "", "circle", box=CIRCLE),
            subject("finding=1", "fig", "circle"),
            subject("finding=2", "fig", "square"),
            subject("finding=3", "fig"),
        ]
    )
    assert links.same["question=1"] == ("fig.finding=1",)


def test_rows_of_one_metric_are_not_linked() -> None:
    one = subject("question=1", "", "circle", box=CIRCLE)
    assert link([one, replace(one, key="question=2")]).same == {}


def test_a_part_is_related_to_its_whole_and_not_the_same() -> None:
    links = link(
        [
            subject("question=1", "", "bill", box=Box(0.45, 0.15, 0.5, 0.2)),
            subject("finding=1", "fig", "penguin", box=CIRCLE),
        ]
    )
    assert links.same == {}
    assert links.whole == {"question=1": ("fig.finding=1",), "fig.finding=1": ("question=1",)}


def test_questions_and_errors_not_asked_are_about_their_parts() -> None:
    reader = SubjectReader(PROMPT, REGIONS, READING)
    asked = replace(QUESTION, regions=("circle",))
    error = UnaskedError("What color is the square?", "Green", "Blue", "color", ("square",))
    question, fact = reader.of_questions("", [asked], [error])
    assert (question.key, fact.key) == ("question=1", "fact=1")
    assert question.names == {"circle"}
    assert (question.places[0] == box_place(CIRCLE)).all()
    assert fact.names == {"square"}


def test_a_finding_is_about_its_segments_and_the_objects_whose_words_it_has() -> None:
    evidence = Evidence(
        segments=(SegmentEvidence(name="s1", phrase="circle", box=CIRCLE, score=0.9),),
        findings=(
            Finding(
                kind="color",
                expected="red circle",
                observed="a red circle",
                state="correct",
                prompt_spans=((2, 12),),
                segments=("s1",),
            ),
            Finding(kind="shape", expected="blue square", observed="", state="incorrect"),
            Finding(kind="rating", expected="", observed="0 of 1", state="incorrect"),
        ),
    )
    found, missing, composition = SubjectReader(PROMPT, {}, READING).of_evidence("fig", evidence)
    assert found.names == {"red circle", "circle"}
    assert len(found.places) == 1
    assert missing.names == {"blue square", "square"}, "the concept's words are in the prompt"
    assert missing.places == ()
    assert composition.names == frozenset(), "nothing is claimed of what names nothing"
    with_regions = SubjectReader(PROMPT, REGIONS, READING)
    _, placed, _ = with_regions.of_evidence("fig", evidence)
    assert len(placed.places) == 1, "the place of the part of this name"


BOX = Box(0.1, 0.1, 0.5, 0.5)


def test_the_same_box_of_the_same_name_is_one_mark_with_all_keys() -> None:
    near = Box(0.1, 0.1, 0.5, 0.49)
    marks = merge_marks(
        [
            [ImageRegion(name="circle", keys=("fig.finding=1",), box=BOX, words="object correct")],
            [
                ImageRegion(name="circle", keys=("scene-graph.finding=2",), box=near),
                ImageRegion(name="square", keys=("scene-graph.finding=3",), box=BOX),
                ImageRegion(name="circle", keys=(), box=Box(0.6, 0.6, 0.9, 0.9)),
            ],
        ]
    )
    assert [(mark.name, mark.keys) for mark in marks] == [
        ("circle", ("fig.finding=1", "scene-graph.finding=2")),
        ("square", ("scene-graph.finding=3",)),
    ], "what leads nowhere is not marked"


def test_a_segment_covers_its_mask_and_without_one_its_box() -> None:
    mask = disc(0.5, 0.5, 0.2)
    whole = segment("s1", "circle", mask)
    around = box(mask)
    assert around
    boxed = SegmentEvidence(name="s2", phrase="circle", box=around, score=0.9)
    assert segment_place(whole).sum() < segment_place(boxed).sum()
    assert is_same(segment_place(whole), segment_place(boxed))
    assert not is_same(
        segment_place(whole), segment_place(segment("s3", "a", square(0.1, 0.1, 0.05)))
    )
