"""The judge is asked about parts of the image, among choices, and what it denies is left out."""

import pytest

from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Detect, Detected, Reply, Request
from tests.support.scene_graph_runs import (
    CORNER,
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
from tests.support.scripted_vision import Scene, evidence_of, look, thing


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


def test_what_the_judge_denies_is_left_out_of_the_graph_and_said() -> None:
    def reply(request: Request) -> Reply:
        denied = isinstance(request, Ask) and request.question == "Is this a circle?"
        return Answer("No") if denied else CORRECT_SCENE.reply(request)

    report = look(METRIC, PROMPT, reply)
    assert errors_of(report) == [("omission", "circle", "")]
    assert evidence_of(report).notes == (
        "The judge says that the detected circle is no circle: left out.",
    )


def test_what_the_judge_denies_is_what_it_is_surest_of_among_the_names_it_was_given() -> None:
    """The detector takes the circle for a heart, and the star for a flower, also, less surely, for
    a star.
    """
    said: dict[tuple[str, Box | None], float] = {
        ("a square", LEFT): 0.0,
        ("a circle", RIGHT): 0.02,
        ("a star", CORNER): 0.4,
        ("a square", CORNER): 0.3,
    }

    def reply(request: Request) -> Reply:
        match request:
            case Detect():
                found = (
                    ("square", LEFT, 0.9),
                    ("heart", RIGHT, 0.9),
                    ("sunflower", CORNER, 0.9),
                    ("star", CORNER, 0.8),
                )
                return Detected(tuple(Detection(*one) for one in found))
            case Ask(region=region, question=question) if question.startswith("Is this "):
                no = said.get((question.removeprefix("Is this ").removesuffix("?"), region), 1.0)
                return Answer("No" if no > 0.5 else "Yes", (1 - no, no))
            case _:
                return Answer("I cannot tell")

    report = look(METRIC, "a square and a circle", reply)
    assert [(node.label, node.segment) for node in graphs_of(report).seen.nodes] == [
        ("square", "s1"),
        ("circle", "s2"),
        ("star", "s3"),
    ]
    assert errors_of(report) == [("extraneous", "", "star")]
    assert evidence_of(report).notes == (
        "The judge calls the detected heart a circle.",
        "The judge calls the detected sunflower a star.",
    )


@pytest.mark.parametrize("chance, left", [(0.4, ["square", "star"]), (0.7, ["square"]), (0.95, [])])
def test_a_judge_must_be_sure_to_deny_what_the_prompt_asks_for_and_less_so_of_other_things(
    chance: float, left: list[str]
) -> None:
    def reply(request: Request) -> Reply:
        named = isinstance(request, Ask) and request.question.startswith("Is this a ")
        return (
            Answer("No" if chance > 0.5 else "Yes", (1 - chance, chance))
            if named
            else scene.reply(request)
        )

    scene = Scene((thing("square", LEFT, color="blue"), thing("star", RIGHT)))
    assert [
        node.label for node in graphs_of(look(METRIC, "a blue square", reply)).seen.nodes
    ] == left
