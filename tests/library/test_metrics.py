"""`metrics=` takes names, metrics and functions, alone and together."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import hallascope
from hallascope import metrics
from hallascope.engine.errors import BadRequest
from hallascope.metrics.baselines import clipscore
from hallascope.metrics.functions import read_metric
from tests.support.drawing_functions import PENGUIN, plain_red


@pytest.fixture(autouse=True)
def unregistered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget the metrics of a test at its end."""
    monkeypatch.setattr(metrics, "_REGISTERED", {})
    yield
    metrics.find.cache_clear()


def redness(image: Image.Image, prompt: str) -> float:
    """How red the first pixel is."""
    pixel = image.getpixel((0, 0))
    assert isinstance(pixel, tuple)
    return pixel[0] / 255


def broken(image: Image.Image, prompt: str) -> float:
    raise RuntimeError("out of paint")


def evaluated(given: Any, home: Path, **options: Any) -> hallascope.Results:
    options = {"models": plain_red, "judge": None} | options
    return hallascope.evaluate("a red circle", metrics=given, home=home, **options)


def test_names_metrics_and_functions_go_together(tmp_path: Path) -> None:
    own = read_metric("mine", lambda image, prompt: len(prompt) / 100, "1")
    found = evaluated(
        ["ihalla", own, redness], tmp_path, models="primer/exact", judge="primer/judge"
    )
    values = {score.metric: score.value for score in found if score.score == "score"}
    assert list(values) == ["ihalla", "mine", "redness"]
    assert values["mine"] == 0.12
    (row,) = hallascope.leaderboard("mine", home=tmp_path)
    assert (row["value"], row["n"]) == (0.12, 1)


@pytest.mark.parametrize("given", [redness, [redness], (redness,), iter([redness])])
def test_a_function_is_a_metric_for_both_functions(given: Any, tmp_path: Path) -> None:
    if not isinstance(given, list):
        (score,) = evaluated(given, tmp_path)
    else:
        image = Image.new("RGB", (8, 8), "red")
        (score,) = hallascope.judge_images(image, "x", metrics=given, judge=None, home=tmp_path)
    assert (score.metric, score.value, score.counted, score.left_out) == ("redness", 1.0, 1, 0)
    assert (score.failure, score.judge) == (None, None)


def test_a_function_that_raises_leaves_a_score_without_a_value(tmp_path: Path) -> None:
    found = evaluated([broken, redness], tmp_path)
    assert found[0] is found.scores[0]
    assert (found[0].value, found[0].left_out) == (None, 1)
    assert found[0].failure == "The metric 'broken' raised RuntimeError: out of paint"
    assert found[1].value == 1.0
    assert found.failures == (found[0],)


def test_a_function_that_remembers_is_asked_anew_where_it_is_another(tmp_path: Path) -> None:
    def constant(value: float) -> Any:
        def score(image: Image.Image, prompt: str) -> float:
            return value

        return score

    low = constant(0.1)
    assert [evaluated(each, tmp_path)[0].value for each in (low, low, constant(0.9))] == [
        0.1,
        0.1,
        0.9,
    ]


@pytest.mark.parametrize(
    "given, sentence",
    [
        (3, "3 is no metric: give a name, a Metric, or a function"),
        ([redness, redness], "Two metrics are called 'redness': rename yours"),
        (read_metric("ihalla", redness, "1"), "Two metrics are called 'ihalla'"),
        ("redness", "There is no metric 'redness'"),
        (["ihalla", "ihalia"], "did you mean 'ihalla'"),
    ],
)
def test_what_is_no_metric_is_one_sentence(given: Any, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match=sentence):
        evaluated(given, tmp_path)


def test_a_metric_that_asks_a_model_needs_it_as_the_shipped_ones_do(tmp_path: Path) -> None:
    found = evaluated(replace(clipscore.metric(), name="near"), tmp_path)
    assert found[0].metric == "near"
    assert found[0].value is None or found[0].counted == 1


def test_results_show_thumbnails_in_notebooks_and_are_short_in_words(tmp_path: Path) -> None:
    found = evaluated([redness, broken], tmp_path, models={"<b>red": plain_red})
    shown = found._repr_html_()
    assert shown.count('<img src="data:image/webp;base64,') == 2
    assert 'alt="a red circle, &lt;b&gt;red"' in shown
    assert len(repr(found)) < 200
    assert repr(hallascope.leaderboard("redness", home=tmp_path)) == "<LeaderboardResult: 1 rows>"
    gone = hallascope.evaluate(
        PENGUIN, models="primer/exact", metrics=redness, judge=None, home=tmp_path
    )
    assert gone[0].image
    gone[0].image.unlink()
    assert "<img" not in gone._repr_html_()
