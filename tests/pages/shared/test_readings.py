"""A person corrects the tables of a reading; the rest of it stays, and what is wrong is said."""

from dataclasses import replace
from typing import Any

import gradio as gr
import pytest

from hallascope.data.prompt_reading import (
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
)
from hallascope.engine.errors import BadRequest
from hallascope.pages.shared.readings.panel import PanelHandlers
from hallascope.pages.shared.readings.tables import (
    MAX_CHARACTERS,
    MAX_ITEMS,
    ReadingTables,
    read_tables,
    reading_tables,
)

# --- tables ---


READING = PromptReading(
    prompt="two red cats on a mat and a small dog, a sign that says GO",
    objects=(
        AskedObject(
            id="o1",
            name="cat",
            spans=((8, 12),),
            count=Count.exactly(2),
            count_spans=((0, 3),),
            attributes=(AskedAttribute("red", ((4, 7),)),),
        ),
        AskedObject(id="o2", name="mat", spans=((18, 21),)),
        AskedObject(id="o3", name="cat", one_of="o1"),
        AskedObject(id="o4", name="sign", spans=((41, 45),)),
    ),
    relations=(AskedRelation("o1", "on", "o2", ((13, 15),)), AskedRelation("o2", "left", PICTURE)),
    texts=(AskedText("GO", (56, 58), "o4"),),
)
ROWS = reading_tables(READING)
CAT = ["cat", "2", "red", ""]


def with_cat(*row: Any) -> PromptReading:
    """Return the reading with another row for its first object."""
    return read_tables(READING, ROWS._replace(objects=[row, *ROWS.objects[1:]]))


def with_relations(*rows: Any) -> PromptReading:
    return read_tables(READING, ROWS._replace(relations=rows))


def test_the_tables_name_each_thing_and_come_back_as_they_were() -> None:
    assert ROWS.objects[:2] == [CAT, ["mat", "", "", ""]]
    assert ROWS.relations[:2] == [["red cat", "on", "mat"], ["mat", "left", "the image"]]
    assert ROWS.texts[0] == ["GO", "sign"]
    assert read_tables(READING, ROWS) == READING


def test_other_names_and_attributes_are_found_in_the_prompt() -> None:
    dog = with_cat(" dog ", "2", "Small, red,, small,furry", "").object("o1")
    assert (dog.name, dog.spans) == ("dog", ((34, 37),))
    assert dog.attributes == (
        AskedAttribute("small", ((28, 33),)),
        AskedAttribute("red", ((4, 7),)),
        AskedAttribute("furry"),
    )


def test_a_deleted_object_is_named_by_what_still_needs_it() -> None:
    rows = [row for row in ROWS.objects if row[0] != "sign"]
    with pytest.raises(BadRequest, match="no object “sign”"):
        read_tables(READING, ROWS._replace(objects=rows))
    without = read_tables(READING, ROWS._replace(objects=rows, texts=[["GO", ""]]))
    assert [asked.id for asked in without.objects] == ["o1", "o2", "o3"]
    assert without.texts == (AskedText("GO", (56, 58)),)


def test_relations_are_corrected_and_added_in_the_words_of_people() -> None:
    corrected = with_relations(["red cat", "to the Left of", "mat"], ["red cat", "chases", "sign"])
    assert corrected.relations == (
        AskedRelation("o1", "left of", "o2", ((13, 15),)),
        AskedRelation("o1", "chases", "o4"),
    )
    place = with_relations(["red cat", "on the right", "the image"])
    assert place.relations == (AskedRelation("o1", "right", PICTURE),)


def test_a_prompt_that_rules_cannot_read_can_be_read_by_a_person() -> None:
    reading = PromptReading(prompt="eine Katze", language="", unreadable="It is not English.")
    tables = ReadingTables([["cat", "", "", ""]], [], [])
    assert read_tables(reading, tables) == replace(
        reading, objects=(AskedObject(id="o1", name="cat"),), unreadable=""
    )


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"objects": [["cat", "1.5", "", ""]]}, "whole number from 1"),
        ({"objects": [["cat", "3 to 2", "", ""]]}, "whole number from 1"),
        ({"relations": [["cat", "", "mat"]]}, "has no words"),
        ({"relations": [["red cat", "on", "red cat"]]}, "two different"),
        ({"relations": [["cat", "on", "the image"]]}, "no place"),
        ({"texts": [["", "mat"]]}, "The text is empty"),
        ({"objects": [["x" * (MAX_CHARACTERS + 1), "", "", ""]]}, f"at most {MAX_CHARACTERS}"),
        (
            {"objects": [["cat", "", ",".join(map(str, range(MAX_ITEMS + 1))), ""]]},
            f"most {MAX_ITEMS}",
        ),
    ],
)
def test_what_cannot_be_kept_is_said_in_one_sentence(changes: dict[str, Any], words: str) -> None:
    tables = ROWS._replace(**({"relations": [], "texts": []} | changes))
    with pytest.raises(BadRequest, match=words):
        read_tables(READING, tables)


# --- the panel ---


PROMPT = "two red cats on a mat"
THREE = [["cat", "3", "red", ""], ["mat", "", "", ""]]
ON = [["red cat", "on", "mat"]]


def test_a_prompt_is_read_by_rules_until_a_person_corrects_it(services: Any) -> None:
    panel = PanelHandlers(services)
    html, _, _, held, *tables = panel.show("two red  cats on a mat ", None, gr.Request())
    assert held.prompt == PROMPT
    assert "Read by rules" in html
    assert tables[0][0] == ["cat", "2", "red", ""]
    html, *_ = panel.save(" Ada ", held, THREE, ON, [], gr.Request())
    assert "Corrected by Ada" in html
    assert ">three</span>" in html
    assert panel.show(PROMPT, None, gr.Request())[0] == html
    kept = services.store.readings.newest(PROMPT)
    assert (kept.author, kept.source, kept.object("o1").count.exact) == ("Ada", "person", 3)


def test_a_removed_correction_gives_way_to_that_of_another_then_to_the_rules(services: Any) -> None:
    panel = PanelHandlers(services)
    first = panel.show(PROMPT, None, gr.Request())
    ada = panel.save("Ada", first[3], THREE, ON, [], gr.Request())
    bo = panel.save("Bo", ada[3], [["cat", "4", "red", ""], THREE[1]], ON, [], gr.Request())
    assert "Corrected by Bo" in bo[0]
    assert panel.remove(bo[3], gr.Request())[0] == ada[0]
    assert panel.remove(ada[3], gr.Request())[0] == first[0]


def test_what_is_wrong_is_said_and_keeps_nothing(services: Any) -> None:
    panel = PanelHandlers(services)
    held = panel.show(PROMPT, None, gr.Request())[3]
    assert "No name is given" in panel.save(" ", held, THREE, ON, [], gr.Request())[2]
    assert "no object" in panel.save("Ada", held, [], ON, [], gr.Request())[2]
    assert "Type a prompt" in panel.save("Ada", None, [], [], [], gr.Request())[2]
    assert services.store.readings.all() == []


def test_another_prompt_is_read_once_the_panel_is_open_and_corrections_of_the_same_stay(
    services: Any,
) -> None:
    panel = PanelHandlers(services)
    held = panel.show(PROMPT, None, gr.Request())[3]
    assert panel.show(f" {PROMPT}", held, gr.Request()) == (gr.skip(),) * 7
    assert panel.refresh("a dog", held, gr.Request())[3].prompt == "a dog"
    for same, known in (("a dog", None), (PROMPT, held)):
        assert panel.refresh(same, known, gr.Request())[3] == gr.skip()
