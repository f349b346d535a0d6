"""The judge is asked about parts of the picture, among choices."""

import pytest

from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Detect, Reply, Request
from tests.support.scene_graph_runs import (
    CORRECT_SCENE,
    LEFT,
    LOW,
    METRIC,
    PROMPT,
    RIGHT,
    answers_of,
    errors_of,
    graphs_of,
)
from tests.support.scripted_vision import Scene, look, thing


def test_the_judge_is_asked_on_the_crop_among_choices_and_sees_nothing_of_the_prompt() -> None:
    asked: list[Request] = []
    look(
        METRIC,
        "a maroon square above a sleeping dog",
        Scene((thing("square", LEFT), thing("dog", LOW))).reply,
        asked,
    )
    detect, *looks = asked
    assert isinstance(detect, Detect)
    assert detect.phrases[:2] == ("square", "dog")
    assert all(
        isinstance(one, Ask)
        and one.region in (LEFT, LOW)
        and one.choices
        and "maroon square" not in one.text
        for one in looks
    )
    questions = [one.question for one in looks if isinstance(one, Ask) and one.region == LOW]
    assert questions == [
        "Is this a dog?",
        "What color is this?",
        "What shape is this?",
        "What texture is this?",
        "Is this sleeping?",
    ]
    colours = next(
        one.choices
        for one in looks
        if isinstance(one, Ask) and one.region == LEFT and "color" in one.question
    )
    assert {"Red", "Maroon"} <= set(colours)


def test_other_relations_are_asked_on_the_part_that_holds_both_things() -> None:
    asked: list[Request] = []
    scene = Scene(
        (thing("man", LEFT), thing("horse", LOW, color="brown")), {("man", "horse"): "Riding"}
    )
    assert errors_of(look(METRIC, "A man riding a brown horse", scene.reply, asked)) == []
    (pair,) = [one for one in asked if isinstance(one, Ask) and one.region not in (LEFT, LOW)]
    assert pair.region == Box(0.05, 0.3, LOW.right, LOW.bottom)
    assert {"Riding", "Holding", "None of these"} <= set(pair.choices)


def test_another_relation_of_the_two_is_a_wrong_one_and_said() -> None:
    scene = Scene((thing("man", LEFT), thing("horse", LOW)), {("man", "horse"): "Hugging"})
    assert errors_of(look(METRIC, "A man riding a horse", scene.reply)) == [
        ("relation", "riding the horse", "hugging")
    ]


@pytest.mark.parametrize("said", ["I cannot tell", "It is red or blue", "A fine picture!"])
def test_a_colour_that_cannot_be_told_or_read_is_unreadable_and_no_error(said: str) -> None:
    def reply(request: Request) -> Reply:
        return (
            Answer(said)
            if isinstance(request, Ask) and "color" in request.question
            else CORRECT_SCENE.reply(request)
        )

    report = look(METRIC, PROMPT, reply)
    assert answers_of(report)["Is the circle yellow?"] == ("unknown", "unreadable")
    assert graphs_of(report).errors == ()


def test_the_shape_of_what_is_called_by_its_shape_is_asked_only_where_the_prompt_says_one() -> None:
    def asked(prompt: str, *labels: str) -> list[str]:
        scene, shapes = (
            Scene(
                tuple(
                    thing(label, place, shape="round")
                    for label, place in zip(labels, (LEFT, RIGHT), strict=False)
                )
            ),
            [],
        )

        def reply(request: Request) -> Reply:
            if isinstance(request, Ask) and request.question == "What shape is this?":
                shapes.append(next(one.label for one in scene.things if one.box == request.region))
            return scene.reply(request)

        look(METRIC, prompt, reply)
        return shapes

    assert asked("a circle and a ladybug", "circle", "ladybug") == ["ladybug"]
    assert asked("a round circle and a ladybug", "circle", "ladybug") == ["circle", "ladybug"]
