"""Counts allow what their words say, and a reading gives its objects by id."""

import pytest

from hallascope.data.prompt_reading import (
    MANY,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
    fit_to_prompt,
)


def test_counts_have_the_bounds_of_their_words() -> None:
    assert Count.exactly(3) == Count(least=3, most=3)
    assert Count.at_least(3) == Count(least=3, most=None)
    assert Count.at_most(2) == Count(least=0, most=2)
    assert Count.approximately(12) == Count(least=10, most=14, approximate=True)
    assert MANY.least == 2


def test_about_a_few_allows_one_more_or_less() -> None:
    assert Count.approximately(3) == Count(least=2, most=4, approximate=True)


@pytest.mark.parametrize(
    ("count", "number"),
    [
        (Count.exactly(3), 3),
        (Count.at_least(3), None),
        (Count.approximately(12), None),
        (MANY, None),
    ],
)
def test_only_an_exact_count_names_one_number(count: Count, number: int | None) -> None:
    assert count.exact == number


@pytest.mark.parametrize(("least", "most"), [(-1, 2), (3, 2)])
def test_bounds_between_which_nothing_lies_are_refused(least: int, most: int) -> None:
    with pytest.raises(ValueError, match="allows no number"):
        Count(least=least, most=most)


def test_an_object_is_found_by_its_id() -> None:
    cat = AskedObject(id="o1", name="cat")
    reading = PromptReading(prompt="a cat", objects=(cat,))
    assert reading.object("o1") is cat
    with pytest.raises(KeyError):
        reading.object("o2")


def test_a_plural_alone_says_no_count() -> None:
    assert AskedObject(id="o1", name="cat", count=MANY).said_count is None
    said = AskedObject(id="o1", name="cat", count=MANY, count_spans=((0, 12),))
    assert said.said_count == MANY
    assert AskedObject(id="o1", name="cat", count=Count.exactly(1)).said_count == Count.exactly(1)


def test_a_reading_fits_the_same_prompt_with_other_spaces() -> None:
    reading = PromptReading(
        prompt="a  red cat on a mat, says on, oil  painting",
        objects=(
            AskedObject(
                id="o1",
                name="cat",
                spans=((7, 10),),
                attributes=(AskedAttribute("red", ((3, 6),)),),
            ),
            AskedObject(id="o2", name="mat", spans=((16, 19),)),
        ),
        relations=(AskedRelation("o1", "on", "o2", ((11, 13),)),),
        texts=(AskedText("on", (26, 28)),),
        style=(StyleWords("oil painting"),),
    )
    assert fit_to_prompt(reading, reading.prompt) is reading
    fitted = fit_to_prompt(reading, "a red cat on a mat, says on, oil painting")
    cat, mat = fitted.objects
    words = [cat.spans, cat.attributes[0].spans, mat.spans, (fitted.style[0].span,)]
    assert [[fitted.prompt[slice(*span)] for span in spans if span] for spans in words] == [
        ["cat"],
        ["red"],
        ["mat"],
        ["oil painting"],
    ]
    assert fitted.relations[0].spans == ((10, 12), (25, 27))
    assert fitted.texts[0].span == (10, 12)
