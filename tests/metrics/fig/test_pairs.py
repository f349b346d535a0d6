"""Pairs of a noun and a word that describes it: of the prompt, of a user, of a list."""

from pathlib import Path

import pytest

from hallascope.data.files.object_attributes import ObjectAttribute
from hallascope.data.records import Picture
from hallascope.metrics.base import Case
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.listed_attributes import LISTED, add_listed, listed_version
from hallascope.metrics.fig.pairs import AttributePair, AttributeRule, PairVerdict, PictureText
from hallascope.metrics.fig.plan import templates
from hallascope.metrics.reading.parsed import Parsed
from tests.support.fig_stages import CASES, met_share, stages_of


@pytest.mark.parametrize("prompt, caption, met, note", CASES["colors"])
def test_a_color_is_wrong_where_the_number_in_that_color_is_not_reached(
    prompt: str, caption: str, met: bool, note: str
) -> None:
    rows = stages_of(prompt, caption).pairs["color"]
    assert (all(row.strict for row in rows), rows[0].note) == (met, note)


def test_a_rule_on_the_text_of_the_prompt_keeps_its_pairs_and_judges_them() -> None:
    def find(text: Parsed) -> list[AttributePair]:
        return [AttributePair(at, "any", (p.name_span,)) for at, p in text.indexed_objects()]

    def judge(pair: AttributePair, prompt: Parsed, picture: PictureText) -> PairVerdict:
        met = prompt.phrases[pair.noun or 0].name in picture.caption.text
        return PairVerdict(strict=met, soft=met)

    own = {"any": AttributeRule(find, judge)}
    stages = stages_of("a dog and a cat", "a dog", attributes=own)
    assert [(row.expected, row.strict, row.note) for row in stages.pairs["any"]] == [
        ("any dog", True, ""),
        ("any cat", False, "The caption names no cat."),
    ]


WOODEN = ObjectAttribute("chair", "material", "wooden")
METAL = ObjectAttribute("lamp", "material", "metal")
BLACK = ObjectAttribute("chair", "color", "black")


@pytest.mark.parametrize(
    "caption, share",
    [
        ("a wooden chair beside a metal lamp", 1.0),
        ("a wooden chair beside a lamp", 0.5),
        ("a chair beside a lamp", 0.0),
        ("a metal chair beside a wooden lamp", 0.0),
    ],
)
def test_each_object_of_the_prompt_is_to_have_what_is_listed_of_it(
    caption: str, share: float
) -> None:
    attributes = add_listed(ATTRIBUTES, [WOODEN, METAL])
    stages = stages_of("a chair beside a lamp", caption, attributes=attributes)
    assert met_share(stages, "material") == share
    assert {row.note for row in stages.pairs["material"]} == {LISTED}
    by_paper = [row for row in stages.published if row.kind == "material"]
    assert {"(chair, wooden)", "(lamp, metal)"} <= {row.expected for row in by_paper}


def test_what_the_prompt_says_of_an_object_counts_and_not_the_list() -> None:
    attributes = add_listed(ATTRIBUTES, [BLACK])
    said = stages_of("a red chair", "a red chair", attributes=attributes).pairs["color"]
    assert [(row.value, row.strict, row.note) for row in said] == [("red", True, "")]
    left_open = stages_of("a chair", "a black chair", attributes=attributes).pairs["color"]
    assert [(row.value, row.strict, row.note) for row in left_open] == [("black", True, LISTED)]


def test_an_attribute_with_a_rule_of_its_own_takes_no_list() -> None:
    with pytest.raises(ValueError, match="'number' has a rule of its own"):
        add_listed(ATTRIBUTES, [ObjectAttribute("chair", "number", "two")])


def test_scores_of_two_lists_have_different_versions_whatever_the_order_of_the_rows() -> None:
    def version(*listed: ObjectAttribute) -> str:
        image = Picture("0" * 64, Path("a.png"))
        case = Case(prompt="a chair", image=image, object_attributes=listed)
        return templates().version(case)

    assert version(WOODEN, METAL) == version(METAL, WOODEN)
    assert len({version(), version(WOODEN), version(METAL), version(WOODEN, METAL)}) == 4
    assert listed_version(()) == ""
    assert add_listed(ATTRIBUTES, []) is ATTRIBUTES
