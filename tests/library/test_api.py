"""What `import hallascope` gives: models as names, functions and pipelines; images judged.

Boards.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import hallascope
from hallascope.backends.base import UnknownModel
from hallascope.engine.errors import BadRequest
from tests.support import ROOT

PENGUIN = "a gentoo penguin"


def plain_red(prompt: str, seed: int) -> Image.Image:
    return Image.new("RGB", (64, 64), (255, 0, seed))


def broken(prompt: str, seed: int) -> Image.Image:
    raise ValueError("no <b>paint</b>")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def results(home: Path) -> hallascope.Results:
    models = ["primer/exact", plain_red, broken]
    return hallascope.evaluate([PENGUIN, "a red circle"], models=models, count=2, home=home)


def test_every_prompt_model_and_seed_has_its_scores_in_the_order_asked_for(
    results: hallascope.Results,
) -> None:
    main = [score for score in results if score.score == "score"]
    asked = [
        (prompt, model, seed)
        for prompt in (PENGUIN, "a red circle")
        for model in ("primer/exact", "plain_red", "broken")
        for seed in (0, 1)
    ]
    assert [(score.prompt, score.model, score.seed) for score in main] == asked


def test_a_true_image_scores_high_and_a_plain_one_low(results: hallascope.Results) -> None:
    values = {
        score.model: score.value
        for score in results
        if score.prompt == PENGUIN and score.score == "score" and score.seed == 0
    }
    assert values["primer/exact"] == 1.0
    assert values["plain_red"] is not None
    assert values["plain_red"] < 0.5


def test_a_function_that_fails_leaves_no_score_and_says_why(results: hallascope.Results) -> None:
    failures = [score for score in results.failures if score.model == "broken"]
    assert len(failures) == 4
    assert all(score.value is None and score.counted == 0 for score in failures)
    assert "ValueError: no <b>paint</b>" in (failures[0].failure or "")


def test_results_are_a_table_and_html_in_which_text_is_escaped(results: hallascope.Results) -> None:
    table = results.to_pandas()
    assert len(table) == len(results)
    assert table[table.model == "broken"].value.isna().all()
    assert "no &lt;b&gt;paint" in results._repr_html_()
    assert "<b>paint" not in results._repr_html_()


def test_the_pages_of_results_show_their_evidence(
    results: hallascope.Results, tmp_path: Path
) -> None:
    page = results.show(tmp_path / "site", open_browser=False)
    assert page == tmp_path / "site" / "index.html"
    assert PENGUIN in page.read_text("utf-8")
    with pytest.raises(BadRequest, match="holds something"):
        results.show(tmp_path / "site", open_browser=False)


def test_the_same_function_is_not_asked_twice_for_one_image(tmp_path: Path) -> None:
    calls = list[int]()

    def counting(prompt: str, seed: int) -> Image.Image:
        calls.append(seed)
        return plain_red(prompt, seed)

    for _ in range(2):
        hallascope.evaluate(PENGUIN, models=counting, judge="primer/judge", home=tmp_path)
    assert calls == [0]


def test_what_a_function_drew_is_not_taken_for_another_of_its_name(tmp_path: Path) -> None:
    scores = []
    for color in ((0, 0, 0), (250, 250, 250)):

        def draw(prompt: str, seed: int, color: tuple[int, int, int] = color) -> Image.Image:
            return Image.new("RGB", (64, 64), color)

        found = hallascope.evaluate("a red circle", models={"mine": draw}, home=tmp_path)
        scores.append(found.scores[0].image)
    assert scores[0] != scores[1]


def test_images_are_judged_by_the_prompts_beside_them(tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    for name in ("one.png", "two.png"):
        plain_red("", 0 if name == "one.png" else 9).save(folder / name)
    (folder / "prompts.csv").write_text(f"file,prompt\none.png,{PENGUIN}\ntwo.png,a red circle\n")
    found = hallascope.judge_images(folder, home=tmp_path / "home")
    pairs = {(score.given, score.prompt) for score in found}
    assert pairs == {("one.png", PENGUIN), ("two.png", "a red circle")}
    assert {score.model for score in found} == {"brought"}


@pytest.mark.parametrize(
    ("images", "prompts", "sentence"),
    [
        ([plain_red("", 0)], ["a", "b"], "1 images and 2 prompts"),
        ([Path("gone.png")], {"other.png": "a"}, "no prompt for the image 'gone.png'"),
        ([Path("gone.png")], None, "prompts.csv"),
        ([Path("gone.png")], "a red circle", "gone.png"),
    ],
)
def test_images_without_their_prompts_are_refused_in_one_sentence(
    images: Any, prompts: Any, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises((BadRequest, Exception), match=sentence):
        hallascope.judge_images(images, prompts, home=tmp_path)


def test_a_reference_image_reaches_the_metric_that_compares_with_it(tmp_path: Path) -> None:
    reference = hallascope.evaluate(PENGUIN, models="primer/exact", home=tmp_path).scores[0].image
    assert reference is not None
    given = {PENGUIN: hallascope.Reference(reference, "gentoo penguin", "a bird")}
    found = hallascope.evaluate(
        PENGUIN, models="primer/exact", metrics="factualbench", references=given, home=tmp_path
    )
    assert next(score for score in found if score.score == "score").counted


def test_what_is_no_model_is_named_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="is no model"):
        hallascope.evaluate(PENGUIN, models=[3], home=tmp_path)
    with pytest.raises(UnknownModel, match="did you mean"):
        hallascope.evaluate(PENGUIN, models="primer/exakt", home=tmp_path)
    with pytest.raises(BadRequest, match="Two models"):
        hallascope.evaluate(PENGUIN, models=[plain_red, plain_red], home=tmp_path)


def test_a_leaderboard_ranks_what_is_stored(results: hallascope.Results, home: Path) -> None:
    found = hallascope.leaderboard(home=home)
    assert not found.shipped
    assert [row["model"] for row in found] == ["primer/exact", "plain_red"]
    assert list(found.to_pandas().columns) == [
        "model",
        "group",
        "value",
        "n",
        "low",
        "high",
        "left_out",
    ]
    with pytest.raises(BadRequest, match="no filter"):
        hallascope.leaderboard(home=home, color="red")
    with pytest.raises(BadRequest, match="sorted by"):
        hallascope.leaderboard(home=home, by="color")  # type: ignore[arg-type]


def test_the_shipped_leaderboard_says_that_it_is(home: Path, tmp_path: Path) -> None:
    found = hallascope.leaderboard(home=home, shipped=True)
    assert found.shipped
    assert len(found) > 3
    page = found.show(tmp_path / "board.html", open_browser=False).read_text("utf-8")
    assert "come with the program" in page
    assert "primer/exact" in page


def test_importing_the_library_loads_nothing_heavy() -> None:
    heavy = ("gradio", "torch", "pandas", "PIL", "sqlalchemy", "pydantic")
    code = f"import sys, hallascope; print(*[name for name in {heavy!r} if name in sys.modules])"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
