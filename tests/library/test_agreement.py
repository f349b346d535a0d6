"""`hallascope.agreement` gives what the command prints, from files and from DataFrames."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import hallascope
from hallascope.cli import main
from hallascope.engine.errors import BadRequest

ITEMS = [f"i{number}" for number in range(8)]
SCORES = pd.DataFrame({"item": ITEMS, "m": range(8)})
RATINGS = pd.DataFrame(
    [
        {"item": item, "rater": who, "fidelity": place, "novelty": -place}
        for place, item in enumerate(ITEMS)
        for who in ("ann", "bo")
    ]
)


def test_ratings_have_a_row_for_each_statistic_of_each_dimension() -> None:
    found = hallascope.agreement(SCORES, RATINGS)
    values = {(row["dimension"], row["statistic"]): row["value"] for row in found}
    assert len(found) == 8
    assert values["fidelity", "kendall"] == pytest.approx(1.0)
    assert values["novelty", "spearman"] == pytest.approx(-1.0)
    one = hallascope.agreement(SCORES, RATINGS, dimension="novelty").to_pandas()
    assert set(one.dimension) == {"novelty"}
    assert set(one.part) == {"ratings"}


def test_the_document_is_what_the_command_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    SCORES.to_csv(tmp_path / "s.csv", index=False)
    lone = pd.DataFrame({"item": [*ITEMS, "lone"], "value": range(9), "group": [*"aaaabbbb", "c"]})
    lone.to_excel(tmp_path / "r.xlsx", index=False)
    found = hallascope.agreement(tmp_path / "s.csv", str(tmp_path / "r.xlsx"), seed=3)
    options = ["--scores", str(tmp_path / "s.csv"), "--ratings", str(tmp_path / "r.xlsx")]
    with pytest.raises(SystemExit):
        main.main(("agreement", *options, "--seed", "3", "--json"))
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.document))
    assert found.left_out[0].startswith("r.xlsx, row 10: the item 'lone'")
    within = [row for row in found if row["statistic"] == "pearson within groups"]
    assert [(row["n"], row["value"]) for row in within] == [(2, pytest.approx(0.99))]


def test_preferences_and_answers_are_compared_as_well() -> None:
    chosen = pd.DataFrame(
        {"item_a": ITEMS[1:], "item_b": ITEMS[:-1], "choice": ["a"] * 7, "rater": "ann"}
    )
    found = hallascope.agreement(SCORES, preferences=chosen)
    assert [(row["statistic"], row["value"], row["n"]) for row in found] == [
        ("accuracy", 1.0, 7),
        ("order_accuracy", 1.0, 7),
    ]
    answers = pd.DataFrame(
        [
            {"item": item, "question": "1", "rater": rater, "metric": metric, "answer": answer}
            for item, answer in zip(ITEMS, ["yes", "no"] * 4, strict=True)
            for rater, metric in (("ann", ""), ("", "vqa"))
        ]
    )
    found = hallascope.agreement(answers=answers)
    values = {(row["part"], row["statistic"]): row["value"] for row in found}
    assert values["questions", "kappa"] == 1.0
    assert values["items", "pearson"] == pytest.approx(1.0)


def test_one_table_may_hold_scores_and_ratings(tmp_path: Path) -> None:
    rows = [{"item": item, "human": n, "clip": n} for n, item in enumerate(ITEMS)]
    (tmp_path / "both.json").write_text(json.dumps(rows), encoding="utf-8")
    found = hallascope.agreement(ratings=tmp_path / "both.json")
    assert {row["value"] for row in found if row["statistic"] == "pearson"} == {1.0}


@pytest.mark.parametrize(
    "options, problem",
    [
        ({"scores": SCORES}, "Give one table of what people say"),
        ({"ratings": RATINGS}, "The table of scores is missing"),
        ({"preferences": RATINGS}, "Give the table of scores"),
        ({"ratings": RATINGS, "answers": RATINGS}, "Give one table of what people say"),
        ({"scores": "nowhere.csv", "ratings": RATINGS}, "'nowhere.csv' cannot be opened"),
        ({"scores": SCORES, "ratings": RATINGS, "against": "x"}, "'x' has no scores"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadRequest, match=problem):
        hallascope.agreement(**options)
