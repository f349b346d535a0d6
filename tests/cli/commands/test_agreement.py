"""`hallascope agreement`: the promised document, equal to scipy, with every rejected row by file
and line.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import scipy.stats

from hallascope.cli import main


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main.main(("agreement", *arguments))
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


def write(name: str, header: str, *rows: tuple[object, ...]) -> str:
    Path(name).write_text(
        "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8"
    )
    return name


def test_the_document_is_as_promised_and_equal_to_scipy(command: Any) -> None:
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
    code, out, err = command("--scores", scores, "--ratings", ratings, "--json")
    assert (code, err) == (0, "")
    said = json.loads(out)
    found = said["metrics"]["ours"]
    assert set(found) == {"n", "pearson", "spearman", "kendall", "pairwise_accuracy"}
    x, y = list(ours.values()), list(means.values())
    assert found["n"] == 40
    assert found["pearson"]["value"] == pytest.approx(
        scipy.stats.pearsonr(x, y).statistic, abs=1e-12
    )
    assert found["spearman"]["value"] == pytest.approx(
        scipy.stats.spearmanr(x, y).statistic, abs=1e-12
    )
    assert found["kendall"]["value"] == pytest.approx(
        scipy.stats.kendalltau(x, y).statistic, abs=1e-12
    )
    for name in ("pearson", "spearman", "kendall", "pairwise_accuracy"):
        assert found[name]["low"] < found[name]["value"] < found[name]["high"]
    assert said["rejected"] == []
    assert set(said["raters"]["krippendorff_alpha"]) == {"nominal", "ordinal", "interval"}


def test_rejected_rows_are_listed_with_file_and_line_and_not_averaged(command: Any) -> None:
    scores = write(
        "s.csv", "item,metric,value", *[(f"i{n}", "m", n) for n in range(4)], ("lone", "m", 1)
    )
    ratings = write(
        "r.csv", "item,value", *[(f"i{n}", n + 1) for n in range(4)], ("i0", 9), ("stray", 2)
    )
    code, out, _ = command("--scores", scores, "--ratings", ratings, "--scale", "1..5", "--json")
    said = json.loads(out)
    assert code == 1
    assert [(one["file"], one["line"]) for one in said["rejected"]] == [
        ("r.csv", 6),
        ("s.csv", 6),
        ("r.csv", 7),
    ]
    assert "outside of the scale 1..5" in said["rejected"][0]["problem"]
    assert said["metrics"]["m"]["n"] == 4
    assert said["metrics"]["m"]["pearson"]["value"] == pytest.approx(1.0)


def test_for_people_every_statistic_has_its_name_and_the_published_one_its_small_n(
    command: Any,
) -> None:
    scores = write(
        "s.csv",
        "item,metric,value",
        *[(f"i{n}", m, n if m == "up" else 0) for n in range(5) for m in ("up", "flat")],
    )
    ratings = write("r.csv", "item,value", *[(f"i{n}", n) for n in range(5)])
    code, out, _ = command("--scores", scores, "--ratings", ratings)
    assert code == 0
    for said in (
        "Pearson r",
        "Spearman rho",
        "Kendall tau-b",
        "pairwise accuracy",
        "up less flat",
        "95 %",
        "n = 10 images only",
    ):
        assert said in out
    assert "flat gives every item the same score" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--scores", "nowhere.csv", "--ratings", "r.csv"), "'nowhere.csv' cannot be opened"),
        (("--scores", "r.csv", "--ratings", "r.csv"), "has no column 'metric'"),
        (("--scores", "s.csv", "--ratings", "r.csv", "--scale", "5"), "The scale '5' is none"),
        (("--scores", "s.csv"), "name one table with --ratings, --preferences or --answers"),
        (("--ratings", "r.csv"), "name their table with --scores"),
        (("--ratings", "r.csv", "--answers", "r.csv"), "is --ratings and --answers: name one"),
        (("--scores", "s.csv", "--preferences", "r.csv"), "has no column 'item a'"),
        (("--answers", "r.csv"), "has neither a column 'rater' nor a column 'metric'"),
    ],
)
def test_a_wrong_request_is_exit_code_2_and_one_sentence(
    command: Any, arguments: tuple[str, ...], said: str
) -> None:
    write("s.csv", "item,metric,value", ("a", "m", 1))
    write("r.csv", "item,value", ("a", 1))
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_haloquest_is_loaded_by_the_command_for_benchmarks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = (
        "0,a.png,https://b.example/a.png,generated,false premises,What collar?,There is none;,eval"
    )
    (tmp_path / "h.csv").write_text(
        ",image_name,url,image type,hallucination type,question,groundtruth"
        f" responses,split\n{row}\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as left:
        main.main(("benchmark", "load", "haloquest", str(tmp_path / "h.csv"), "--json"))
    assert (left.value.code or 0) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["questions"] == 1


def test_groups_are_resampled_and_correlations_within_them_stand_beside(command: Any) -> None:
    rows = [(f"i{n}", f"p{n // 4}", n) for n in range(24)]
    scores = write("s.csv", "item,group,metric,value", *((i, g, "m", n % 7) for i, g, n in rows))
    ratings = write("r.csv", "item,value", *((i, n % 5) for i, _, n in rows))
    code, out, _ = command("--scores", scores, "--ratings", ratings, "--json")
    found = json.loads(out)["metrics"]["m"]
    assert (code, found["resampled_by"], found["within_groups"]["groups"]) == (0, "group", 6)
    _, out, _ = command("--scores", scores, "--ratings", ratings)
    assert "2,000 draws, resampled by group" in out
    assert "within groups" in out


def test_long_lists_are_capped_and_the_file_has_all_of_them(command: Any) -> None:
    scores = write("s.csv", "item,metric,value", *[(f"i{n}", "m", n) for n in range(5)])
    rated = [(f"i{n}", n) for n in range(5)] + [(f"stray{n}", 1) for n in range(130)]
    ratings = write("r.csv", "item,value", *rated)
    code, out, _ = command("--scores", scores, "--ratings", ratings, "--out", "all.json")
    assert code == 1
    assert "and 30 more; --out FILE writes all of them" in out
    assert out.count("stray") == 100
    assert len(json.loads(Path("all.json").read_text())["rejected"]) == 130


def test_missing_values_are_declared_and_one_metric_is_compared_with(command: Any) -> None:
    scores = write(
        "s.csv", "item,a,b,base", *[(f"i{n}", n, -n, n % 3) for n in range(6)], ("x", 1, 1, 1)
    )
    ratings = write("r.csv", "item,value", *[(f"i{n}", n) for n in range(6)], ("x", "NA"), ("x", 2))
    options = ("--scores", scores, "--ratings", ratings, "--missing", "NA, -1")
    code, out, _ = command(*options, "--against", "base", "--json")
    compared = json.loads(out)["compared"]
    assert code == 0
    assert [(pair["one"], pair["other"]) for pair in compared] == [("a", "base"), ("b", "base")]
    code, _, err = command(*options, "--against", "none")
    assert code == 2
    assert "'none' has no scores" in err


def test_each_dimension_of_the_ratings_has_its_own_numbers(command: Any) -> None:
    scores = write("s.csv", "item,metric,value", *[(f"i{n}", "m", n) for n in range(6)])
    ratings = write(
        "r.csv",
        "item,rater,fidelity,beauty",
        *[(f"i{n}", who, n, 5 - n) for n in range(6) for who in ("ann", "bo")],
    )
    options = ("--scores", scores, "--ratings", ratings)
    code, out, _ = command(*options, "--json")
    found = json.loads(out)["dimensions"]
    assert code == 0
    assert {name: found[name]["metrics"]["m"]["spearman"]["value"] for name in found} == {
        "fidelity": pytest.approx(1.0),
        "beauty": pytest.approx(-1.0),
    }
    assert found["beauty"]["raters"]["krippendorff_alpha"]["ordinal"] == 1.0
    _, out, _ = command(*options)
    assert out.index("Dimension: fidelity") < out.index("Dimension: beauty")
    _, out, _ = command(*options, "--dimension", "beauty")
    assert "fidelity" not in out
    code, _, err = command(*options, "--dimension", "taste")
    assert (code, "'fidelity', 'beauty': choose one of them" in err) == (2, True)


def test_the_level_of_the_scale_is_guessed_and_said_with_how_to_override_it(command: Any) -> None:
    scores = write("s.csv", "item,metric,value", *[(f"i{n}", "m", n) for n in range(6)])
    ratings = write("r.csv", "item,value", *[(f"i{n}", n % 3) for n in range(6)])
    options = ("--scores", scores, "--ratings", ratings)
    _, out, _ = command(*options)
    assert "Read the ordinal one: the scale is guessed (3 distinct whole numbers); --scale" in out
    _, out, _ = command(*options, "--scale", "interval 0..2")
    assert "Read the interval one: the scale is interval." in out
    _, out, _ = command(*options, "--scale", "nominal", "--json")
    raters = json.loads(out)["raters"]
    assert (raters["level"], raters["level_guessed"]) == ("nominal", None)


def test_preferences_give_pairwise_accuracy_with_ties_and_what_people_choose(command: Any) -> None:
    rows = [(f"p{n}-x", f"p{n}-y", who, "a", f"p{n}") for n in range(8) for who in ("ann", "bo")]
    rows += [(f"p{n}-x", f"p{n}-y", "cy", "tie", f"p{n}") for n in range(3)]
    rows += [("p7-x", "p7-y", "cy", "unreadable", "p7"), ("p0-x", "gone", "cy", "a", "p0")]
    preferences = write("p.csv", "item_a,item_b,rater,choice,group", *rows)
    scored = [(f"p{n}-{side}", int(side == "x"), n % 3) for n in range(8) for side in "xy"]
    scores = write("s.csv", "item,right,flat", *scored)
    options = ("--scores", scores, "--preferences", preferences)
    code, out, _ = command(*options, "--json")
    found = json.loads(out)
    assert code == 1
    assert found["metrics"]["right"]["accuracy"]["value"] == pytest.approx(16 / 19)
    assert found["metrics"]["right"]["order_accuracy"]["value"] == 1.0
    assert found["metrics"]["flat"]["ties"] == 1.0
    assert found["people"]["shares"]["unreadable"]["value"] == pytest.approx(1 / 20)
    assert found["people"]["clusters"] == 8
    assert "the item 'gone' is not scored" in found["rejected"][0]["problem"]
    _, out, _ = command(*options)
    for said in ("of decided pairs", "right less flat", "unreadable", "between 8 pairs of items"):
        assert said in out
    code, _, err = command(*options, "--against", "none")
    assert (code, "'none' has no scores" in err) == (2, True)


def test_answers_give_agreement_by_question_and_by_item(command: Any) -> None:
    rows = []
    for n in range(6):
        for by in (("ann", ""), ("bo", ""), ("", "vqa")):
            there = "yes" if n % 2 else "no"
            rows += [(f"i{n}", "1", *by, there, ""), (f"i{n}", "2", *by, "yes", "1")]
    rows.append(("i0", "3", "", "vqa", "yes", ""))
    answers = write("a.csv", "item,question,rater,metric,answer,depends_on", *rows)
    code, out, _ = command("--answers", answers, "--json")
    found = json.loads(out)
    assert code == 1
    assert found["questions"]["metrics"]["vqa"]["kappa"]["value"] == 1.0
    assert found["questions"]["people"]["krippendorff_alpha"]["nominal"] == 1.0
    assert found["items"]["metrics"]["vqa"]["n"] == 6
    assert "is not answered by a person" in found["rejected"][0]["problem"]
    _, out, _ = command("--answers", answers)
    for said in ("Question by question", "Cohen's kappa", "Item by item", "Spearman rho"):
        assert said in out
    write("a.csv", "item,question,rater,answer", ("i", "1", "ann", "yes"))
    code, _, err = command("--answers", answers)
    assert (code, "no usable answer of a metric" in err) == (2, True)


def test_choices_of_one_prompt_are_said_to_be_too_few(command: Any) -> None:
    scores = write("s.csv", "item,metric,value", ("x", "m", 1), ("y", "m", 0))
    preferences = write("p.csv", "item_a,item_b,choice", ("x", "y", "a"), ("x", "y", "tie"))
    code, out, _ = command("--scores", scores, "--preferences", preferences)
    assert code == 0
    assert "All choices are of one cluster" in out


def test_a_table_of_another_kind_is_named_with_its_option(command: Any) -> None:
    scores = write("s.csv", "item,metric,value", ("a", "m", 1))
    preferences = write("p.csv", "item_a,item_b,choice", ("x", "y", "a"))
    code, _, err = command("--scores", scores, "--ratings", preferences)
    assert code == 2
    assert "those of preferences between two items: name it with --preferences." in err
    assert err.count("\n") == 1
    answers = write("a.csv", "item,question,rater,answer", ("i", "1", "ann", "yes"))
    code, _, err = command("--scores", scores, "--preferences", answers)
    assert (code, "name it with --answers." in err) == (2, True)
