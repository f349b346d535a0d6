"""A picture with questions as an exhibit: what belongs to what, what is said of it, and the numbers
of the score.
"""

import re
from dataclasses import replace
from pathlib import Path

from hallascope.components.evidence.exhibits import verdicts
from hallascope.components.evidence.viewer import viewer
from hallascope.data.evidence import Evidence
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import Question, Verdict
from tests.support.tiles import CHOICES, EVIL, QUESTION, no_markup_of, report, tile, verdict

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


def test_a_question_says_which_of_its_parts_are_seen() -> None:
    assert (
        verdicts.region_note(OTHER, {"hydrogen atom": [SQUARE]})
        == "Marked: hydrogen atom. Not in this image: bond."
    )
    assert (
        verdicts.region_note(OTHER, {"else": [SQUARE]})
        == "Not to be seen in this image: hydrogen atom, bond."
    )
    assert (
        verdicts.region_note(
            Question(text="?", choices=QUESTION.choices, gold="A", coi="scene"), {}
        )
        == "This question is about the whole image."
    )
    assert "no region evidence" in verdicts.region_note(OTHER, {})


def test_the_card_of_a_question_shares_its_key_with_the_parts_and_tells_what_is_marked() -> None:
    html = viewer([verdicts.exhibit(tile(path=Path("/a.png")), {"hydrogen atom": [SQUARE]})])
    assert html.count('data-keys="[&#34;question=1&#34;]"') == 4, "outline, label, number and card"
    assert 'data-said="Marked: hydrogen atom."' in html
    assert " data-counts" in html, "shapes are numbered where the question counts them"


def test_the_alternative_text_says_which_answers_are_wrong() -> None:
    said = verdicts.alt_text(
        tile(
            reports=(
                report(verdict("correct"), verdict("incorrect", "D"), verdict("abstained", None)),
            )
        )
    )
    assert said.startswith("a molecule, by primer/hasty: 1 of 3 correct")
    assert (
        "Wrong: How many outer atoms are there? Five, not Four; How many outer atoms are there?"
        " nothing, not Four" in said
    )


def test_the_score_has_strict_policy_judge_and_composition() -> None:
    both = (report(verdict("correct"), verdict("incorrect", "D")),)
    html = viewer(
        [
            verdicts.exhibit(
                tile(path=Path("/a.png"), reports=both, judge="primer/judge", cached=True)
            )
        ]
    )
    for words in (
        "0.60, counted 5, left out 0",
        "strict (all correct)",
        "papers’ scoring (unanswered = wrong)",
        "primer/judge",
        "cached",
        "1 of 2",
    ):
        assert words in html


def test_several_trials_give_mean_and_deviation() -> None:
    reports = (report(verdict("correct"), value=1.0), report(verdict("incorrect", "D"), value=0.0))
    numbers = verdicts.exhibit(tile(path=Path("/a.png"), reports=reports)).numbers
    assert "mean of 2 trials" in numbers
    assert "0.50 ± 0.71" in numbers


def test_a_picture_without_parts_says_so_and_without_questions_gives_the_notice() -> None:
    shown = verdicts.exhibit(
        tile(
            path=Path("/a.png"), questions=(), notice="There are no questions for this prompt yet."
        )
    )
    assert "no region evidence" in shown.hint
    assert "There are no questions for this prompt yet." in shown.groups[0].body


def test_a_question_names_gold_and_judge_in_words() -> None:
    html = verdicts.question_card(0, QUESTION, verdict("incorrect", "D"))
    assert re.search(r"Four <span class=\"who\">expected</span>", html)
    assert re.search(r"Five <span class=\"who\">judge</span>", html)
    agreed = verdicts.question_card(0, QUESTION, verdict("correct", "C"))
    assert "expected and judge" in agreed


def test_a_question_without_an_answer_says_why() -> None:
    assert "took longer than" in verdicts.question_card(
        0, QUESTION, verdict("failed", None, failure="The judge took longer than 20 s.")
    )
    assert "names no single choice" in verdicts.question_card(
        0, QUESTION, verdict("unreadable", None)
    )


def test_all_trials_of_a_question_are_shown_where_there_are_several() -> None:
    html = verdicts.question_card(
        0, QUESTION, verdict("correct"), [verdict("correct"), verdict("incorrect", "D")]
    )
    assert "Trial 2: incorrect" in html
    assert "Trial" not in verdicts.question_card(
        0, QUESTION, verdict("correct"), [verdict("correct")]
    )


def test_a_question_card_shows_text_from_elsewhere_as_text() -> None:
    evil = replace(QUESTION, text=EVIL, choices=(EVIL, *CHOICES[1:]), regions=(EVIL,))
    assert no_markup_of(
        EVIL,
        verdicts.question_card(
            0, evil, Verdict(question=evil, answer="A", state="incorrect", raw=EVIL, failure=EVIL)
        ),
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


def test_what_the_rules_read_otherwise_and_other_notes_stand_below_the_questions() -> None:
    reading = PromptReading(prompt="x", source="model")
    notes = ("The rules read “hat”, the model does not.", "The parser was slow.")
    judged = replace(report(verdict("correct")), evidence=Evidence(reading=reading, notes=notes))
    _, asked, others = verdicts.exhibit(tile(reports=(judged,))).groups
    assert notes[0] in asked.body
    assert (notes[1] in others.body, notes[0] in others.body) == (True, False)


def test_the_numbers_name_a_wording_that_is_not_ours() -> None:
    ours = report(verdict("correct"))
    own = replace(ours, version="3+ab@lab.0123abcd")
    assert "lab (0123abcd)" in verdicts.exhibit(tile(reports=(own,))).numbers
    assert "wording" not in verdicts.exhibit(tile(reports=(ours,))).numbers
