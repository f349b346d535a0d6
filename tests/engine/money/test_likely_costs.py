"""What requests are likely to take is summed by model, and what is not known is named."""

from pathlib import Path

import pytest

from hallascope.data.models.specs import Price
from hallascope.data.models.token_limits import most_usage
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Ask,
    Describe,
    Detect,
    Embed,
    Generate,
    Match,
    ReadText,
    Request,
    Segment,
    Usage,
    Write,
)
from hallascope.engine.money.likely_costs import (
    LETTER_TOKENS,
    TEXT_TOKENS,
    CostEstimate,
    CostLine,
    cost_line,
    likely_usage,
    sum_usage,
)

PRICE = Price("2026-01-01", input=1.0, output=10.0, picture_tokens=1000)
PICTURE = Picture("00", Path("a.png"))
ASK = Ask(images=(PICTURE,), text="x" * 400, question="?", choices=("Red", "Blue"))


def test_what_a_question_is_likely_to_take_is_its_text_its_pictures_and_one_letter() -> None:
    assert likely_usage(ASK, PRICE) == Usage(1100, LETTER_TOKENS)
    assert likely_usage(Write("x" * 5), PRICE) == Usage(2, TEXT_TOKENS)
    assert likely_usage(Generate("a cat", 0), PRICE) == Usage(2, 1000, 1)


def test_a_picture_that_is_looked_at_counts_as_its_tokens() -> None:
    boxes = (Box(0, 0, 1, 1),)
    cases: list[tuple[Request, Usage]] = [
        (Describe(PICTURE, "x" * 8), Usage(1002, TEXT_TOKENS)),
        (Detect(PICTURE, ("cat", "a dog")), Usage(1003)),
        (Segment(PICTURE, boxes, ("cat",)), Usage(1001)),
        (Match(PICTURE, "cats"), Usage(1001)),
        (ReadText(PICTURE), Usage(1000)),
        (Embed(image=PICTURE), Usage(1000)),
        (Embed(text="cats"), Usage(1)),
    ]
    assert [likely_usage(request, PRICE) for request, _ in cases] == [usage for _, usage in cases]


def test_the_usage_of_nothing_is_nothing_and_else_the_sum() -> None:
    assert sum_usage([]) == Usage()
    assert sum_usage([Usage(1, 2, 3), Usage(4, 5, 6)]) == Usage(5, 7, 9)


def test_an_estimate_sums_what_is_known_and_names_what_is_not() -> None:
    lines = (cost_line("a", [ASK, ASK], PRICE), cost_line("b", [ASK], None))
    estimate = CostEstimate(lines)
    assert lines[0] == CostLine(
        model="a", calls=2, input_tokens=2200, output_tokens=20, pictures=0, amount=lines[0].amount
    )
    assert lines[0].amount == pytest.approx(0.0024)
    assert estimate.amount == pytest.approx(0.0024)
    assert (estimate.calls, estimate.unpriced) == (3, ("b",))


def test_an_estimate_names_the_model_of_which_one_call_may_cost_more_than_the_cap() -> None:
    estimate = CostEstimate((cost_line("a", [ASK], PRICE, {"max_tokens": 1000}),))
    most = PRICE.cost(most_usage(ASK, PRICE, {"max_tokens": 1000}))
    assert estimate.lines[0].most == most > estimate.amount
    assert estimate.first_over_cap(most) is None
    assert estimate.first_over_cap(most / 2) == estimate.lines[0]
