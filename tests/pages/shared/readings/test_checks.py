"""A reading that comes from the page is kept only where it is whole."""

from dataclasses import replace

import pytest

from hallascope.data.prompt_reading import (
    PICTURE,
    AskedObject,
    AskedRelation,
    AskedText,
    PromptReading,
    StyleWords,
)
from hallascope.engine.errors import BadRequest
from hallascope.pages.shared.readings.checks import MOST_CHARACTERS, MOST_ITEMS, check_reading

CAT = AskedObject(id="o1", name="cat", spans=((2, 5),))
MAT = AskedObject(id="o2", name="mat", spans=((11, 14),), one_of="o1")
READING = PromptReading(
    prompt="a cat on a mat, GO",
    objects=(CAT, MAT),
    relations=(AskedRelation("o1", "on", "o2", ((6, 8),)), AskedRelation("o1", "left", PICTURE)),
    texts=(AskedText("GO", (16, 18), "o2"),),
)


@pytest.mark.parametrize(
    "changes",
    [
        {"objects": (CAT, CAT)},
        {"objects": (CAT,)},
        {"objects": (CAT, MAT, AskedObject(id=PICTURE, name="frame"))},
        {"objects": (CAT, replace(MAT, one_of="o9"))},
        {"relations": (AskedRelation("o9", "on", "o2"),)},
        {"texts": (AskedText("GO", on="o9"),)},
        {"texts": (AskedText("GO", (16, 90)),)},
        {"texts": (AskedText("GO", (3, 2)),)},
        {"style": (StyleWords("oil " * 20),)},
    ],
)
def test_a_reading_whose_parts_do_not_fit_together_is_refused(changes: dict[str, object]) -> None:
    check_reading(READING)
    with pytest.raises(BadRequest, match="no longer part"):
        check_reading(replace(READING, **changes))  # type: ignore[arg-type]


def test_a_reading_has_so_many_things_and_so_long_words() -> None:
    many = tuple(AskedText("GO") for _ in range(MOST_ITEMS))
    check_reading(replace(READING, texts=many))
    with pytest.raises(BadRequest, match=f"at most {MOST_ITEMS}"):
        check_reading(replace(READING, texts=(*many, AskedText("GO"))))
    with pytest.raises(BadRequest, match=f"at most {MOST_CHARACTERS}"):
        check_reading(replace(READING, texts=(AskedText("x" * (MOST_CHARACTERS + 1)),)))
