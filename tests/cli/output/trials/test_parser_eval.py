"""Tests what is printed of how well prompts are read and names matched."""

from hallascope.cli.output.trials import parser_eval
from hallascope.data.files.readings.gold_names import GoldNamePair
from hallascope.data.prompt_reading import GoldReading, PromptReading
from hallascope.engine.judge_eval.parsers.parser_eval import (
    NameEvaluation,
    ParserEvaluation,
    PromptShare,
)
from hallascope.metrics.parsing.readings.comparison import ReadingComparison
from hallascope.metrics.statistics.intervals import Interval

NAMES = NameEvaluation(
    PromptShare(3, 4, Interval(0.25, 1.0, "clopper-pearson")),
    (GoldNamePair(expected="sofa", observed="couch", same=True),),
)


def compared(prompt: str, stratum: str) -> ReadingComparison:
    return ReadingComparison(
        GoldReading(prompt=prompt, objects={}, stratum=stratum), PromptReading(prompt=prompt)
    )


def evaluation() -> ParserEvaluation:
    """A color is missing, which both systems ask for, and a material, which one of them does."""
    red, wooden, fine = (
        compared("a red car", "coco"),
        compared("a wooden table", "coco"),
        compared("two dogs", "drawbench"),
    )
    red.add("color", gold=True, read=False, words="red car")
    wooden.add("attribute", gold=True, read=False, words="wooden table")
    fine.add("count", gold=True, read=True, words="2 dog")
    fine.add("object", gold=True, read=True, words="dog")
    return ParserEvaluation(
        comparisons=(red, wooden, fine),
        recognized=PromptShare(1, 1, None),
        withheld=("two dogs",),
    )


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each row of tables by the first of them."""
    cells = [line.strip().split("  ") for line in text.splitlines() if line.strip()]
    return {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in cells}


def test_a_prompt_is_right_for_the_system_that_does_not_ask_for_what_is_missing() -> None:
    right = parser_eval.document(evaluation(), NAMES)["right"]
    shares = {system: (share["all"]["part"], share["all"]["of"]) for system, share in right.items()}
    assert shares == {"fig": (2, 3), "scene-graph": (1, 3)}
    assert right["fig"]["by_stratum"]["coco"]["value"] == 0.5
    assert right["fig"]["by_stratum"]["drawbench"] == {
        "value": 1.0,
        "part": 1,
        "of": 1,
        "interval": None,
    }


def test_mistakes_stand_with_their_prompts_and_names_with_the_judgment_of_a_person() -> None:
    document = parser_eval.document(evaluation(), NAMES)
    assert document["mistakes"][0] == {
        "prompt": "a red car",
        "stratum": "coco",
        "mistakes": [{"kind": "color", "what": "missing", "words": "red car"}],
    }
    assert [entry["prompt"] for entry in document["mistakes"]] == ["a red car", "a wooden table"]
    assert document["withheld"] == ["two dogs"]
    assert document["names"] == {
        "value": 0.75,
        "part": 3,
        "of": 4,
        "interval": {"low": 0.25, "high": 1.0, "method": "clopper-pearson"},
        "mistakes": [{"asked": "sofa", "seen": "couch", "same": True}],
    }


def test_the_tables_show_shares_with_their_intervals_and_what_they_are_of() -> None:
    table = rows(parser_eval.lines(evaluation(), NAMES, mistakes=False))
    assert table["names judged as a person would"] == ["0.750", "0.250 to 1.000", "4"]
    assert table["unreadable prompts recognized"] == ["1.000", "-", "1"]
    assert table["prompts read right for FiG"][0] == "0.667"
    assert table["drawbench"] == ["1.000", "-", "1"]


def test_of_an_element_that_is_nowhere_there_is_no_share() -> None:
    table = rows(parser_eval.lines(evaluation(), NAMES, mistakes=False))
    assert table["text"] == ["-", "-", "0", "-", "-", "0"]
    assert table["count"] == ["1.000", "-", "1", "1.000", "-", "1"]


def test_mistakes_are_listed_only_where_they_are_asked_for() -> None:
    brief = parser_eval.lines(evaluation(), NAMES, mistakes=False)
    full = parser_eval.lines(evaluation(), NAMES, mistakes=True)
    assert (
        full.removeprefix(brief)
        == """

coco: a red car
  wrong for FiG and scene graph
  color missing: red car

coco: a wooden table
  wrong for scene graph
  attribute missing: wooden table

no reading: two dogs

name judged wrong: couch is sofa"""
    )
