"""How models, images and prompts are read or refused, and how results are shown."""

from pathlib import Path
from typing import Any

import pytest

import hallascope
from hallascope.backends.base import UnknownModel
from hallascope.backends.registry import load
from hallascope.data.files.readings.prompt_readings import write_prompt_readings
from hallascope.data.models.specs import read_models
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.engine.errors import BadRequest
from tests.support.drawing_functions import PENGUIN, plain_red


@pytest.mark.parametrize(
    "images, prompts, sentence",
    [
        ([plain_red("", 0)], ["a", "b"], "1 images and 2 prompts"),
        ([Path("gone.png")], {"other.png": "a"}, "no prompt for the image 'gone.png'"),
        ([Path("gone.png")], None, "prompts.csv"),
        ([Path("gone.png")], "a red circle", "gone.png"),
        ([], "a red circle", "no image"),
        ([], None, "no image"),
    ],
)
def test_images_without_their_prompts_are_refused_in_one_sentence(
    images: Any, prompts: Any, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises((BadRequest, Exception), match=sentence):
        hallascope.judge_images(images, prompts, home=tmp_path)


def test_what_is_no_model_is_named_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="is no model"):
        hallascope.evaluate(PENGUIN, models=[3], home=tmp_path)
    with pytest.raises(UnknownModel, match="did you mean"):
        hallascope.evaluate(PENGUIN, models="primer/exakt", home=tmp_path)
    with pytest.raises(BadRequest, match="Two models"):
        hallascope.evaluate(PENGUIN, models=[plain_red, plain_red], home=tmp_path)
    loaded = load(read_models()["primer/exact"])
    with pytest.raises(BadRequest, match="listed by its own name"):
        hallascope.evaluate(PENGUIN, models={"mine": loaded}, home=tmp_path)


CORRECTED = PromptReading(
    prompt="a red circle", objects=(AskedObject(id="o1", name="hat"),), author="Ann"
)


def test_readings_go_before_the_rules(tmp_path: Path) -> None:
    def evaluated(**options: Any) -> hallascope.ImageScore:
        options |= {"models": plain_red, "metrics": "tifa", "home": tmp_path}
        return hallascope.evaluate("a  red circle", **options).scores[0]

    by_rule = evaluated()
    corrected = evaluated(readings=CORRECTED)
    file = tmp_path / "asks.yaml"
    file.write_text(write_prompt_readings([CORRECTED]), "utf-8")
    of_file = evaluated(readings=file)
    assert by_rule.report
    assert corrected.report
    assert of_file.report
    assert [score.report.corrected_by for score in (by_rule, corrected) if score.report] == [
        "",
        "Ann",
    ]
    assert corrected.report.verdicts[0].question.text == "Is there a hat in the image?"
    assert of_file.report.verdicts == corrected.report.verdicts
    with pytest.raises(BadRequest, match="none of these prompts"):
        hallascope.evaluate("a cat", models=plain_red, readings=file, home=tmp_path)


def test_what_the_rules_are_not_sure_of_is_left_out_unless_it_is_accepted(tmp_path: Path) -> None:
    prompt = "the man a woman near a dog sees holds what none of them ever had"

    def evaluated(**options: Any) -> dict[str, hallascope.ImageScore]:
        options |= {"models": plain_red, "metrics": ["tifa", "fig"], "home": tmp_path}
        scores = hallascope.evaluate(prompt, **options).scores
        return {score.metric: score for score in scores if score.score == "score"}

    withheld, accepted = evaluated(), evaluated(accept_readings=True)
    for score in withheld.values():
        assert (score.value, score.counted, score.left_out) == (None, 0, 1)
        assert "confirm or correct the reading" in (score.failure or "")
    assert all(score.counted + score.left_out > 1 for score in accepted.values())


def test_a_reading_of_none_of_the_prompts_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="a reading of 'a red circle', which is none of the"):
        hallascope.evaluate("a", models=plain_red, readings=[CORRECTED], home=tmp_path)
    image = plain_red("", 0)
    with pytest.raises(BadRequest, match="none of the metrics uses one: add fig"):
        hallascope.judge_images(image, "a red circle", readings=CORRECTED, home=tmp_path)


# --- tables and pages of results


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
