"""A judge tried by HaloQuest's questions: what it invents is wrong, what is missing is named, and
people's verdicts are set beside.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli import main
from hallascope.cli.commands.trials import judge_trial
from hallascope.engine.judge_eval.haloquest import BY_RULE
from tests.support.halo_trials import services_on, write_table


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path)


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.setattr(judge_trial, "create_services", lambda: services_on(tmp_path))

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main.main(("judge-trial", *arguments))
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


def halo(table: Path, *more: str) -> tuple[str, ...]:
    return (
        "--judge",
        "scripted/judge",
        "--benchmark",
        "haloquest",
        "--path",
        str(table),
        "--pictures",
        str(table.parent / "pictures"),
        *more,
    )


def test_the_released_questions_are_asked_and_graded_and_a_missing_picture_is_named(
    command: Any, table: Path
) -> None:
    code, out, _ = command(*halo(table, "--grader", "scripted/grader", "--json"))
    document = json.loads(out)
    assert code == 1  # a picture is missing
    assert [(row["source"], row["state"]) for row in document["questions"]] == [
        ("haloquest-eval.csv:2", "incorrect"),
        ("haloquest-eval.csv:3", "correct"),
        ("haloquest-eval.csv:4", "failed"),
    ]
    assert document["questions"][0]["references"] == ["There is no bee."]
    overall = document["answered"]["overall"]
    assert (overall["value"], overall["n"], overall["left_out"]) == (0.5, 2, 1)
    assert document["published"]["overall"]["value"] == pytest.approx(1 / 3)
    assert document["left_out"] == {
        "haloquest-eval.csv:4": (
            "The image 'gone.png' is missing: put it into the folder of images, or allow downloads."
        )
    }
    assert document["grader"] == "scripted/grader"


def test_for_people_every_slice_has_its_interval_and_what_is_left_out_its_sentence(
    command: Any, table: Path
) -> None:
    _, out, _ = command(*halo(table))
    assert "graded by rule" in out
    for words in (
        "overall",
        "generated",
        "false premises",
        "insufficient context",
        "95 % interval",
        "'gone.png' is missing",
    ):
        assert words in out


def test_a_judge_that_is_down_has_no_score(command: Any, table: Path) -> None:
    code, out, _ = command(*halo(table, "--json", "--judge", "scripted/down"))
    overall = json.loads(out)["answered"]["overall"]
    assert (code, overall["value"], overall["left_out"]) == (1, None, 3)


def test_replies_given_elsewhere_are_graded_and_set_beside_people(
    command: Any, table: Path
) -> None:
    replies = table.parent / "replies.csv"
    replies.write_text(
        "item,reply,value\nhaloquest-eval.csv:2,There is no"
        " bee.,1\nhaloquest-eval.csv:3,four,1\nhaloquest-eval.csv:4,It cannot be"
        " told.,\nhaloquest-eval.csv:9,x,1\nhaloquest-eval.csv:4,again,1\n",
        encoding="utf-8",
    )
    code, out, _ = command(*halo(table, "--replies", str(replies), "--json"))
    document = json.loads(out)
    assert [row["state"] for row in document["questions"]] == ["correct", "incorrect", "correct"]
    assert (document["judge"], code) == ("", 1)
    assert document["agreement_with_people"] == {
        "value": 0.0,
        "agreement": 0.5,
        "n": 2,
        "left_out": 1,
        "low": None,
        "high": None,
        "interval_method": None,
    }
    assert [(complaint["file"], complaint["row"]) for complaint in document["complaints"]] == [
        ("replies.csv", 5),
        ("replies.csv", 6),
    ]
    assert "Cohen's kappa" in command(*halo(table, "--replies", str(replies)))[1]


def test_a_sample_is_drawn_by_the_seed(command: Any, table: Path) -> None:
    first, again = (command(*halo(table, "--sample", "2", "--json"))[1] for _ in range(2))
    assert first == again
    assert len(json.loads(first)["questions"]) == 2


def test_the_judge_is_tried_on_primer_s_own_questions(command: Any) -> None:
    code, out, _ = command(
        "--judge", "scripted/judge", "--benchmark", "primer-halo", "--sample", "9", "--json"
    )
    document = json.loads(out)
    assert (code, document["grader"], document["answered"]["overall"]["n"]) == (0, BY_RULE, 9)
    assert set(document["answered"]["by_hallucination_type"]) == {
        "false premises",
        "visual challenge",
        "insufficient context",
    }


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--benchmark", "haloquest"), "name its file or folder with --path"),
        (("--benchmark", "haloquest", "--path", "nowhere.csv"), "cannot be opened"),
        (
            ("--benchmark", "haloquest", "--path", "x.csv", "--pictures", "nowhere"),
            "There is no folder 'nowhere'",
        ),
        (
            ("--benchmark", "primer-halo", "--judge", "scripted/judg"),
            "did you mean 'scripted/judge'?",
        ),
        (("--benchmark", "primer-halo", "--grader", "scripted/judge"), "is no writer"),
    ],
)
def test_a_wrong_request_is_exit_code_2_and_one_sentence(
    command: Any, more: tuple[str, ...], words: str
) -> None:
    code, out, err = command("--judge", "scripted/judge", *more)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_words_shared_with_the_references_stand_beside_people(command: Any, table: Path) -> None:
    replies = table.parent / "replies.csv"
    replies.write_text(
        "item,reply,value\nhaloquest-eval.csv:2,There is no bee.,1\nhaloquest-eval.csv:3,Four,0\n"
        "haloquest-eval.csv:4,It cannot be told.,1\n",
        encoding="utf-8",
    )
    _, out, _ = command(*halo(table, "--replies", str(replies), "--json"))
    overlap = json.loads(out)["text_overlap"]
    assert set(overlap) == {"bleu", "rouge_l", "meteor", "cider", "chrf"}
    assert overlap["rouge_l"]["mean"] == pytest.approx(2 / 3)
    assert overlap["rouge_l"]["rated"] == 3
    assert overlap["rouge_l"]["pearson"]["value"] == pytest.approx(1)
    _, text, _ = command(*halo(table, "--replies", str(replies)))
    assert "words shared with the references" in text
    assert "Pearson's r with people" in text


def test_a_simpler_auto_eval_is_named_beside_its_verdicts(command: Any, table: Path) -> None:
    _, out, _ = command(*halo(table, "--grader", "scripted/grader", "--auto-eval", "schema"))
    assert "graded by scripted/grader (simple schema)" in out


def test_an_auto_eval_that_is_not_there_is_refused(command: Any, table: Path) -> None:
    code, _, err = command(*halo(table, "--auto-eval", "guess"))
    assert code == 2
    assert "There is no implementation 'guess' of Auto-Eval: choose reasoned, schema, text." in err
