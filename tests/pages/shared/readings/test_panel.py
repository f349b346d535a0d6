"""What the panel asks the server: to read a prompt, to keep a correction, and to take it back."""

from typing import Any

import pytest

from hallascope.metrics.scene_graph.words.attributes import describing_words
from hallascope.pages.shared.readings.panel import PanelHandlers, server_functions

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
    read, save, _ = server_functions(PanelHandlers(services))
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
    read, save, remove = server_functions(PanelHandlers(services))
    first = read({"prompt": PROMPT})
    ada = save({"author": "Ada", "reading": first["reading"], "edit": COUNT})
    assert "Use what the rules read" in ada["html"]
    bo = save({"author": "Bo", "reading": ada["reading"], "edit": COUNT | {"number": 4}})
    assert "Use the correction of Ada" in bo["html"]
    assert remove({"author": "Bo", "prompt": PROMPT}) == ada
    assert remove({"author": "Ada", "prompt": PROMPT}) == first


def test_a_correction_is_undone_by_what_was_shown_before(services: Any) -> None:
    read, save, _ = server_functions(PanelHandlers(services))
    once = save({"author": "Ada", "reading": read({"prompt": PROMPT})["reading"], "edit": COUNT})
    save({"author": "Ada", "reading": once["reading"], "edit": COUNT | {"number": 4}})
    assert save({"author": "Ada", "reading": once["reading"], "edit": None}) == once


def test_what_is_wrong_is_said_and_keeps_nothing(services: Any) -> None:
    read, save, remove = server_functions(PanelHandlers(services))
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
    read, *_ = server_functions(PanelHandlers(services))
    view = read({"prompt": "ein roter Kreis links von einem blauen Quadrat"})
    assert view["reading"]["unreadable"] in view["html"]
    assert "asked-list" not in view["html"]
    assert "at most" in read({"prompt": "cat " * 7_500})["wrong"]


@pytest.mark.parametrize("prompt", ["<script>alert(1)</script> cat", 'a "<b>" sign & a cat'])
def test_no_text_of_a_person_becomes_markup(services: Any, prompt: str) -> None:
    read, save, _ = server_functions(PanelHandlers(services))
    view = read({"prompt": prompt})
    edit = {"kind": "object", "name": "<i>dog</i>", "attributes": '"><u>'}
    corrected = save({"author": "<s>Ada</s>", "reading": view["reading"], "edit": edit})
    for tag in ("<script", "<b>", "<i>", "<u>", "<s>"):
        assert tag not in view["html"] + corrected["html"]


def test_each_tab_reads_as_its_metric_does(services: Any) -> None:
    read, *_ = server_functions(PanelHandlers(services, describing_words))
    (wallet,) = read({"prompt": "a leather wallet"})["reading"]["objects"]
    assert (wallet["name"], wallet["attributes"][0]["value"]) == ("wallet", "leather")
