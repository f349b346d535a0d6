"""An image with questions or rounds as an exhibit: what belongs to what, what is said of it, the
scores.
"""

from dataclasses import replace

from hallascope.components.evidence.exhibits import factualbench, verdicts
from hallascope.components.evidence.exhibits.unasked import error_sentence, unasked_group
from hallascope.components.evidence.viewer import viewer
from hallascope.data.evidence import Evidence, Finding, State
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import Question, Report, Score
from hallascope.metrics.true_answers import UnaskedError
from tests.support.tiles import QUESTION, report, tile, verdict

SQUARE = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))


OTHER = Question(
    text="What color?",
    choices=QUESTION.choices,
    gold="A",
    coi="color",
    regions=("hydrogen atom", "bond"),
)


def test_a_part_leads_to_all_questions_about_it_and_says_their_states() -> None:
    regions = {"hydrogen atom": [SQUARE], "elsewhere": [SQUARE]}
    (mark,) = verdicts.marks(
        [QUESTION, OTHER], [verdict("incorrect", "D"), verdict("correct")], regions
    )
    assert mark.name == "hydrogen atom", "a part no question is about is not shown"
    assert mark.keys == ("question=1", "question=2")
    assert mark.words == "question 1 incorrect; question 2 correct"
    assert mark.quiet, "nothing is drawn on the image before it is pointed at"


def test_a_question_without_an_answer_says_why() -> None:
    assert "took longer than" in verdicts.question_card(
        0, QUESTION, verdict("failed", None, failure="The judge took longer than 20 s.")
    )
    assert "names no single choice" in verdicts.question_card(
        0, QUESTION, verdict("unreadable", None)
    )


def test_questions_of_a_corrected_reading_stand_above_what_the_prompt_asks_for() -> None:
    cat = AskedObject(id="o1", name="<cat>")
    reading = PromptReading(prompt="x", objects=(cat,), source="person", author="Ann <b>")
    plain = tile(reports=(report(verdict("correct")),))
    corrected = replace(plain.reports[0], evidence=Evidence(reading=reading))
    html = viewer([verdicts.exhibit(replace(plain, reports=(corrected,)))])
    assert "corrected by Ann &lt;b&gt;" in html
    assert "&lt;cat&gt;" in html
    assert "The prompt asks for" not in viewer([verdicts.exhibit(plain)])


ERROR = UnaskedError(
    "What shape are the outer atoms?", "Square", "Round", "shape", ("hydrogen atom",)
)


def test_a_row_says_what_is_expected_and_what_is_drawn() -> None:
    group = unasked_group([ERROR])
    assert group.aside == "1"
    assert error_sentence(ERROR) in group.body
    assert 'data-keys="[&#34;fact=1&#34;]"' in group.body
    assert "data-whole" not in group.body
    everywhere = UnaskedError("Where is it?", "In space", "In a room", "scene", ())
    assert "data-whole" in unasked_group([everywhere]).body


def test_the_part_of_an_error_is_marked_and_leads_to_its_row() -> None:
    shapes = {"hydrogen atom": [((0.1, 0.1), (0.2, 0.1), (0.2, 0.2))]}
    judged = tile(reports=(report(verdict("correct")),), unasked=(ERROR,))
    shown = verdicts.exhibit(judged, shapes)
    (mark,) = shown.marks
    assert mark.keys == ("question=1", "fact=1")
    assert "wrong, not asked" in mark.words
    assert [group.title for group in shown.groups] == [
        "I-HallA",
        "Errors that no question covers",
    ]
    without = verdicts.exhibit(tile(reports=(report(verdict("correct")),)), shapes)
    assert [group.title for group in without.groups] == ["I-HallA"]


def judged(kind: str, observed: str, state: State, note: str = "") -> Finding:
    return Finding(
        kind=kind,
        expected="ladybug",
        observed=observed,
        state=state,
        prompt_spans=((2, 9),),
        note=note,
    )


FOUND = (
    judged("rating", "2 of 3", "incorrect", "1 of 4 criteria could not be told."),
    judged("shape", "met", "correct", "Is the shape the same? Yes."),
    judged("color", "not met", "incorrect", "It is blue."),
    judged("texture", "", "abstained", "The judge cannot tell."),
    judged("details", "met", "correct"),
    Finding(kind="task", expected="on the left", observed="not done", state="incorrect"),
    *(
        Finding(kind=kind, expected="", observed=observed, state="correct")
        for kind, observed in (
            ("rating", "4"),
            ("seamless", "met"),
            ("completeness", "met"),
            ("authenticity", "met"),
            ("following", "met"),
        )
    ),
)


SCORES = {
    "concept": Score(0.5, 1, 0),
    "task": Score(0.0, 1, 0),
    "composition": Score(1.0, 1, 0),
    "score": Score(0.5, 3, 0),
}


REPORT = Report(
    metric="factualbench",
    version="2",
    prompt="a ladybug on the left",
    image="ab",
    scores=SCORES,
    evidence=Evidence(findings=FOUND, notes=("A note.",)),
)


def test_every_concept_the_task_and_the_composition_have_a_table_with_what_was_judged() -> None:
    found = factualbench.groups(factualbench.display_report(REPORT).evidence)  # type: ignore[arg-type]
    assert [(one.title, one.aside) for one in found] == [
        ("Ladybug", "2 of 3"),
        ("Task", "not done"),
        ("Composition", "4 of 4"),
    ]
    assert "It is blue." in found[0].body
    assert "on the left" in found[1].body
    assert all(
        title in found[2].body
        for title in (
            "Seamless transition",
            "Visual completeness",
            "Authenticity",
            "Prompt following",
        )
    )
