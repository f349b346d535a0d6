"""Scene-graph QA and the caption ablation: what is asked, graded and left out."""

import pytest

from hallascope import metrics
from hallascope.data.graphs import SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.data.requests import Answer, Ask, Describe, Detect, Reply, Request, Segment, Write
from hallascope.metrics.scene_graph.grade import SENTENCES
from tests.support.scene_graph_runs import (
    CORRECT_SCENE,
    METRIC,
    PROMPT,
    TIMEOUT,
    answers_of,
    graphs_of,
)
from tests.support.scripted_vision import PICTURE, evidence_of, look


def test_a_picture_that_shows_what_was_asked_for_has_the_best_grade_and_every_answer() -> None:
    report = look(METRIC, PROMPT, CORRECT_SCENE.reply)
    assert answers_of(report) == dict.fromkeys(
        (
            "Is there a square in the image?",
            "Is the square blue?",
            "Is there a circle in the image?",
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
    assert (graphs_of(report).grade, graphs_of(report).sentence, graphs_of(report).errors) == (
        7,
        SENTENCES[7],
        (),
    )
    assert report.published == {"score": 1.0}


def test_a_segmenter_gives_outlines_where_there_is_one_and_its_failure_leaves_everything_out() -> (
    None
):
    asked: list[Request] = []
    cut = look(METRIC, PROMPT, CORRECT_SCENE.reply, asked, roles=frozenset({"segmenter"}))
    assert sum(isinstance(one, Segment) for one in asked) == 1
    assert all(segment.mask for segment in evidence_of(cut).segments)
    blind = look(
        METRIC,
        PROMPT,
        lambda one: TIMEOUT if isinstance(one, Segment) else CORRECT_SCENE.reply(one),
        roles=frozenset({"segmenter"}),
    )
    assert (blind.score.value, blind.score.left_out) == (None, len(answers_of(cut)))
    assert all("no outlines" in finding.note for finding in evidence_of(blind).findings)
    assert cut.version != look(METRIC, PROMPT, CORRECT_SCENE.reply).version


def failing(kind: type, words: str = "") -> Report:
    def reply(request: Request) -> Reply:
        lost = isinstance(request, kind) and words in getattr(request, "question", "")
        return TIMEOUT if lost else CORRECT_SCENE.reply(request)

    return look(METRIC, PROMPT, reply)


def test_a_detector_that_fails_leaves_everything_out() -> None:
    report = failing(Detect)
    assert (report.score, graphs_of(report).grade) == (Score(None, 0, 5), None)
    assert {one.state for one in evidence_of(report).findings} == {"failed"}
    assert all("The detector gave nothing" in one.note for one in evidence_of(report).findings)
    assert (report.published["score"], graphs_of(report).errors) == (0.0, ())


def test_a_judge_that_fails_leaves_out_what_it_was_asked_and_nothing_else() -> None:
    report = failing(Ask, "What color")
    assert answers_of(report)["Is the square blue?"] == ("unknown", "failed")
    assert answers_of(report)["Is the square to the left of the circle?"] == ("yes", "correct")
    assert report.scores["correct"] == Score(1.0, 3, 2)
    assert (report.score, graphs_of(report).grade) == (Score(None, 0, 5), None)
    assert (graphs_of(report).sentence, graphs_of(report).errors) == ("", ())
    assert (report.scores["attribute"].value, report.scores["omission"].value) == (None, 0.0)
    assert report.published["score"] == pytest.approx(4 / 6)
    # Where the judge does not say what the things are, nobody knows what is there.
    unnamed = answers_of(failing(Ask, "Is this a"))
    assert {state for _, state in unnamed.values()} == {"failed"}


PHRASED = '{"questions": ["One?", "Two?", "Three?", "Four?", "Five?"]}'


def writing(questions: str, asked: list[Request] | None = None, **said: Reply) -> Report:
    """Look with a writer that phrases these questions, and answers no to those not named."""

    def reply(request: Request) -> Reply:
        if not isinstance(request, Write):
            return CORRECT_SCENE.reply(request)
        if "Phrase each" in request.text:
            return Answer(questions)
        found = [said[name] for name in said if f"{name}?" in request.text]
        return found[0] if found else Answer('{"answer": "no"}')

    return look(METRIC, PROMPT, reply, asked, roles=frozenset({"writer"}))


def test_a_writer_phrases_the_questions_and_answers_them_from_the_same_memory() -> None:
    asked: list[Request] = []
    report = writing(PHRASED, asked)
    assert answers_of(report) == dict.fromkeys(
        ("One?", "Two?", "Three?", "Four?", "Five?"), ("no", "incorrect")
    )
    prompts = [one.text for one in asked if isinstance(one, Write)][1:]
    assert len(prompts) == 5
    assert "- square 1 | left of | circle 1" in prompts[4]
    assert PROMPT not in "".join(prompts)
    assert report.version != look(METRIC, PROMPT, CORRECT_SCENE.reply).version


@pytest.mark.parametrize("questions", ["no JSON", '{"questions": ["One?"]}'])
def test_questions_that_a_writer_does_not_phrase_are_left_out_and_named(questions: str) -> None:
    report = writing(questions)
    assert {state for _, state in answers_of(report).values()} == {"unreadable"}
    assert all("does not hold 5 questions" in one.note for one in evidence_of(report).findings)
    assert report.score == Score(None, 0, 5)


def test_a_question_that_a_writer_does_not_answer_is_left_out_and_named() -> None:
    report = writing(PHRASED, One=Answer("yes"), Two=TIMEOUT, Three=Answer("perhaps"))
    states = [state for _, state in answers_of(report).values()]
    assert states == ["correct", "failed", "unreadable", "incorrect", "incorrect"]
    assert (report.score.counted, report.score.left_out) == (3, 2)
    assert "The writer gave no answer" in evidence_of(report).findings[1].note


@pytest.mark.parametrize("prompt", ["a square without a hat", "a square and at most two cats"])
def test_what_must_not_or_need_not_be_there_is_no_error_where_a_writer_finds_it_unknown(
    prompt: str,
) -> None:
    def reply(request: Request) -> Reply:
        if not isinstance(request, Write):
            return CORRECT_SCENE.reply(request)
        if "Phrase each" in request.text:
            return Answer('{"questions": ["One?", "Two?"]}')
        unseen = "nothing is known about it" in request.text
        return Answer('{"answer": "unknown"}' if unseen else '{"answer": "yes"}')

    report = look(METRIC, prompt, reply, roles=frozenset({"writer"}))
    assert report.scores["correct"].value == 1.0
    assert [error.seen for error in graphs_of(report).errors] == ["circle"]


CAPTIONED = "a red circle and two blue squares"


def captioned(caption: str, prompt: str = CAPTIONED) -> Report:
    return look(metrics.get("caption-ablation"), prompt, lambda _: Answer(caption))


def graphs_of_caption(caption: str, prompt: str = CAPTIONED) -> SceneGraphs:
    graphs = evidence_of(captioned(caption, prompt)).graphs
    assert graphs
    return graphs


def test_the_same_questions_are_answered_from_the_triples_of_a_caption() -> None:
    found = graphs_of_caption(
        "The picture shows two blue squares and a red circle. A star is above them."
    )
    assert [one.answer for one in found.questions] == ["yes"] * 5
    assert [(error.type, error.seen) for error in found.errors] == [("extraneous", "star")]
    assert found.grade == 6
    assert len([node for node in found.seen.nodes if node.label == "square"]) == 2


@pytest.mark.parametrize("caption", ["I'm sorry, I can't help with that.", "一只狗在沙发上。"])
def test_a_caption_that_names_no_thing_is_left_out_and_not_kept(caption: str) -> None:
    metric = metrics.get("caption-ablation")
    assert captioned(caption).score == Score(None, 0, 5)
    assert metric.readable is not None
    describe = Describe(PICTURE, "")
    assert not metric.readable(describe, Answer(caption))
    assert metric.readable(describe, Answer("A dog."))
    assert not metric.readable(describe, Answer("A dog.", truncated=True))


def test_a_caption_that_breaks_off_leaves_out_what_it_might_have_named() -> None:
    cut = Answer("A red circle.", truncated=True)
    assert look(metrics.get("caption-ablation"), CAPTIONED, lambda _: cut).score.value is None


def test_what_a_caption_does_not_say_is_missing() -> None:
    found = graphs_of_caption(
        "There is a green circle to the right of a square.", "a red circle to the left of a square"
    )
    assert [(error.type, error.asked, error.seen) for error in found.errors] == [
        ("attribute", "red", "green"),
        ("relation", "to the left of the square", "to the right of"),
    ]


def test_an_empty_caption_is_left_out() -> None:
    report = captioned("  ")
    assert report.score == Score(None, 0, 5)
