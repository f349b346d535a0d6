"""What the rules and a model read differently is said in sentences, one for each thing."""

from dataclasses import replace

import pytest

from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
)
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.readings.differences import (
    is_reading_difference,
    reading_differences,
)

DOG = AskedObject(
    id="o1", name="dog", count=Count.exactly(2), attributes=(AskedAttribute("brown"),)
)
MAT = AskedObject(id="o2", name="mat")
ON = AskedRelation("o1", "on", "o2")
RULES = PromptReading(
    prompt="two brown dogs on a mat", objects=(DOG, MAT), relations=(ON,), texts=(AskedText("HI"),)
)


def differences(**changes: object) -> tuple[str, ...]:
    sentences = reading_differences(RULES, replace(RULES, source="model", **changes))  # type: ignore[arg-type]
    assert all(map(is_reading_difference, sentences)), "else they are not shown under the chips"
    return sentences


def with_dog(**changes: object) -> tuple[str, ...]:
    return differences(objects=(replace(DOG, **changes), MAT))  # type: ignore[arg-type]


def test_the_same_reading_under_other_ids_has_no_differences() -> None:
    model = replace(
        RULES,
        objects=(replace(MAT, id="b"), replace(DOG, id="a")),
        relations=(AskedRelation("a", "on", "b"),),
    )
    assert reading_differences(RULES, model) == ()


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (Count.exactly(3), "three dogs"),
        (Count.exactly(1), "one dog"),
        (MANY, "at least two dogs"),
        (None, "no number of dogs"),
    ],
)
def test_a_number_read_otherwise_is_one_sentence_with_both(count: Count | None, words: str) -> None:
    assert with_dog(count=count) == (f"The rules read two dogs, the model reads {words}.",)


def test_each_other_thing_is_a_sentence_that_names_who_reads_it() -> None:
    assert with_dog(attributes=(AskedAttribute("black"),)) == (
        "The rules read “brown dog”, the model does not.",
        "The model reads “black dog”, the rules do not.",
    )
    assert with_dog(absent=True, count=DOG.count) == (
        "The model reads “no dog”, the rules do not.",
    )
    assert differences(texts=()) == ("The rules read “hi”, the model does not.",)
    assert differences(relations=(AskedRelation("o1", "under", "o2"),)) == (
        "The model reads “dog under mat”, the rules do not.",
        "The rules read “dog on mat”, the model does not.",
    )
    assert differences(relations=(ON, AskedRelation("o1", "left", PICTURE))) == (
        "The model reads “dog left picture”, the rules do not.",
    )
    cat = AskedObject(id="o3", name="cat")
    assert differences(objects=(DOG, MAT, cat)) == ("The model reads “cat”, the rules do not.",)


def test_one_of_several_is_a_difference() -> None:
    brown = AskedObject(id="o3", name="dog", one_of="o1", attributes=(AskedAttribute("small"),))
    rules = replace(RULES, objects=(DOG, MAT, brown))
    model = replace(RULES, objects=(DOG, MAT, replace(brown, one_of="")))
    assert reading_differences(rules, model) == (
        "The rules read “dog 2” as one of several, the model does not.",
    )
    assert reading_differences(model, rules) == (
        "The model reads “dog 2” as one of several, the rules do not.",
    )


def test_a_reading_that_is_missing_differs_in_nothing() -> None:
    unreadable = PromptReading(prompt="x", unreadable="It is German.")
    assert reading_differences(unreadable, RULES) == ()
    assert reading_differences(RULES, unreadable) == ()


def test_the_rules_agree_with_themselves() -> None:
    for prompt in ("two dogs and a red car left of a tree", 'a sign that says "OPEN"', "no cats"):
        reading = read_prompt(prompt)
        assert reading_differences(reading, replace(reading, source="model")) == ()
