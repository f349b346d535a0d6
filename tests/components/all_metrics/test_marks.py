"""Each thing is marked once in the image, with the keys of all metrics that found it."""

from hallascope.components.all_metrics.marks import merge_marks, scoped_marks
from hallascope.components.evidence.exhibit import ImageRegion
from hallascope.data.regions import Box
from tests.support.viewer_app import evidence

BOX = Box(0.1, 0.1, 0.5, 0.5)


def test_marks_of_a_further_metric_lead_to_its_rows_faults_first_and_are_quiet() -> None:
    marks = scoped_marks("fig", evidence())
    assert all(mark.quiet for mark in marks)
    red = marks[0]
    assert red.keys[0] == "fig.finding=4", "what is wrong with it comes first"
    assert all(key.startswith("fig.finding=") for key in red.keys)


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
