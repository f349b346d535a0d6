"""`import hallascope` evaluates models, judges images and ranks what is stored."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from diffusers import DiffusionPipeline
from PIL import Image

import hallascope
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.store import Store
from tests.support import ROOT, filled_store
from tests.support.drawing_functions import PENGUIN, plain_red
from tests.support.filled_store import Said
from tests.support.tiny_models import pipelines


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


def test_a_true_image_scores_high_and_one_that_the_judge_does_not_know_has_no_score(
    results: hallascope.Results,
) -> None:
    scores = {
        score.model: score
        for score in results
        if score.prompt == PENGUIN and score.score == "score" and score.seed == 0
    }
    assert scores["primer/exact"].value == 1.0
    plain = scores["plain_red"]
    assert (plain.value, plain.counted, plain.left_out) == (None, 0, 5)
    assert "cannot see photos" in (plain.failure or "")


def test_a_function_that_fails_leaves_no_score_and_says_why(results: hallascope.Results) -> None:
    failures = [score for score in results.failures if score.model == "broken"]
    assert len(failures) == 4
    assert all(score.value is None and score.counted == 0 for score in failures)
    assert "ValueError: no <b>paint</b>" in (failures[0].failure or "")


@pytest.mark.full
def test_a_loaded_pipeline_of_diffusers_draws_with_the_seed_and_once(tmp_path: Path) -> None:
    pipeline = DiffusionPipeline.from_pretrained(
        str(pipelines.stable_diffusion(tmp_path / "tiny")), safety_checker=None
    )
    pipeline.set_progress_bar_config(disable=True)
    home = tmp_path / "home"
    found = hallascope.evaluate("a red circle", models=pipeline, seed=3, home=home)
    assert {(score.model, score.seed) for score in found} == {("StableDiffusionPipeline", 3)}
    assert all("cannot see photos" in (score.failure or "") for score in found), "it is noise"
    path = found.scores[0].image
    assert path is not None
    drawn = pipeline("a red circle", generator=torch.Generator().manual_seed(3)).images[0]
    with Image.open(path) as image:
        assert image.tobytes() == drawn.convert("RGB").tobytes()
    modified = path.stat().st_mtime_ns
    again = hallascope.evaluate("a red circle", models={"tiny": pipeline}, seed=3, home=home)
    assert {score.model for score in again} == {"tiny"}
    again = hallascope.evaluate("a red circle", models=[pipeline], seed=3, home=home)
    assert again.runs == found.runs
    assert path.stat().st_mtime_ns == modified
    pipeline.register_modules(tokenizer=None)
    (failure,) = hallascope.evaluate("a red circle", models=pipeline, home=home).failures
    assert failure.value is None
    assert "'StableDiffusionPipeline' failed with" in (failure.failure or "")


@pytest.mark.parametrize(
    "table",
    [
        f"file,prompt\none.png,{PENGUIN}\ntwo.png,a red circle\n",
        f"image;prompt\none.png;{PENGUIN}\ntwo.png;a red circle\n",
    ],
)
def test_images_are_judged_by_the_prompts_beside_them(tmp_path: Path, table: str) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    for name in ("one.png", "two.png"):
        plain_red("", 0 if name == "one.png" else 9).save(folder / name)
    (folder / "prompts.csv").write_text(table)
    found = hallascope.judge_images(folder, home=tmp_path / "home")
    pairs = {(score.given, score.prompt) for score in found}
    assert pairs == {("one.png", PENGUIN), ("two.png", "a red circle")}
    assert {score.model for score in found} == {"brought"}


def test_a_reference_image_reaches_the_metric_that_compares_with_it(tmp_path: Path) -> None:
    reference = hallascope.evaluate(PENGUIN, models="primer/exact", home=tmp_path).scores[0].image
    assert reference is not None
    given = {PENGUIN: hallascope.Reference(reference, "gentoo penguin", "a bird")}
    found = hallascope.evaluate(
        PENGUIN, models="primer/exact", metrics="factualbench", references=given, home=tmp_path
    )
    assert next(score for score in found if score.score == "score").counted


def test_a_leaderboard_ranks_what_is_stored(results: hallascope.Results, home: Path) -> None:
    found = hallascope.leaderboard(home=home)
    assert not found.shipped
    assert [row["model"] for row in found] == ["primer/exact", "plain_red"]
    columns = "model group value n low high left_out best_rank worst_rank letters"
    assert " ".join(found.to_pandas().columns) == columns
    one = hallascope.leaderboard(home=home, models="plain_red", runs=results.runs[0])
    assert [row["model"] for row in one] == ["plain_red"]
    with pytest.raises(BadRequest, match="no filter"):
        hallascope.leaderboard(home=home, color="red")
    with pytest.raises(BadRequest, match="cannot be made by 'color'"):
        hallascope.leaderboard(home=home, by="color")  # type: ignore[arg-type]


def test_corrected_scores_stand_beside_the_judges(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    for i in range(20):
        said = Said(f"prompt {i}", "m/one", ("correct", "correct"), run=f"r{i}")
        filled_store.keep(store, said)
        about = RatingSubject(said.image, IHALLA, said.prompt, f"{QUESTION}0?", "Ann")
        if i < 12:
            store.ratings.keep(about, "No" if i < 6 else "Yes")
    store.close()
    found = hallascope.leaderboard(home=tmp_path, corrected=True)
    (row,) = found
    assert row["value"] == 1
    assert row["corrected"] == pytest.approx(0.5)
    assert row["corrected_low"] < 0.5 < row["corrected_high"]
    assert (row["bias"], row["weight"]) == (pytest.approx(0.5), 1)
    assert (row["labeled"], row["judged"]) == (12, 20)
    assert row["correction_method"] == "prediction-powered"
    assert found.correction is not None
    assert found.correction.labels is not None
    assert found.correction.labels.labelers == 1
    (plain,) = hallascope.leaderboard(home=tmp_path)
    assert "corrected" not in plain
    with pytest.raises(BadRequest, match=r"there are 200\) was judged"):
        hallascope.leaderboard(home=tmp_path, labels=ROOT / "data/labelled/primer-diffusion")


def test_the_shipped_leaderboard_says_that_it_is(home: Path, tmp_path: Path) -> None:
    found = hallascope.leaderboard(home=home, shipped=True)
    assert found.interval_method == "clopper-pearson"
    assert {"best_rank", "worst_rank", "letters"} <= found.rows[0].keys()
    assert found.shipped
    assert len(found) > 3
    page = found.show(tmp_path / "board.html", open_browser=False).read_text("utf-8")
    assert "primer/exact" in page


def test_importing_the_library_loads_nothing_heavy() -> None:
    heavy = ("gradio", "torch", "pandas", "PIL", "sqlalchemy", "pydantic")
    code = f"import sys, hallascope; print(*[name for name in {heavy!r} if name in sys.modules])"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
