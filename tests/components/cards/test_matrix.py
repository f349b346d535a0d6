"""Several images per model stand in a table, a row a model, with mean and interval."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.components.cards import cards
from hallascope.components.cards.matrix import is_matrix, matrix_table
from hallascope.components.tiles.scores import MetricScore
from hallascope.components.tiles.tile import Tile
from hallascope.metrics.base import ScoreSpec
from hallascope.metrics.statistics.intervals import mean_interval
from hallascope.metrics.true_answers import JudgeErrors, TrueAnswer
from tests.support.tiles import EVIL, no_markup_of, report, tile, verdict

FIVE = TrueAnswer("D", "Five", "drawn")


def image(model: str, seed: int | None, value: float | None = 0.5, **changes: Any) -> Tile:
    score = MetricScore(
        metric="ihalla",
        title="I-HallA",
        presents="questions",
        spec=ScoreSpec("score", "Score"),
        value=value,
        trials=1,
    )
    return tile(
        **{
            "key": f"{model}-{seed}",
            "model": f"primer/{model}",
            "name": model,
            "seed": seed,
            "path": Path(f"/images/{model}-{seed}.png"),
            "thumbnail": Path(f"/images/{model}-{seed}.webp"),
            "scores": (score,),
            "reports": (report(verdict("correct")),),
        }
        | changes
    )


def test_several_images_of_a_model_with_seeds_are_a_matrix() -> None:
    assert is_matrix([image("a", 0), image("a", 1), image("b", 0)])
    assert not is_matrix([image("a", 0), image("b", 0)])
    assert not is_matrix([image("a", 0), image("a", 1), image("you", None)])
    assert not is_matrix([])


def test_a_cell_stands_in_the_column_of_its_seed() -> None:
    html = matrix_table([image("a", 4), image("a", 3), image("b", 4)])
    assert re.findall(r'scope="col"[^>]*>([^<]*)<', html)[2:] == ["Seed 3", "Seed 4"]
    rows = re.findall(r"<tr.*?</tr>", html)[1:]
    assert [re.findall(r'data-key="([^"]*)"', row) for row in rows] == [["a-3", "a-4"], ["b-4"]]
    assert rows[1].index('<td class="corner"></td>') < rows[1].index("b-4")


def test_a_row_says_mean_and_interval_over_its_images() -> None:
    values = (0.2, 0.4, 0.9)
    html = matrix_table([image("a", seed, value) for seed, value in enumerate(values)])
    interval = mean_interval(values)
    assert interval is not None
    assert "<strong>0.50</strong>" in html
    assert f"{interval.low:.2f} to {interval.high:.2f}" in html


@pytest.mark.parametrize("value", [0.5, None])
def test_one_score_has_no_interval_and_none_is_a_dash(value: float | None) -> None:
    html = matrix_table([image("a", 0, value), image("a", 1, None)])
    assert ("no interval" in html) == (value is not None)
    assert ('matrix-mean">–<' in html) == (value is None)


def test_a_cell_says_in_words_what_its_drawing_shows_and_loads_late() -> None:
    wrong = image("a", 0, truths=(FIVE,), errors=JudgeErrors(1, 1))
    html = matrix_table([wrong, image("a", 1)])
    assert 'aria-label="primer/a, seed 0: 1 of 1 correct. Show the evidence."' in html
    assert html.count('loading="lazy"') == 2
    assert "a-0.webp" in html
    assert "a-0.png" not in html
    assert html.count('class="truth matrix-wrong"') == 1
    assert html.count("judge-wrong") == 2, "the cell and its row pass the filter on its errors"


def test_an_image_that_is_awaited_has_its_words() -> None:
    html = matrix_table([image("a", 0, path=None, doing="waiting", reports=()), image("a", 1)])
    assert "waiting" in html


def test_sixty_four_images_are_not_thousands_of_elements() -> None:
    tiles = [image(f"m{model}", seed) for model in range(4) for seed in range(16)]
    html = cards.grid(tiles)
    assert len(re.findall(r"<[a-z]", html)) < 1500


@pytest.mark.parametrize("field", ["model", "name", "key", "doing", "prompt"])
def test_a_matrix_shows_text_from_elsewhere_as_text(field: str) -> None:
    changes: dict[str, Any] = {field: EVIL}
    evil = [replace(image("a", 0), **changes), replace(image("a", 1, path=None), **changes)]
    tiles = [*evil, image("b", 0), image("b", 1)]
    assert is_matrix(tiles)
    assert no_markup_of(EVIL, cards.grid(tiles))
