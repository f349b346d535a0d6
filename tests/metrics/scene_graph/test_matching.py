"""Things of the picture are matched to those of the prompt by name, attributes and place."""

from tests.support.scene_graph_runs import LEFT, METRIC, RIGHT, errors_of, graphs_of, report_on
from tests.support.scripted_vision import Scene, box, look, thing


def test_several_of_one_type_are_no_extras_and_one_that_satisfies_is_enough() -> None:
    report = report_on(
        "a blue square", thing("square", LEFT, color="red"), thing("square", RIGHT, color="blue")
    )
    assert (errors_of(report), graphs_of(report).grade) == ([], 7)


def test_things_of_one_name_are_told_apart_by_their_attributes() -> None:
    prompt = "a red circle to the left of a blue circle"
    right = [thing("circle", RIGHT, color="blue"), thing("circle", LEFT, color="red")]
    assert errors_of(report_on(prompt, *right)) == []
    assert errors_of(
        report_on(
            prompt,
            *(
                thing("circle", one.box, color=tone)
                for one, tone in zip(right, ("red", "blue"), strict=True)
            ),
        )
    ) == [("relation", "to the left of the circle", "to the right of")]
    assert errors_of(report_on(prompt, right[1])) == [("omission", "circle", "")]


def test_two_things_that_nothing_tells_apart_may_be_either() -> None:
    assert (
        errors_of(report_on("a dog to the left of a dog", thing("dog", RIGHT), thing("dog", LEFT)))
        == []
    )


def test_synonyms_and_kinds_are_found_and_no_extras() -> None:
    shown = Scene((thing("person", LEFT), thing("dog", box(0.3, 0.3))))
    report = look(METRIC, "a woman next to a puppy", shown.reply, vocabulary="general")
    assert errors_of(report) == []
