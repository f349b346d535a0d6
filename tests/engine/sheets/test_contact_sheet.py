"""A contact sheet shows each model's picture of a prompt in its place."""

from typing import Any

from PIL import Image

from hallascope.engine.sheets.contact_sheet import (
    CAPTION,
    MARGIN,
    contact_sheet,
    draw_pictures,
    sample_evenly,
)

PROMPTS = ("a molecule of methane", "a ladybug", "two tulips")


def test_the_sheet_shows_every_picture_in_its_place(services: Any) -> None:
    models = ["primer/exact", "primer/careless"]
    rows = [(prompt, draw_pictures(services, models, prompt)) for prompt in PROMPTS]
    page = contact_sheet(rows, models, across=2, size=40)
    with Image.open(str(rows[0][1]["primer/exact"])) as picture:
        first = picture.convert("RGB").resize((40, 40), Image.Resampling.LANCZOS)
    place = (MARGIN, MARGIN + 2 * CAPTION)
    assert page.crop((*place, place[0] + 40, place[1] + 40)).tobytes() == first.tobytes()
    assert page.height == contact_sheet(rows + rows[:1], models, across=2, size=40).height, (
        "four prompts take as many lines as three"
    )
    assert (
        contact_sheet([("a harbour", {"primer/exact": None})], ["primer/exact"], across=1).size[0]
        < page.width
    )


def test_some_prompts_are_spread_over_all() -> None:
    assert sample_evenly("abcdefgh", 4) == ("a", "c", "e", "g")
    assert sample_evenly("ab", 9) == ("a", "b")
