"""Scene-graph QA on pictures whose things are known: what it asks, the grade of worked cases, what
is left out and never counted wrong.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.data.evidence import Evidence
from hallascope.data.graphs import GraphError, SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Answer,
    Ask,
    Detect,
    Detected,
    Failure,
    Reply,
    Request,
    Segment,
    Write,
)
from hallascope.metrics.parsing.english import is_english
from hallascope.metrics.scene_graph.grade import SENTENCES, grade, normalised
from hallascope.metrics.scene_graph.relations import MOST_PAIRS
from tests.support.scripted_vision import Scene, box, look, thing

METRIC = metrics.get("scene-graph")
GONE = Failure("timeout", "The model did not answer in 30 s.")
LEFT, RIGHT, LOW, CORNER = box(0.05, 0.3), box(0.7, 0.3), box(0.4, 0.7), box(0.75, 0.75)
PROMPT = "a blue square to the left of a yellow circle"
RIGHT_SCENE = Scene(
    (
        thing("square", LEFT, color="blue", shape="square"),
        thing("circle", RIGHT, color="yellow", shape="round"),
    )
)


def seen(prompt: str, *things: object, **doing: object) -> Report:
    return look(METRIC, prompt, Scene(tuple(things), **doing).reply)  # type: ignore[arg-type]


def evidence(report: Report) -> Evidence:
    assert report.evidence is not None
    return report.evidence


def graphs(report: Report) -> SceneGraphs:
    found = evidence(report).graphs
    assert found is not None
    return found


def told(report: Report) -> list[tuple[str, str, str]]:
    return [(error.type, error.asked, error.seen) for error in graphs(report).errors]


def answers(report: Report) -> dict[str, tuple[str, str]]:
    states = [one.state for one in evidence(report).findings]
    return {one.text: (one.answer, states[one.finding]) for one in graphs(report).questions}


# --- as it should go
# --------------------------------------------------------------------------------------------------


def test_a_picture_that_shows_what_was_asked_for_has_the_best_grade_and_every_answer() -> None:
    report = look(METRIC, PROMPT, RIGHT_SCENE.reply)
    assert answers(report) == dict.fromkeys(
        (
            "Is there a square in the picture?",
            "Is the square blue?",
            "Is there a circle in the picture?",
            "Is the circle yellow?",
            "Is the square to the left of the circle?",
        ),
        ("yes", "correct"),
    )
    assert (report.score, report.scores["grade"].value) == (Score(1.0, 5, 0), 7.0)
    assert (report.scores["correct"], report.scores["answered"]) == (
        Score(1.0, 5, 0),
        Score(1.0, 5, 0),
    )
    assert (graphs(report).grade, graphs(report).sentence, graphs(report).errors) == (
        7,
        SENTENCES[7],
        (),
    )
    assert report.published == {"score": 1.0}


def test_the_graph_of_the_picture_has_its_things_their_attributes_and_how_they_stand() -> None:
    found = graphs(look(METRIC, PROMPT, RIGHT_SCENE.reply))
    assert [(node.name, node.label, node.segment) for node in found.seen.nodes] == [
        ("n1", "square", "s1"),
        ("n2", "circle", "s2"),
    ]
    assert [(a.kind, a.value) for a in found.seen.nodes[0].attributes] == [("color", "blue")]
    assert [(edge.source, edge.relation, edge.target) for edge in found.seen.edges] == [
        ("n1", "left of", "n2")
    ]
    assert set(found.matches) == {("n1", "n1"), ("n2", "n2"), ("e1", "e1")}


def test_a_question_keeps_the_triples_it_was_answered_from_and_no_others() -> None:
    found = graphs(look(METRIC, PROMPT, RIGHT_SCENE.reply)).questions
    memory = {one.text: [triple[:3] for triple in one.memory] for one in found}
    assert memory["Is the square blue?"] == [
        ("square 1", "is a", "square"),
        ("square 1", "is", "blue"),
    ]
    assert memory["Is the square to the left of the circle?"][2:] == [
        ("square 1", "left of", "circle 1")
    ]


def test_findings_point_at_the_words_of_the_prompt_and_at_the_segments() -> None:
    findings = evidence(look(METRIC, PROMPT, RIGHT_SCENE.reply)).findings
    words = {
        finding.expected: [PROMPT[slice(*span)] for span in finding.prompt_spans]
        for finding in findings
    }
    assert words["blue square"] == ["blue", "square"]
    assert words["square to the left of the circle"] == ["to the left of", "square", "circle"]
    assert [finding.segments for finding in findings] == [
        ("s1",),
        ("s1",),
        ("s2",),
        ("s2",),
        ("s1", "s2"),
    ]


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


def test_a_segmenter_gives_outlines_where_there_is_one_and_its_failure_leaves_everything_out() -> (
    None
):
    asked: list[Request] = []
    cut = look(METRIC, PROMPT, RIGHT_SCENE.reply, asked, roles=frozenset({"segmenter"}))
    assert sum(isinstance(one, Segment) for one in asked) == 1
    assert all(segment.mask for segment in evidence(cut).segments)
    blind = look(
        METRIC,
        PROMPT,
        lambda one: GONE if isinstance(one, Segment) else RIGHT_SCENE.reply(one),
        roles=frozenset({"segmenter"}),
    )
    assert (blind.score.value, blind.score.left_out) == (None, len(answers(cut)))
    assert all("no outlines" in finding.note for finding in evidence(blind).findings)
    assert cut.version != look(METRIC, PROMPT, RIGHT_SCENE.reply).version


# --- the grade
# --------------------------------------------------------------------------------------------------


def wrong(**many: int) -> list[GraphError]:
    return [
        GraphError(type=each, subject="", asked="", seen="")  # type: ignore[arg-type]
        for each, count in many.items()
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("errors", "wanted", "expected"),
    [
        (wrong(omission=2), 2, 1),  # off topic
        (wrong(omission=3), 5, 2),
        (wrong(omission=2, relation=1), 5, 2),
        (wrong(relation=1), 2, 3),
        (wrong(omission=1, attribute=4, extraneous=2), 3, 3),
        (wrong(attribute=3), 2, 4),
        (wrong(attribute=1, extraneous=1), 2, 5),
        (wrong(attribute=2), 2, 5),
        (wrong(extraneous=5), 2, 6),
        ([], 2, 7),
        ([], 0, 7),
    ],
)
def test_the_grade_is_the_first_of_the_scale_that_applies(
    errors: list[GraphError], wanted: int, expected: int
) -> None:
    assert grade(errors, wanted) == expected
    assert normalised(expected) == pytest.approx((expected - 1) / 6)


@given(
    st.lists(st.sampled_from(["attribute", "relation", "omission", "extraneous"]), max_size=12),
    st.integers(1, 8),
)
def test_one_error_more_never_raises_the_grade(types: list[str], wanted: int) -> None:
    found = [grade(wrong_of(types[:many]), wanted) or 0 for many in range(len(types) + 1)]
    assert found == sorted(found, reverse=True)
    assert all(1 <= one <= 7 for one in found)


def wrong_of(types: list[str]) -> list[GraphError]:
    return [
        GraphError(type=each, subject="", asked="", seen="")  # type: ignore[arg-type]
        for each in types
    ]


def test_off_topic_is_grade_one_and_what_is_there_instead_is_extraneous() -> None:
    report = seen(PROMPT, thing("star", LEFT, color="red"))
    assert (graphs(report).grade, report.score.value) == (1, 0.0)
    assert told(report) == [
        ("omission", "square", ""),
        ("omission", "circle", ""),
        ("extraneous", "", "star"),
    ]


def test_what_is_said_of_a_missing_thing_is_unanswered_and_no_further_error() -> None:
    report = seen(PROMPT, thing("circle", RIGHT, color="yellow"))
    assert told(report) == [("omission", "square", "")]
    assert answers(report)["Is the square blue?"] == ("unknown", "incorrect")
    assert graphs(report).grade == 3
    assert report.scores["answered"] == Score(3 / 5, 5, 0)


def test_three_missing_things_are_grade_two() -> None:
    assert graphs(seen("a cat, a dog, a cup and a tree", thing("tree", LEFT))).grade == 2


def test_a_wrong_relation_alone_is_grade_three_and_says_how_they_stand_instead() -> None:
    report = seen(
        PROMPT, thing("square", RIGHT, color="blue"), thing("circle", LEFT, color="yellow")
    )
    assert told(report) == [("relation", "to the left of the circle", "to the right of")]
    assert graphs(report).errors[0].seen_in == ("e1",)
    assert graphs(report).grade == 3


@pytest.mark.parametrize(
    ("colours", "expected"),
    [
        (("red", "red", "red"), 4),
        (("blue", "red", "red"), 5),
        (("blue", "yellow", "red"), 5),
        (("blue", "yellow", "green"), 7),
    ],
)
def test_wrong_attributes_alone_are_grade_four_from_the_third_on(
    colours: tuple[str, str, str], expected: int
) -> None:
    labels = zip(("square", "circle", "star"), (LEFT, RIGHT, LOW), colours, strict=True)
    report = seen(
        "a blue square, a yellow circle and a green star",
        *(thing(name, at, color=tone) for name, at, tone in labels),
    )
    assert graphs(report).grade == expected
    assert {error.type for error in graphs(report).errors} <= {"attribute"}


def test_extras_alone_are_grade_six() -> None:
    report = seen(
        "a blue square",
        thing("square", LEFT, color="blue"),
        thing("star", RIGHT),
        thing("star", LOW),
        thing("heart", CORNER),
    )
    assert told(report) == [("extraneous", "", "star"), ("extraneous", "", "heart")]
    assert graphs(report).grade == 6
    assert evidence(report).findings[-2].segments == ("s2", "s3")


# --- one is enough, several are no extras
# -----------------------------------------------------------------------------------


def test_several_of_one_type_are_no_extras_and_one_that_satisfies_is_enough() -> None:
    report = seen(
        "a blue square", thing("square", LEFT, color="red"), thing("square", RIGHT, color="blue")
    )
    assert (told(report), graphs(report).grade) == ([], 7)


def test_a_relation_holds_where_any_two_of_the_types_stand_so() -> None:
    report = seen(
        "a square above a star",
        thing("square", LOW),
        thing("square", box(0.7, 0.0)),
        thing("star", RIGHT),
    )
    assert told(report) == []


def test_of_a_number_so_many_must_satisfy_and_another_number_is_a_wrong_attribute() -> None:
    two = [thing("circle", LEFT, color="red"), thing("circle", RIGHT, color="blue")]
    assert told(seen("two red circles", *two)) == [("attribute", "red", "red and blue")]
    assert told(seen("two red circles", two[0])) == [("attribute", "two", "one")]
    assert told(seen("three circles", *two)) == [("attribute", "three", "two")]


def test_things_of_one_name_are_told_apart_by_their_attributes() -> None:
    prompt = "a red circle to the left of a blue circle"
    right = [thing("circle", RIGHT, color="blue"), thing("circle", LEFT, color="red")]
    assert told(seen(prompt, *right)) == []
    assert told(
        seen(
            prompt,
            *(
                thing("circle", one.box, color=tone)
                for one, tone in zip(right, ("red", "blue"), strict=True)
            ),
        )
    ) == [("relation", "to the left of the circle", "to the right of")]
    assert told(seen(prompt, right[1])) == [("omission", "circle", "")]


def test_two_things_that_nothing_tells_apart_may_be_either() -> None:
    assert told(seen("a dog to the left of a dog", thing("dog", RIGHT), thing("dog", LEFT))) == []


def test_synonyms_and_kinds_are_found_and_no_extras() -> None:
    shown = Scene((thing("person", LEFT), thing("dog", box(0.3, 0.3))))
    report = look(METRIC, "a woman next to a puppy", shown.reply, vocabulary="general")
    assert told(report) == []


# --- what boxes cannot tell
# --------------------------------------------------------------------------------------------------


def test_other_relations_are_asked_on_the_part_that_holds_both_things() -> None:
    asked: list[Request] = []
    scene = Scene(
        (thing("man", LEFT), thing("horse", LOW, color="brown")), {("man", "horse"): "Riding"}
    )
    assert told(look(METRIC, "A man riding a brown horse", scene.reply, asked)) == []
    (pair,) = [one for one in asked if isinstance(one, Ask) and one.region not in (LEFT, LOW)]
    assert pair.region == Box(0.05, 0.3, LOW.right, LOW.bottom)
    assert {"Riding", "Holding", "None of these"} <= set(pair.choices)


def test_another_relation_of_the_two_is_a_wrong_one_and_said() -> None:
    scene = Scene((thing("man", LEFT), thing("horse", LOW)), {("man", "horse"): "Hugging"})
    assert told(look(METRIC, "A man riding a horse", scene.reply)) == [
        ("relation", "riding the horse", "hugging")
    ]


def test_what_must_not_be_there_is_extraneous_where_it_is() -> None:
    assert told(seen("a man with no hat", thing("man", LEFT))) == []
    report = seen("a man with no hat", thing("man", LEFT), thing("hat", box(0.1, 0.1)))
    assert told(report) == [("extraneous", "no hat", "hat")]
    assert answers(report)["Is there a hat in the picture?"] == ("yes", "incorrect")
    assert graphs(report).grade == 6
    assert graphs(report).asked.nodes[1].absent


# --- what fails is left out
# --------------------------------------------------------------------------------------------------


def failing(kind: type, words: str = "") -> Report:
    def reply(request: Request) -> Reply:
        lost = isinstance(request, kind) and words in getattr(request, "question", "")
        return GONE if lost else RIGHT_SCENE.reply(request)

    return look(METRIC, PROMPT, reply)


def test_a_detector_that_fails_leaves_everything_out() -> None:
    report = failing(Detect)
    assert (report.score, graphs(report).grade) == (Score(None, 0, 5), None)
    assert {one.state for one in evidence(report).findings} == {"failed"}
    assert all("The detector gave nothing" in one.note for one in evidence(report).findings)
    assert (report.published["score"], graphs(report).errors) == (0.0, ())


def test_a_judge_that_fails_leaves_out_what_it_was_asked_and_nothing_else() -> None:
    report = failing(Ask, "What color")
    assert answers(report)["Is the square blue?"] == ("unknown", "failed")
    assert answers(report)["Is the square to the left of the circle?"] == ("yes", "correct")
    assert (report.score, graphs(report).grade, graphs(report).errors) == (Score(1.0, 3, 2), 7, ())
    assert report.published["score"] == pytest.approx(4 / 6)
    assert {state for _, state in answers(failing(Ask, "Is this a")).values()} == {
        "failed"
    }  # nobody knows what is there


@pytest.mark.parametrize("said", ["I cannot tell", "It is red or blue", "A fine picture!"])
def test_a_colour_that_cannot_be_told_or_read_is_unreadable_and_no_error(said: str) -> None:
    def reply(request: Request) -> Reply:
        return (
            Answer(said)
            if isinstance(request, Ask) and "color" in request.question
            else RIGHT_SCENE.reply(request)
        )

    report = look(METRIC, PROMPT, reply)
    assert answers(report)["Is the circle yellow?"] == ("unknown", "unreadable")
    assert graphs(report).errors == ()


def test_what_the_judge_denies_is_left_out_of_the_graph_and_said() -> None:
    def reply(request: Request) -> Reply:
        denied = isinstance(request, Ask) and request.question == "Is this a circle?"
        return Answer("No") if denied else RIGHT_SCENE.reply(request)

    report = look(METRIC, PROMPT, reply)
    assert told(report) == [("omission", "circle", "")]
    assert evidence(report).notes == (
        "What was detected as circle is none by the judge, and was left out.",
    )


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
    assert [(node.label, node.segment) for node in graphs(report).seen.nodes] == [
        ("square", "s1"),
        ("circle", "s2"),
        ("star", "s3"),
    ]
    assert told(report) == [("extraneous", "", "star")]
    assert evidence(report).notes == (
        "By the judge, what was detected is something else: heart as circle, sunflower as star.",
    )


@pytest.mark.parametrize(
    ("chance", "left"), [(0.4, ["square", "star"]), (0.7, ["square"]), (0.95, [])]
)
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
    assert [node.label for node in graphs(look(METRIC, "a blue square", reply)).seen.nodes] == left


def test_a_prompt_that_names_nothing_has_no_grade() -> None:
    for prompt in ("", "!!!", "in the style of"):
        report = seen(prompt)
        assert (report.score.value, graphs(report).grade, graphs(report).questions) == (
            None,
            None,
            (),
        )


# --- with a writer
# --------------------------------------------------------------------------------------------------


def writing(answer: str, questions: str = "") -> Report:
    def reply(request: Request) -> Reply:
        if not isinstance(request, Write):
            return RIGHT_SCENE.reply(request)
        return Answer(questions) if "Phrase each" in request.text else Answer(answer)

    return look(METRIC, PROMPT, reply, roles=frozenset({"writer"}))


def test_a_writer_phrases_the_questions_and_answers_them_from_the_same_memory() -> None:
    asked: list[Request] = []
    phrased = '{"questions": ["One?", "Two?", "Three?", "Four?", "Five?"]}'

    def reply(request: Request) -> Reply:
        if not isinstance(request, Write):
            return RIGHT_SCENE.reply(request)
        return Answer(phrased if "Phrase each" in request.text else '{"answer": "no"}')

    report = look(METRIC, PROMPT, reply, asked, roles=frozenset({"writer"}))
    assert answers(report) == dict.fromkeys(
        ("One?", "Two?", "Three?", "Four?", "Five?"), ("no", "incorrect")
    )
    prompts = [one.text for one in asked if isinstance(one, Write)][1:]
    assert len(prompts) == 5
    assert "- square 1 | left of | circle 1" in prompts[4]
    assert PROMPT not in "".join(prompts)
    assert report.version != look(METRIC, PROMPT, RIGHT_SCENE.reply).version


@pytest.mark.parametrize("questions", ["no JSON", '{"questions": ["One?"]}'])
def test_questions_that_a_writer_does_not_phrase_are_left_out_and_named(questions: str) -> None:
    report = writing("yes", questions)
    assert {state for _, state in answers(report).values()} == {"unreadable"}
    assert all("does not hold 5 questions" in finding.note for finding in evidence(report).findings)
    assert report.score == Score(None, 0, 5)


def test_a_question_that_a_writer_does_not_answer_is_left_out_and_named_and_the_others_count() -> (
    None
):
    def reply(request: Request) -> Reply:
        if not isinstance(request, Write):
            return RIGHT_SCENE.reply(request)
        if "Phrase each" in request.text:
            return Answer('{"questions": ["One?", "Two?", "Three?", "Four?", "Five?"]}')
        return (
            GONE
            if "Two?" in request.text
            else Answer("perhaps" if "Three?" in request.text else "yes")
        )

    report = look(METRIC, PROMPT, reply, roles=frozenset({"writer"}))
    assert [state for _, state in answers(report).values()] == [
        "correct",
        "failed",
        "unreadable",
        "correct",
        "correct",
    ]
    assert (report.score.counted, report.score.left_out) == (3, 2)
    assert "The writer gave no answer" in evidence(report).findings[1].note


# --- sizes
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [0, 1, 40, 60])
def test_pictures_of_no_thing_or_very_many_have_a_graph_and_a_grade(many: int) -> None:
    names = ("square", "circle", "star", "heart")
    things = [
        thing(names[at % 4], box(at % 8 / 8, at // 8 / 8, 0.1), color="blue") for at in range(many)
    ]
    report = seen("a blue square next to a circle", *things)
    found = graphs(report)
    assert len(found.seen.nodes) == min(many, 40)
    assert found.grade == (1 if not many else 3 if many == 1 else 6)
    assert len(found.seen.edges) <= 3 * (MOST_PAIRS + many)
    ends = {node.name for node in found.seen.nodes}
    assert all(
        edge.source in ends and edge.target in ends and edge.source != edge.target
        for edge in found.seen.edges
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["square", "circle", "dog", "zzz"]),
            st.integers(0, 7),
            st.integers(0, 7),
        ),
        max_size=12,
    ),
    st.text(max_size=30)
    | st.sampled_from([PROMPT, "three dogs chasing it", "no dogs", "a dog on a dog under a dog"]),
)
@settings(max_examples=40, deadline=None)
def test_whatever_is_seen_every_question_has_a_finding_and_shares_stay_in_bounds(
    things: list[tuple[str, int, int]], prompt: str
) -> None:
    report = seen(
        prompt, *(thing(name, box(x / 8, y / 8, 0.12), color="red") for name, x, y in things)
    )
    found = graphs(report)
    assert [one.finding for one in found.questions] == list(range(len(found.questions)))
    assert all(
        score.value is None or 0 <= score.value <= 1
        for name, score in report.scores.items()
        if name in ("score", "correct")
    )
    assert (found.grade is None) == (not found.questions or not is_english(prompt))
    names = {node.name for node in found.seen.nodes} | {edge.name for edge in found.seen.edges}
    assert all(other in names for _, other in found.matches)
    assert all(
        0 <= error.finding < len(evidence(report).findings)
        for error in found.errors
        if error.finding is not None
    )


# --- what was observed
# --------------------------------------------------------------------------------------------------


def test_a_relation_that_is_met_by_its_kin_shows_what_was_observed() -> None:
    report = seen(
        "a dog on a table", thing("dog", box(0.4, 0.1)), thing("table", box(0.4, 0.6, 0.3))
    )
    (relation,) = [one for one in evidence(report).findings if one.kind == "relation"]
    assert relation.state == "correct"
    assert (relation.expected, relation.observed) == ("dog on the table", "above")
    (question,) = [one for one in graphs(report).questions if one.kind == "relation"]
    assert (question.answer, question.seen_value) == ("yes", "above")


def test_a_forbidden_thing_that_is_seen_is_an_extraneous_error_and_is_never_asked_for() -> None:
    report = seen(
        "a dog without a collar or a hat",
        thing("dog", box(0.1, 0.1)),
        thing("collar", box(0.6, 0.6)),
    )
    assert [(one.expected, one.state) for one in evidence(report).findings] == [
        ("dog", "correct"),
        ("no collar", "incorrect"),
        ("no hat", "correct"),
    ]
    assert [(error.type, error.seen) for error in graphs(report).errors] == [
        ("extraneous", "collar")
    ]
