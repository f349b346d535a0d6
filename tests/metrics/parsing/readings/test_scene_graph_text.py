"""The text of a scene-graph parser becomes the same records as the reading by rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.prompt_reading import MANY, Count, PromptReading
from hallascope.metrics.parsing.readings.scene_graph_text import (
    parse_scene_graph_text,
    relation_of,
)


def read(reply: str, prompt: str = "") -> PromptReading:
    reading = parse_scene_graph_text(prompt, reply)
    assert reading is not None
    return reading


def test_the_published_example_is_read_in_full() -> None:
    prompt = "2 beautiful pigs are flying on the sky with 2 bags on their backs"
    reading = read(
        "( pigs , is , 2 ) , ( pigs , is , beautiful ) , ( bags , on back of , pigs ) ,"
        " ( pigs , fly on , sky ) , ( bags , is , 2 )",
        prompt,
    )
    pig, bag, sky = reading.objects
    assert [(one.name, one.count) for one in reading.objects] == [
        ("pig", Count.exactly(2)),
        ("bag", Count.exactly(2)),
        ("sky", None),
    ]
    assert [word.value for word in pig.attributes] == ["beautiful"]
    assert prompt[slice(*pig.spans[0])] == "pigs"
    assert [(one.subject, one.words, one.target) for one in reading.relations] == [
        (bag.id, "on back of", pig.id),
        (pig.id, "on", sky.id),
    ]
    assert (reading.source, reading.language) == ("model", "")


@pytest.mark.parametrize(
    ("term", "name", "count"),
    [
        ("dog", "dog", None),
        ("a dog", "dog", None),
        ("dogs", "dog", MANY),
        ("two dogs", "dog", Count.exactly(2)),
        ("twenty-one red cars", "red car", Count.exactly(21)),
        ("half a dozen eggs", "egg", Count.exactly(6)),
        ("several women", "woman", MANY),
        ("2", "2", None),
        ("two-", "two-", None),
    ],
)
def test_numbers_before_nouns_are_counts(term: str, name: str, count: Count | None) -> None:
    (dog,) = read(f"( {term} , is , small )").objects
    assert (dog.name, dog.count) == (name, count)


@pytest.mark.parametrize(
    ("value", "count"), [("three", Count.exactly(3)), ("12", Count.exactly(12)), ("many", MANY)]
)
def test_a_number_that_is_said_with_is_is_a_count(value: str, count: Count) -> None:
    (dog,) = read(f"( dogs , is , {value} ) , ( dogs , is , brown )").objects
    assert dog.count == count
    assert [word.value for word in dog.attributes] == ["brown"]


@pytest.mark.parametrize(
    ("predicate", "words"),
    [
        ("on", "on"),
        ("sit on", "on"),
        ("stand next to", "next to"),
        ("on left of", "left of"),
        ("to the right of", "right of"),
        ("stand in front of", "in front of"),
        ("have", "with"),
        ("hold", "holding"),
        ("look at", "looking at"),
        ("riding", "riding"),
        ("between", "between"),
    ],
)
def test_predicates_are_relations_in_the_words_of_a_reading(predicate: str, words: str) -> None:
    assert relation_of(predicate) == words
    (relation,) = read(f"( cat , {predicate} , mat )").relations
    assert relation.words == words


def test_a_relation_of_a_name_to_itself_says_that_there_are_several() -> None:
    reading = read("( monkey , sit next to , monkey )")
    assert [(one.name, one.count) for one in reading.objects] == [("monkey", MANY)]
    assert reading.relations == ()


def test_what_is_without_must_not_be_there() -> None:
    reading = read("( dog , without , collar )")
    assert [(one.name, one.absent) for one in reading.objects] == [("dog", False), ("collar", True)]
    assert reading.relations == ()


def test_quoted_words_are_text_and_no_object() -> None:
    prompt = 'a sign that says "Open Now"'
    reading = read("( sign , say , open now )", prompt)
    (sign,) = reading.objects
    (text,) = reading.texts
    assert (text.text, text.on) == ("Open Now", sign.id)
    assert text.span is not None
    assert prompt[slice(*text.span)] == "Open Now"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I see (a cat, on, a mat).",
        "( cat , on )",
        "( cat , , mat )",
        "( cat , on , mat",
        "()",
        '{"objects": []}',
    ],
)
def test_what_is_no_list_of_triples_is_no_reading(reply: str) -> None:
    assert parse_scene_graph_text("a cat on a mat", reply) is None


@given(st.text(max_size=30), st.text(max_size=120))
def test_no_text_raises(prompt: str, reply: str) -> None:
    parse_scene_graph_text(prompt, reply)


_terms = st.sampled_from(
    ["two dogs", "is", "a", "the", "2", "half a dozen", "", "-", ",", "on", "s"]
)
_triple = st.tuples(_terms | st.text(max_size=6), _terms, _terms | st.text(max_size=6))


@given(st.text(max_size=20), st.lists(_triple, max_size=6))
def test_no_triple_raises_and_relations_name_objects(
    prompt: str, triples: list[tuple[str, str, str]]
) -> None:
    reply = " , ".join(f"( {' , '.join(triple)} )" for triple in triples)
    reading = parse_scene_graph_text(prompt, reply)
    if reading is None:
        return
    ids = {asked.id for asked in reading.objects}
    assert all({one.subject, one.target} <= ids for one in reading.relations)
    assert all(asked.name for asked in reading.objects)
