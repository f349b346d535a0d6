"""A person corrects one thing of a reading; the rest of it stays, and what is wrong is said."""

from dataclasses import replace
from functools import partial
from typing import Any

import gradio as gr
import pytest
from pydantic import TypeAdapter

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
from hallascope.engine.errors import BadRequest
from hallascope.metrics.scene_graph.words.attributes import describing_words
from hallascope.pages.shared.readings.checks import MOST_CHARACTERS, MOST_ITEMS, check_reading
from hallascope.pages.shared.readings.edits import ReadingEdit, apply_edit
from hallascope.pages.shared.readings.panel import PanelHandlers, server_functions

# --- edits ---


def functions(handlers: PanelHandlers) -> list[Any]:
    """Return the functions as who sits at this machine calls them."""
    return [partial(function, asker=gr.Request()) for function in server_functions(handlers)]


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


def edited(**fields: Any) -> PromptReading:
    edit = TypeAdapter[Any](ReadingEdit).validate_python(fields)
    return apply_edit(READING, edit)


CAT = {"kind": "object", "id": "o1", "name": "cat", "attributes": "red"}


def test_a_corrected_count_stands_where_the_old_one_did() -> None:
    counts = {
        "exactly": Count.exactly(3),
        "at least": Count.at_least(3),
        "at most": Count.at_most(3),
        "about": Count.approximately(3),
    }
    for bound, count in counts.items():
        cat = edited(**CAT, bound=bound, number=3).object("o1")
        assert cat == replace(READING.object("o1"), count=count)


def test_a_count_that_the_prompt_does_not_say_is_taken_away() -> None:
    cat = edited(**CAT).object("o1")
    assert (cat.count, cat.count_spans) == (None, ())
    assert edited(kind="removal", element="count", item="o1").object("o1") == cat


def test_a_count_that_no_field_can_say_stays_as_it_was() -> None:
    asked = replace(READING.object("o1"), count=Count(least=2, most=3))
    reading = replace(READING, objects=(asked, *READING.objects[1:]))
    fields = CAT | {"bound": "same", "attributes": "blue"}
    edit = TypeAdapter[Any](ReadingEdit).validate_python(fields)
    assert apply_edit(reading, edit).object("o1") == replace(
        asked, attributes=(AskedAttribute("blue"),)
    )


def test_other_names_and_attributes_are_found_in_the_prompt() -> None:
    dog = edited(**(CAT | {"name": " dog ", "attributes": "Small, red,, small,furry"})).object("o1")
    assert (dog.name, dog.spans) == ("dog", ((34, 37),))
    assert dog.attributes == (
        AskedAttribute("small", ((28, 33),)),
        AskedAttribute("red", ((4, 7),)),
        AskedAttribute("furry"),
    )


def test_a_name_that_the_prompt_does_not_say_keeps_the_words_it_was_read_from() -> None:
    assert edited(**(CAT | {"name": "kitten"})).object("o1").spans == ((8, 12),)


def test_what_must_not_appear_has_no_count() -> None:
    cat = edited(**CAT, absent=True, bound="exactly", number=2).object("o1")
    assert cat.absent
    assert cat.count is None


def test_an_object_is_added_under_an_id_of_its_own() -> None:
    new = edited(kind="object", name="dog", bound="exactly", number=1).objects[-1]
    assert new == AskedObject(id="o5", name="dog", spans=((34, 37),), count=Count.exactly(1))


def test_a_deleted_object_takes_its_relations_along_and_nothing_else() -> None:
    reading = edited(kind="removal", element="object", item="o1")
    assert [asked.id for asked in reading.objects] == ["o2", "o3", "o4"]
    assert reading.object("o3").one_of == ""
    assert reading.relations == (AskedRelation("o2", "left", PICTURE),)
    assert edited(kind="removal", element="object", item="o4").texts == (AskedText("GO", (56, 58)),)


def test_attributes_relations_and_texts_are_deleted_one_by_one() -> None:
    red = edited(kind="removal", element="attribute", item="o1", words="red")
    assert red.object("o1").attributes == ()
    assert edited(kind="removal", element="one_of", item="o3").object("o3").one_of == ""
    assert edited(kind="removal", element="relation", item="0").relations == READING.relations[1:]
    assert edited(kind="removal", element="text", item="0").texts == ()


def test_relations_are_corrected_and_added_in_the_words_of_people() -> None:
    corrected = edited(
        kind="relation", index=0, subject="o2", words="to the Left of", target="o4"
    ).relations
    assert corrected[0] == AskedRelation("o2", "left of", "o4", ((13, 15),))
    added = edited(kind="relation", subject="o1", words="chases", target="o4").relations[-1]
    assert added == AskedRelation("o1", "chases", "o4")
    place = edited(kind="relation", subject="o1", words="on the right", target=PICTURE)
    assert place.relations[-1].words == "right"


def test_texts_are_corrected_and_added() -> None:
    assert edited(kind="text", index=0, text="STOP", on="").texts == (AskedText("STOP", (56, 58)),)
    assert edited(kind="text", text="cat", on="o2").texts[-1] == AskedText("cat", (8, 12), "o2")


def test_what_no_rule_read_is_of_no_account_where_a_person_reads() -> None:
    edit = TypeAdapter[Any](ReadingEdit).validate_python(CAT)
    corrected = apply_edit(replace(READING, confidence=0.5, unread=((22, 25),)), edit)
    assert (corrected.confidence, corrected.unread) == (1.0, ())


def test_a_prompt_that_rules_cannot_read_can_be_read_by_a_person() -> None:
    reading = PromptReading(prompt="eine Katze", language="", unreadable="It is not English.")
    edit = TypeAdapter[Any](ReadingEdit).validate_python({"kind": "object", "name": "cat"})
    assert apply_edit(reading, edit) == replace(
        reading, objects=(AskedObject(id="o1", name="cat"),), unreadable=""
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (CAT | {"name": " "}, "has no name"),
        (CAT | {"bound": "exactly"}, "count is missing"),
        (CAT | {"bound": "exactly", "number": 1.5}, "whole number from 1"),
        (CAT | {"bound": "at least", "number": 0}, "whole number from 1"),
        (CAT | {"id": "o9"}, "no longer part"),
        ({"kind": "removal", "element": "count", "item": "o2"}, "no longer part"),
        ({"kind": "removal", "element": "text", "item": "7"}, "no longer part"),
        ({"kind": "relation", "subject": "o1", "words": "", "target": "o2"}, "has no words"),
        ({"kind": "relation", "subject": "o1", "words": "on", "target": "o1"}, "two different"),
        ({"kind": "relation", "subject": "", "words": "on", "target": PICTURE}, "two objects"),
        ({"kind": "relation", "subject": "o1", "words": "on", "target": PICTURE}, "no place"),
        ({"kind": "text", "text": ""}, "The text is empty"),
        ({"kind": "text", "index": 3, "text": "GO"}, "no longer part"),
        (CAT | {"name": "x" * (MOST_CHARACTERS + 1)}, f"at most {MOST_CHARACTERS}"),
        (CAT | {"attributes": ",".join(map(str, range(MOST_ITEMS + 1)))}, f"most {MOST_ITEMS}"),
    ],
)
def test_what_cannot_be_kept_is_said_in_one_sentence(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest, match=words):
        edited(**fields)


# --- checks ---


OBJECT = AskedObject(id="o1", name="cat", spans=((2, 5),))
MAT = AskedObject(id="o2", name="mat", spans=((11, 14),), one_of="o1")
SMALL = PromptReading(
    prompt="a cat on a mat, GO",
    objects=(OBJECT, MAT),
    relations=(AskedRelation("o1", "on", "o2", ((6, 8),)), AskedRelation("o1", "left", PICTURE)),
    texts=(AskedText("GO", (16, 18), "o2"),),
)


@pytest.mark.parametrize(
    "changes",
    [
        {"objects": (OBJECT, OBJECT)},
        {"objects": (OBJECT,)},
        {"objects": (OBJECT, MAT, AskedObject(id=PICTURE, name="frame"))},
        {"objects": (OBJECT, replace(MAT, one_of="o9"))},
        {"relations": (AskedRelation("o9", "on", "o2"),)},
        {"texts": (AskedText("GO", on="o9"),)},
        {"texts": (AskedText("GO", (16, 90)),)},
        {"texts": (AskedText("GO", (3, 2)),)},
        {"style": (StyleWords("oil " * 20),)},
    ],
)
def test_a_reading_whose_parts_do_not_fit_together_is_refused(changes: dict[str, object]) -> None:
    check_reading(SMALL)
    with pytest.raises(BadRequest, match="no longer part"):
        check_reading(replace(SMALL, **changes))  # type: ignore[arg-type]


def test_a_reading_has_so_many_things_and_so_long_words() -> None:
    many = tuple(AskedText("GO") for _ in range(MOST_ITEMS))
    check_reading(replace(SMALL, texts=many))
    with pytest.raises(BadRequest, match=f"at most {MOST_ITEMS}"):
        check_reading(replace(SMALL, texts=(*many, AskedText("GO"))))
    with pytest.raises(BadRequest, match=f"at most {MOST_CHARACTERS}"):
        check_reading(replace(SMALL, texts=(AskedText("x" * (MOST_CHARACTERS + 1)),)))


# --- the panel ---


PROMPT = "two red cats on a mat"
COUNT = {
    "kind": "object",
    "id": "o1",
    "name": "cat",
    "attributes": "red",
    "bound": "exactly",
    "number": 3,
}


def test_a_prompt_is_read_by_rules_until_a_person_corrects_it(services: Any) -> None:
    read, save, _ = functions(PanelHandlers(services))
    view = read({"prompt": "two red  cats on a mat "})
    assert view["reading"]["prompt"] == PROMPT
    assert "read by rules" in view["html"]
    corrected = save({"author": " Ada ", "reading": view["reading"], "edit": COUNT})
    assert "Corrected by Ada" in corrected["html"]
    assert ">three</button>" in corrected["html"]
    assert read({"prompt": PROMPT}) == corrected
    kept = services.store.readings.newest(PROMPT)
    assert (kept.author, kept.source, kept.object("o1").count.exact) == ("Ada", "person", 3)


def test_a_removed_correction_gives_way_to_that_of_another_then_to_the_rules(services: Any) -> None:
    read, save, remove = functions(PanelHandlers(services))
    first = read({"prompt": PROMPT})
    ada = save({"author": "Ada", "reading": first["reading"], "edit": COUNT})
    assert "Use what the rules read" in ada["html"]
    bo = save({"author": "Bo", "reading": ada["reading"], "edit": COUNT | {"number": 4}})
    assert "Use the correction of Ada" in bo["html"]
    assert remove({"author": "Bo", "prompt": PROMPT}) == ada
    assert remove({"author": "Ada", "prompt": PROMPT}) == first


def test_what_is_wrong_is_said_and_keeps_nothing(services: Any) -> None:
    read, save, remove = functions(PanelHandlers(services))
    reading = read({"prompt": PROMPT})["reading"]
    assert "No name is given" in save({"author": " ", "reading": reading, "edit": COUNT})["wrong"]
    nameless = {"author": "Ada", "reading": reading, "edit": COUNT | {"name": ""}}
    assert "has no name" in save(nameless)["wrong"]
    for sent in ({}, {"author": "Ada", "reading": {"prompt": 3}}, {"prompt": PROMPT}):
        assert "reload the page" in save(sent)["wrong"]
    assert "reload the page" in read({})["wrong"]
    assert "reload the page" in remove({"prompt": PROMPT})["wrong"]
    assert services.store.readings.all() == []


def test_a_prompt_that_cannot_be_read_says_so_in_one_sentence(services: Any) -> None:
    read, *_ = functions(PanelHandlers(services))
    view = read({"prompt": "ein roter Kreis links von einem blauen Quadrat"})
    assert view["reading"]["unreadable"] in view["html"]
    assert "asked-list" not in view["html"]
    assert "shorten it" in read({"prompt": "cat " * 7_500})["reading"]["unreadable"]


@pytest.mark.parametrize("prompt", ["<script>alert(1)</script> cat", 'a "<b>" sign & a cat'])
def test_no_text_of_a_person_becomes_markup(services: Any, prompt: str) -> None:
    read, save, _ = functions(PanelHandlers(services))
    view = read({"prompt": prompt})
    edit = {"kind": "object", "name": "<i>dog</i>", "attributes": '"><u>'}
    corrected = save({"author": "<s>Ada</s>", "reading": view["reading"], "edit": edit})
    for tag in ("<script", "<b>", "<i>", "<u>", "<s>"):
        assert tag not in view["html"] + corrected["html"]


def test_each_tab_reads_as_its_metric_does(services: Any) -> None:
    read, *_ = functions(PanelHandlers(services, describing_words))
    (wallet,) = read({"prompt": "a leather wallet"})["reading"]["objects"]
    assert (wallet["name"], wallet["attributes"][0]["value"]) == ("wallet", "leather")
