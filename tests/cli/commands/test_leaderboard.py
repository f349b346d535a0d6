"""`hallascope leaderboard` prints what the store says, marks what is published or the demo, and
complains in one sentence.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import State
from hallascope.engine.leaderboard import demo
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.store import Store
from tests.cli.conftest import assert_refused
from tests.support.filled_store import Said, keep


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The store of the command line, with two models on three prompts."""
    monkeypatch.setattr(demo, "FILE", tmp_path / "none.jsonl")
    store = Store(folder=tmp_path / "home")
    states: dict[str, tuple[tuple[State, State], ...]] = {
        "m/good": (("correct", "correct"), ("correct", "correct"), ("correct", "failed")),
        "m/bad": (("incorrect", "correct"), ("incorrect", "incorrect"), ("correct", "correct")),
    }
    for model, several in states.items():
        for prompt, said in zip(("a cat", "a dog", "a pizza"), several, strict=True):
            keep(store, Said(prompt, model, said, cois=("color", "shape"), run=f"of {prompt}"))
    yield store
    store.close()


@pytest.fixture
def document(command: Any, home: Store) -> Callable[..., dict[str, Any]]:
    """What the command prints for programs."""

    def read(*arguments: str) -> dict[str, Any]:
        result = command("leaderboard", *arguments, "--json")
        assert (result.code, result.err) == (0, "")
        found: dict[str, Any] = result.json
        return found

    return read


@pytest.fixture
def text(command: Any, home: Store) -> Callable[..., str]:
    """What the command prints for people."""

    def read(*arguments: str) -> str:
        result = command("leaderboard", *arguments)
        assert (result.code, result.err) == (0, "")
        return str(result.out)

    return read


def test_by_composition_of_interest_it_gives_value_n_interval_and_what_was_left_out(
    home: Store, document: Any, text: Any
) -> None:
    found = document("--by", "coi", "--metric", "ihalla")
    good = {row["coi"]: row for row in found["rows"] if row["model"] == "m/good"}
    assert {"model", "coi", "value", "n", "low", "high", "left_out"} <= set(good["shape"])
    assert (good["shape"]["value"], good["shape"]["n"], good["shape"]["left_out"]) == (1.0, 2, 1)
    assert found["demo"] is False
    assert "Published numbers of papers" in text("--by", "category", "--published")
    assert [row["value"] for row in found["rows"] if row["model"] == "m/bad"] == [
        pytest.approx(1 / 3),
        pytest.approx(2 / 3),
    ]


def test_models_come_best_first_and_two_are_compared_on_the_prompts_of_both(
    home: Store, document: Any, text: Any
) -> None:
    found = document("--compare", "m/good,m/bad")
    assert [row["model"] for row in found["rows"]] == ["m/good", "m/bad"]
    compared = found["compared"]
    assert (compared["value"], compared["n"]) == (0.5, 3)
    assert (compared["p"], compared["words"]) == (None, "too few prompts to tell")
    assert compared["interval_method"] == "linearized"


def test_all_pairs_are_compared_and_ranks_stand_beside_the_models(
    home: Store, document: Any, text: Any
) -> None:
    def keep_both(number: int) -> None:
        keep(home, Said(f"prompt {number}", "m/good", ("correct",) * 2, run=f"of {number}"))
        keep(home, Said(f"prompt {number}", "m/bad", ("incorrect",) * 2, run=f"of {number}"))

    for number in range(16):
        keep_both(number)
    assert {row["n"] for row in document()["rows"]} == {19}, "too few for ranks"
    assert {row["best_rank"] for row in document()["rows"]} == {None}
    keep_both(16)
    found = document()
    ranks = [(row["best_rank"], row["worst_rank"], row["letters"]) for row in found["rows"]]
    assert ranks == [(1, 1, "a"), (2, 2, "b")]
    (pair,) = found["comparisons"]["pairs"]
    assert (pair["n"], pair["flips"], pair["corrected_p"]) == (20, "drawn", pair["p"])
    assert pair["p"] < 0.05
    assert "Holm" in found["comparisons"]["method"]
    out = text()
    assert "Models that share a letter cannot be told apart" in out


def test_corrected_readings_are_told_below_the_table(home: Store, document: Any, text: Any) -> None:
    reading = PromptReading(prompt="a cat", source="person", author="Ann")
    keep(home, Said("a cat", "m/good", ("correct", "correct"), run="corrected", reading=reading))
    out = text()
    assert "What 1 prompt asks for was corrected by Ann. For 1 of them evaluations with" in out
    assert document()["corrected"] == {"prompts": 1, "authors": ["Ann"], "mixed": 1}


def test_corrected_says_how_many_labels_are_missing_and_then_what_people_would_give(
    home: Store, document: Any, text: Any
) -> None:
    out = text("--corrected", "--model", "m/good")
    assert "m/good: label 10 more prompts to correct its score." in out
    for i in range(12):
        said = Said(f"prompt {i}", "m/good", ("correct",), cois=("color",), run=f"r{i}")
        keep(home, said)
        about = RatingSubject(said.image, IHALLA, said.prompt, f"{QUESTION}0?", "Ann")
        home.ratings.keep(about, "No" if i < 6 else "Yes")
    out = text("--corrected", "--model", "m/good")
    assert "prediction-powered inference" in out
    assert "12 of 15" in out
    (row,) = document("--corrected", "--model", "m/good")["corrected_by_people"]
    assert row["score"]["value"] == pytest.approx(0.5)
    assert row["method"] == "prediction-powered"
    assert "corrected_by_people" not in document()
    assert "Labels on the Labels tab: 12 images by 1 person, judged here: 12." in out
    assert "hold only if the labeled prompts were drawn at random" in out


def test_a_saved_demo_shows_the_same_rows_where_a_store_is_empty_and_on_demand(
    home: Store,
    command: Any,
    document: Any,
    text: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "demo.jsonl"
    assert text("--save-demo", str(file)).startswith("3 prompts")
    assert document("--save-demo", str(file)) == {"written": 3, "file": str(file)}
    kept = {by: document("--by", by) for by in ("model", "coi", "category")}
    monkeypatch.setattr(demo, "FILE", file)
    assert document() == kept["model"], "own runs go before the demo"
    assert document("--shipped") == kept["model"] | {"demo": True}
    (tmp_path / "home").rename(tmp_path / "elsewhere")
    for by, before in kept.items():
        assert before["rows"]
        assert document("--by", by) == before | {"demo": True}
    assert "results that ship with the program" in text()


def test_what_is_wrong_is_one_sentence(home: Store, command: Any) -> None:
    cases = {
        ("--metric", "ihala"): "no metric 'ihala' here; did you mean 'ihalla'?",
        ("--score", "strikt"): "did you mean 'strict'?",
        ("--model", "m/goood"): "did you mean 'm/good'?",
        ("--run", "nothing"): "No run or sweep 'nothing' is stored here",
        ("--compare", "m/good"): "are not two models",
        ("--compare", "m/good,m/none"): "Nothing of 'm/none' is stored",
        ("--by", "coi", "--score", "strict"): "is of whole images, not of questions",
        ("--labels", "data/labelled/primer-diffusion"): "(there are 200) was judged",
        ("--labels", "nothing"): "cannot be opened",
    }
    assert_refused(command, *((("leaderboard", *words), said) for words, said in cases.items()))
