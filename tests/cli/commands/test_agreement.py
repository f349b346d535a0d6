"""`hallascope agreement`: document, printed numbers, and every rejected row by file and line."""

import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import scipy.stats


@pytest.fixture
def agreement(command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command with options, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return partial(command, "agreement")


def write(name: str, header: str, *rows: tuple[object, ...]) -> str:
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


def test_the_document_is_as_promised_and_its_numbers_are_printed(agreement: Any) -> None:
    chance, items = random.Random(1), [f"i{n}" for n in range(40)]
    scored = ((item, "ours", chance.randint(1, 9)) for item in items)
    rated = ((item, rater, chance.randint(1, 5)) for item in items for rater in range(3))
    scores = write("s.csv", "item,metric,value", *scored)
    ratings = write("r.csv", "item,rater,value", *rated)
    result = agreement("--scores", scores, "--ratings", ratings, "--json")
    assert (result.code, result.err, result.json["rejected"]) == (0, "", [])
    found = result.json["metrics"]["ours"]
    assert found["n"] == 40
    for name in ("pearson", "spearman", "kendall", "pairwise_accuracy"):
        assert found[name]["low"] < found[name]["value"] < found[name]["high"]
    assert set(result.json["raters"]["krippendorff_alpha"]) == {"nominal", "ordinal", "interval"}
    printed = agreement("--scores", scores, "--ratings", ratings).out
    for words in ("Pearson r", "Spearman rho", "Kendall tau-b", "n = 10 images only", "--scale"):
        assert words in printed
    assert f"{found['kendall']['value']:.3f} ({found['kendall']['low']:.3f} to " in printed


def test_preferences_give_pairwise_accuracy_with_ties_and_what_people_choose(
    agreement: Any,
) -> None:
    rows = [(f"p{n}-x", f"p{n}-y", who, "a", f"p{n}") for n in range(8) for who in ("ann", "bo")]
    rows += [(f"p{n}-x", f"p{n}-y", "cy", "tie", f"p{n}") for n in range(3)]
    rows += [("p7-x", "p7-y", "cy", "unreadable", "p7"), ("p0-x", "gone", "cy", "a", "p0")]
    preferences = write("p.csv", "item_a,item_b,rater,choice,group", *rows)
    scored = [(f"p{n}-{side}", int(side == "x"), n % 3) for n in range(8) for side in "xy"]
    scores = write("s.csv", "item,right,flat", *scored)
    options = ("--scores", scores, "--preferences", preferences)
    result = agreement(*options, "--json")
    found = result.json
    assert result.code == 1
    assert found["metrics"]["right"]["accuracy"]["value"] == pytest.approx(16 / 19)
    assert "the item 'gone' is not scored" in found["rejected"][0]["problem"]
    lines = agreement(*options).out.splitlines()
    (right,) = (line.split() for line in lines if line.startswith("right  "))
    assert right[1] == "0.842"
    assert any("unreadable" in line and "0.050" in line for line in lines)


def test_answers_give_agreement_by_question_and_by_item(agreement: Any) -> None:
    rows = []
    for n in range(6):
        for by in (("ann", ""), ("bo", ""), ("", "vqa")):
            there = "yes" if n % 2 else "no"
            rows += [(f"i{n}", "1", *by, there, ""), (f"i{n}", "2", *by, "yes", "1")]
    rows.append(("i0", "3", "", "vqa", "yes", ""))
    answers = write("a.csv", "item,question,rater,metric,answer,depends_on", *rows)
    result = agreement("--answers", answers, "--json")
    found = result.json
    assert result.code == 1
    assert found["questions"]["metrics"]["vqa"]["kappa"]["value"] == 1.0
    assert found["questions"]["people"]["krippendorff_alpha"]["nominal"] == 1.0
    assert found["items"]["metrics"]["vqa"]["n"] == 6
    assert "is not answered by a person" in found["rejected"][0]["problem"]
    printed = agreement("--answers", answers).out
    for words in ("Question by question", "Cohen's kappa", "Item by item", "Spearman rho"):
        assert words in printed


def test_tifas_annotations_hold_ratings_and_scores(agreement: Any) -> None:
    annotations: dict[str, Any] = {
        f"coco_{n // 2}_{('mini-dalle', 'sd1dot5')[n % 2]}": {
            "text_id": f"coco_{n // 2}",
            "text": "a cat",
            "human_scores": [n % 5 + 1, None if n % 3 else 3],
            "human_avg": n % 5 + 1 if n % 3 else (n % 5 + 4) / 2,
            "bleu": n % 7 * 1e-9,
            "tifa_mplug-large": n % 4 / 4,
        }
        for n in range(40)
    }
    Path("t.json").write_text(json.dumps(annotations))
    result = agreement("--ratings", "t.json", "--json")
    assert (result.code, list(result.json["metrics"])) == (0, ["bleu", "tifa_mplug-large"])
    for name, found in result.json["metrics"].items():
        ours, people = (
            [float(row[key]) for row in annotations.values()] for key in (name, "human_avg")
        )
        expected = scipy.stats.spearmanr(ours, people).statistic
        assert (found["n"], found["spearman"]["value"]) == (40, pytest.approx(expected, abs=5e-4))
