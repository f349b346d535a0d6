"""Tables of facts are read whole; an error names the file, the concept and the field."""

from pathlib import Path

import pytest

from hallascope.data.records import Category
from hallascope.primer.drawing.svg_files import SvgDrawing
from hallascope.primer.fact_tables import BadFacts, read_concepts, read_tables
from hallascope.primer.world import Concept, Fact, Variation
from tests.data.cases import cases

TABLE = """
[bat]
name = "fruit bat"
phrase = "a fruit bat"
plural = "fruit bats"
category = "Biology"
definition = "A bat is a mammal that flies."
scene = "night"
tilt = 3
mirror = false

[[bat.facts]]
parameter = "wings"
coi = "counting"
criterion = "details"
question = "How many wings does the animal have in the image?"
values = [[2, "Two"], [4, "Four"]]
parts = ["wing"]
others = ["Six"]

[bat.variation]
phrase = "a white fruit bat"
task = "attribute"
base = "brown"

[bat.variation.fact]
parameter = "fur"
coi = "color"
criterion = "color"
question = "What color is the animal's fur in the image?"
values = [["white", "White"], ["brown", "Brown"]]
parts = []
"""


DRAWING = """
<svg xmlns="http://www.w3.org/2000/svg">
  <g data-part="wing"><circle cx="0" cy="0" r="9" fill="{fur}" data-when="wings=2"/></g>
</svg>
"""


def _file(folder: Path, text: str) -> Path:
    file = folder / "facts.toml"
    file.write_text(text, encoding="utf-8")
    (folder / "bat.svg").write_text(DRAWING, encoding="utf-8")
    return file


def test_a_table_is_read_with_all_its_fields(tmp_path: Path) -> None:
    wings = Fact(
        parameter="wings",
        coi="counting",
        criterion="details",
        question="How many wings does the animal have in the image?",
        values={2: "Two", 4: "Four"},
        parts=("wing",),
        others=("Six",),
    )
    fur = Fact(
        parameter="fur",
        coi="color",
        criterion="color",
        question="What color is the animal's fur in the image?",
        values={"white": "White", "brown": "Brown"},
        parts=(),
    )
    bat = Concept(
        name="fruit bat",
        phrase="a fruit bat",
        plural="fruit bats",
        domain="animal",
        category=Category.BIOLOGY,
        definition="A bat is a mammal that flies.",
        facts=(wings,),
        draw=SvgDrawing(
            tmp_path / "bat.svg",
            {"wings": frozenset(("2", "4")), "fur": frozenset(("white", "brown"))},
            frozenset(("wing",)),
        ),
        variation=Variation(phrase="a white fruit bat", task="attribute", fact=fur, base="brown"),
        scene="night",
        tilt=3.0,
        mirror=False,
    )
    assert read_concepts(_file(tmp_path, TABLE), "animal") == (bat,)


@pytest.mark.parametrize(
    "right, wrong, field",
    cases("fact_tables", "an_error_names_file_concept_and_field", "primer"),
)
def test_an_error_names_file_concept_and_field(
    tmp_path: Path,
    right: str,
    wrong: str,
    field: str,
) -> None:
    assert TABLE.count(right) == 1
    file = _file(tmp_path, TABLE.replace(right, wrong))
    with pytest.raises(BadFacts) as error:
        read_tables(file, "animal")
    assert str(error.value).startswith(f"{file}: concept “bat”, ")
    assert field in str(error.value)


def test_a_parameter_with_two_facts_is_refused(tmp_path: Path) -> None:
    fact = TABLE[TABLE.index("[[bat.facts]]") : TABLE.index("[bat.variation]")]
    with pytest.raises(BadFacts, match=r"concept “bat”.*`facts` names a parameter twice"):
        read_tables(_file(tmp_path, TABLE.replace(fact, fact + fact)), "animal")


def test_a_file_that_is_no_toml_is_named_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(BadFacts, match=r"facts\.toml cannot be read as TOML: .*line 2"):
        read_tables(_file(tmp_path, "[bat]\nname = bat\n"), "animal")


def test_a_table_or_a_drawing_without_the_other_is_refused(tmp_path: Path) -> None:
    file = _file(tmp_path, TABLE)
    (tmp_path / "bat.svg").rename(tmp_path / "owl.svg")
    with pytest.raises(BadFacts, match=r"owl\.svg has no facts: write the table \[owl\]"):
        read_concepts(file, "animal")
    (tmp_path / "owl.svg").unlink()
    with pytest.raises(BadFacts, match=r"concept “bat” has no drawing: add .*bat\.svg"):
        read_concepts(file, "animal")
