"""Behind a bar are its prompts and pictures, and where methods disagree."""

from pathlib import Path

from hallascope.components.leaderboard.drilldown import (
    DisagreementRow,
    Pagination,
    Prompt,
    PromptPicture,
    disagreements,
    prompts,
    redrawn_picture,
)
from tests.support.tiles import EVIL, no_markup_of


def test_behind_a_bar_each_prompt_and_each_of_its_pictures_is_a_button() -> None:
    found = [
        Prompt(
            "a cat",
            0.2,
            "2 images",
            [PromptPicture("g1", Path("a.webp"), 0.0), PromptPicture("g2", None, None)],
        )
    ]
    html = prompts("Behind one", found, Pagination(2, 5, 41), 10)
    assert html.count("data-pick=") == 3 + 2
    assert 'start="21"' in html
    assert "41 prompts, the worst first" in html
    assert "nothing answered" in html
    assert "3 of 5" in html
    assert "Nothing was counted here" in prompts("Behind one", [], Pagination(0, 0, 0), 10)


def test_a_picture_that_is_not_drawn_yet_is_a_button_that_says_so() -> None:
    undrawn = PromptPicture("g1", None, 0.5, undrawn=True)
    html = prompts("b", [Prompt("a cat", 0.5, "", [undrawn])], Pagination(0, 1, 1), 10)
    assert ">Draw</span>" in html
    assert 'aria-label="Draw the image of a cat again: 0.50"' in html


def test_the_ends_of_a_list_turn_no_further() -> None:
    found = [Prompt("a cat", 0.2, "", [])]
    first, last = (
        prompts("b", found, Pagination(0, 2, 11), 10),
        prompts("b", found, Pagination(1, 2, 11), 10),
    )
    assert "disabled>Previous" in first
    assert "disabled>Next" in last
    assert "turning" not in prompts("b", found, Pagination(0, 1, 1), 10)


def test_pictures_on_which_methods_disagree_have_a_column_for_each() -> None:
    html = disagreements(
        [
            DisagreementRow(
                key="g",
                prompt="a cat",
                model="one",
                path=None,
                scores={"I-HallA": 1.0, "FiG": None, "Graph": 0.1},
                difference=0.9,
                ends=("Graph", "I-HallA"),
            )
        ],
        ("I-HallA", "FiG", "Graph"),
        Pagination(0, 1, 1),
        "",
    )
    for said in (">1.00<", ">–<", ">0.90<", "1 image<", ">highest place<", ">lowest place<"):
        assert said in html
    assert "No image here was scored by two methods" in disagreements(
        [], (), Pagination(0, 0, 0), ""
    )


def test_a_picture_that_was_drawn_again_says_its_seed_and_score() -> None:
    html = redrawn_picture(Path("/a.webp"), "a cat", "one", 7, {"score": None})
    assert "one: a cat · seed 7 · no score" in html
    assert "score 0.25" in redrawn_picture(Path("/a.webp"), "a cat", "one", 7, {"score": 0.25})


def test_text_from_elsewhere_stays_text() -> None:
    row = DisagreementRow(
        key=EVIL, prompt=EVIL, model=EVIL, path=None, scores={EVIL: 0.5}, difference=0.1
    )
    pages = (
        prompts(
            EVIL,
            [Prompt(EVIL, 0.1, EVIL, [PromptPicture(EVIL, None, 0.1)])],
            Pagination(0, 1, 1),
            10,
        ),
        disagreements([row], (EVIL,), Pagination(0, 1, 1), EVIL),
        redrawn_picture(Path(f"/{EVIL}"), EVIL, EVIL, 0, {EVIL: None}),
    )
    for html in pages:
        assert no_markup_of(EVIL, html)
