"""What a prompt asks for stands in chips, which lead to the rows about the same words."""

from dataclasses import replace

from hallascope.components.evidence.exhibits.asked import asked_group, source_words
from hallascope.data.evidence import Finding
from hallascope.data.prompt_reading import (
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
)

PROMPT = "two <red> cats on a mat, no dog, a sign that says STOP"
READING = PromptReading(
    prompt=PROMPT,
    objects=(
        AskedObject(
            id="o1",
            name="cat",
            spans=((10, 14),),
            count=Count.exactly(2),
            count_spans=((0, 3),),
            attributes=(AskedAttribute("<red>", ((4, 9),)),),
        ),
        AskedObject(id="o2", name="mat", spans=((20, 23),)),
        AskedObject(id="o3", name="dog", absent=True),
    ),
    relations=(
        AskedRelation("o1", "on", "o2", ((15, 17),)),
        AskedRelation("o2", "left", PICTURE),
    ),
    texts=(AskedText("STOP", (50, 54), ""),),
)
FINDINGS = (
    Finding(kind="object", expected="cat", observed="", state="correct", prompt_spans=((10, 14),)),
    Finding(
        kind="color",
        expected="red cat",
        observed="blue",
        state="incorrect",
        prompt_spans=((4, 9), (10, 14)),
    ),
)


def test_every_element_is_a_chip_and_text_is_escaped() -> None:
    html = asked_group(READING, ()).body
    for words in ("cat", "two", "&lt;red&gt;", "on the mat", "no dog", "on the left", "“STOP”"):
        assert f">{words}</span>" in html
    assert "<red>" not in html
    assert "data-keys" not in html, "nothing was found yet"


def test_a_chip_leads_to_the_rows_about_its_words() -> None:
    html = asked_group(READING, FINDINGS).body
    assert 'aria-label="cat: correct">cat</span>' in html, "a wrong color is not the object's"
    assert 'aria-label="&lt;red&gt;: incorrect">' in html
    assert html.count('role="button"') == 2


def test_who_read_the_prompt_is_said_beside_the_title() -> None:
    assert asked_group(READING, ()).aside == "read by rules"


def test_a_translation_is_shown() -> None:
    german = PromptReading(
        prompt="eine Katze", translation="a <cat>", language="de", source="model"
    )
    assert "In English: a &lt;cat&gt;" in asked_group(german, ()).body


def test_a_correction_names_its_author() -> None:
    corrected = replace(READING, source="person", author="Ann")
    assert source_words(READING) == "read by rules"
    assert source_words(corrected) == "corrected by Ann"
    assert source_words(replace(corrected, author="")) == "corrected by a person"


def test_a_prompt_that_cannot_be_read_has_one_sentence_in_place_of_chips() -> None:
    group = asked_group(PromptReading(prompt="x", unreadable="It is <not> English."), ())
    assert "It is &lt;not&gt; English." in group.body
    assert "asked-list" not in group.body
    assert group.aside == ""
    said = PromptReading(prompt="x", unreadable="a poem", source="person", author="Ann")
    assert asked_group(said, ()).aside == "corrected by Ann"


def test_style_words_are_shown_and_are_no_chips() -> None:
    styled = PromptReading(prompt="a cat, 8k", style=(StyleWords("8k", (7, 9)),))
    assert "Style, not evaluated: 8k" in asked_group(styled, ()).body


def test_what_the_rules_read_otherwise_stands_beneath_and_other_notes_do_not() -> None:
    model = replace(READING, source="model")
    notes = ("The rules read “a <hat>”, the model does not.", "One segment was left out.")
    group = asked_group(model, (), notes)
    assert group.aside == "read by a language model"
    assert "The rules read “a &lt;hat&gt;”, the model does not." in group.body
    assert "left out" not in group.body


def test_what_is_one_of_others_and_what_a_text_stands_on_are_said() -> None:
    cubes = PromptReading(
        prompt="three cubes, a red cube says GO",
        objects=(
            AskedObject(id="o1", name="cube", count=Count.exactly(3)),
            AskedObject(id="o2", name="cube", one_of="o1"),
        ),
        texts=(AskedText("GO", (29, 31), "o2"),),
    )
    html = asked_group(cubes, ()).body
    assert ">one of the cubes</span>" in html
    assert ">“GO” on the cube</span>" in html
