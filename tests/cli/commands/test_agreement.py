"""`hallascope agreement`: numbers equal to scipy's, and every rejected row by file and line."""

import json
import random
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from statistics import fmean
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


def test_the_document_is_as_promised_and_equal_to_scipy(agreement: Any) -> None:
    chance = random.Random(1)
    people = {f"i{n}": [chance.randint(1, 5) for _ in range(3)] for n in range(40)}
    means = {item: sum(values) / 3 for item, values in people.items()}
    ours = {item: round(mean + chance.gauss(0, 1), 1) for item, mean in means.items()}
    scores = write(
        "s.csv", "item,metric,value", *((item, "ours", value) for item, value in ours.items())
    )
    ratings = write(
        "r.csv",
        "item,rater,value",
        *((item, n, value) for item, values in people.items() for n, value in enumerate(values)),
    )
    result = agreement("--scores", scores, "--ratings", ratings, "--json")
    assert (result.code, result.err, result.json["rejected"]) == (0, "", [])
    found = result.json["metrics"]["ours"]
    x, y = list(ours.values()), list(means.values())
    expected = {
        "pearson": scipy.stats.pearsonr(x, y).statistic,
        "spearman": scipy.stats.spearmanr(x, y).statistic,
        "kendall": scipy.stats.kendalltau(x, y).statistic,
    }
    assert found["n"] == 40
    assert {name: found[name]["value"] for name in expected} == pytest.approx(expected, abs=1e-12)
    for name in (*expected, "pairwise_accuracy"):
        assert found[name]["low"] < found[name]["value"] < found[name]["high"]
    assert set(result.json["raters"]["krippendorff_alpha"]) == {"nominal", "ordinal", "interval"}
    printed = agreement("--scores", scores, "--ratings", ratings).out
    for words in ("Pearson r", "Spearman rho", "Kendall tau-b", "n = 10 images only", "--scale"):
        assert words in printed
    assert f"{expected['kendall']:.3f} ({found['kendall']['low']:.3f} to " in printed


def test_rejected_rows_are_listed_with_file_and_line_and_not_averaged(agreement: Any) -> None:
    scores = write(
        "s.csv", "item,metric,value", *[(f"i{n}", "m", n) for n in range(4)], ("lone", "m", 1)
    )
    ratings = write(
        "r.csv", "item,value", *[(f"i{n}", n + 1) for n in range(4)], ("i0", 9), ("stray", 2)
    )
    result = agreement("--scores", scores, "--ratings", ratings, "--scale", "1..5", "--json")
    assert result.code == 1
    rejected = result.json["rejected"]
    assert [(one["file"], one["line"]) for one in rejected] == [
        ("r.csv", 6),
        ("s.csv", 6),
        ("r.csv", 7),
    ]
    assert "outside of the scale 1..5" in rejected[0]["problem"]
    assert result.json["metrics"]["m"]["n"] == 4
    assert result.json["metrics"]["m"]["pearson"]["value"] == pytest.approx(1.0)


def test_groups_are_resampled_and_correlations_within_them_stand_beside(agreement: Any) -> None:
    rows = [(f"i{n}", f"p{n // 4}", n) for n in range(24)]
    scores = write("s.csv", "item,group,metric,value", *((i, g, "m", n % 7) for i, g, n in rows))
    ratings = write("r.csv", "item,value", *((i, n % 5) for i, _, n in rows))
    options = ("--scores", scores, "--ratings", ratings)
    found = agreement(*options, "--json").json["metrics"]["m"]
    assert (found["resampled_by"], found["within_groups"]["groups"]) == ("group", 6)
    printed = agreement(*options).out
    assert "resampled by group" in printed
    assert "within groups" in printed


def test_long_lists_are_capped_and_the_file_has_all_of_them(agreement: Any) -> None:
    scores = write("s.csv", "item,metric,value", *[(f"i{n}", "m", n) for n in range(5)])
    rated = [(f"i{n}", n) for n in range(5)] + [(f"stray{n}", 1) for n in range(130)]
    ratings = write("r.csv", "item,value", *rated)
    result = agreement("--scores", scores, "--ratings", ratings, "--out", "all.json")
    assert result.code == 1
    assert "and 127 more of this kind" in result.out
    assert len(Path(result.out.split()[-1]).read_text().splitlines()) == 130
    assert result.out.count("stray") == 3
    assert len(json.loads(Path("all.json").read_text())["rejected"]) == 130


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
    assert found["metrics"]["right"]["order_accuracy"]["value"] == 1.0
    assert found["metrics"]["flat"]["ties"] == 1.0
    assert found["people"]["shares"]["unreadable"]["value"] == pytest.approx(1 / 20)
    assert found["people"]["clusters"] == 8
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


CHANCE = random.Random(3)
MODELS = ("mini-dalle", "sd1dot5")
DSG = [
    (model, f"tifa160_{n}", f"coco_{n}", worker, CHANCE.choice(["1", "2", "3", "4", "5", "N/A"]))
    for n in range(12)
    for model in MODELS
    for worker in range(3)
]
METRIC = {(model, item): round(CHANCE.random(), 2) for model, item, *_ in DSG}


def assert_is_scipys(found: Any, pairs: Iterable[tuple[float, float]]) -> None:
    x, y = zip(*pairs, strict=True)
    assert found["n"] == len(x)
    assert found["spearman"]["value"] == pytest.approx(scipy.stats.spearmanr(x, y)[0], abs=5e-4)
    assert found["kendall"]["value"] == pytest.approx(scipy.stats.kendalltau(x, y)[0], abs=5e-4)


@pytest.mark.parametrize(
    ("header", "item"),
    [
        ("item,metric,value", "{item}_{model},m"),
        ("t2i_model,item_id,m", "{model},{item}"),
        ("item,m", "coco_{n}_{long}"),
    ],
)
def test_dsgs_table_of_ratings_is_read_as_it_is(agreement: Any, header: str, item: str) -> None:
    question = "How consistent is the image?"
    columns = "t2i_model,item_id,source_id,worker_id,question,answer"
    ratings = write("r.csv", columns, *((*row[:4], question, row[4]) for row in DSG))
    long = {"mini-dalle": "mini_dalle", "sd1dot5": "stable_diffusion_v1_5"}
    rows = [
        (item.format(item=name, model=model, n=name.split("_")[1], long=long[model]), value)
        for (model, name), value in METRIC.items()
    ]
    result = agreement("--ratings", ratings, "--scores", write("s.csv", header, *rows), "--json")
    given = {
        key: [float(row[4]) for row in DSG if row[:2] == key and row[4] != "N/A"] for key in METRIC
    }
    pairs: list[tuple[float, float]] = [
        (METRIC[key], fmean(values)) for key, values in given.items() if values
    ]
    assert_is_scipys(result.json["metrics"]["m"], pairs)


def test_tifas_annotations_hold_ratings_and_scores(agreement: Any) -> None:
    annotations: dict[str, Any] = {
        f"coco_{n // 2}_{MODELS[n % 2]}": {
            "text_id": f"coco_{n // 2}",
            "text": "a cat",
            "human_scores": scores,
            "human_avg": fmean(score for score in scores if score),
            "bleu": CHANCE.random() * 1e-9,
            "tifa_mplug-large": round(CHANCE.random(), 1),
        }
        for n in range(40)
        for scores in [[CHANCE.randint(1, 5), CHANCE.choice([None, 3, 4])]]
    }
    Path("t.json").write_text(json.dumps(annotations))
    result = agreement("--ratings", "t.json", "--json")
    assert (result.code, list(result.json["metrics"])) == (0, ["bleu", "tifa_mplug-large"])
    for name, found in result.json["metrics"].items():
        assert_is_scipys(found, [(row[name], row["human_avg"]) for row in annotations.values()])
