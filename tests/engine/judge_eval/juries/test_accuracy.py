"""The accuracies of members: from trials in the store, else those that ship with these weights."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.models.specs import read_models
from hallascope.data.records import CoI
from hallascope.engine.errors import StoreError
from hallascope.engine.judge_eval.ihalla import JudgeAnswer, Share, Trial, summarize_results
from hallascope.engine.judge_eval.juries.accuracy import (
    FILE,
    JURY,
    LEAST_ANSWERED,
    estimated_accuracies,
    measured_accuracies,
    member_accuracies,
    read_shipped_accuracies,
    smoothed_share,
)
from hallascope.engine.judge_eval.shipped import read_shipped_trials
from hallascope.engine.judge_eval.store import TrialStore
from hallascope.engine.storage.store import Store

COI: CoI = "counting"
N = 4 * LEAST_ANSWERED


def _trial(judge: str, wrong_every: int) -> Trial:
    """A trial of a judge that is wrong on every so manieth question."""
    said = ["wrong" if n % wrong_every == 0 else "right" for n in range(N)]
    answers = tuple(JudgeAnswer("p", str(n), COI, "right", own) for n, own in enumerate(said))
    plain = summarize_results(judge, [])
    return replace(plain, overall=Share(said.count("right"), N), answers=answers)


def test_an_accuracy_is_the_share_of_right_answers() -> None:
    assert measured_accuracies([_trial("a", 4)]) == {"a": smoothed_share(N * 3 // 4, N)}
    assert measured_accuracies([summarize_results("untried", [])]) == {}


def test_without_the_truth_the_better_judge_is_still_found() -> None:
    trials = [_trial("good", 20), _trial("fair", 7), _trial("poor", 3)]
    found = estimated_accuracies(trials)
    assert found["good"] > found["fair"] > found["poor"]
    assert estimated_accuracies(trials[:1]) == {}


def test_trials_of_the_store_go_before_what_ships(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "shipped.json"
    entry = '["{}", "{}", 90, 100, 60, "2026-11-26"]'
    file.write_text(f"[{entry.format('a', 'r1')}, {entry.format('b', 'old')}]")

    def find(rule: str = "weighted") -> dict[str, float]:
        return member_accuracies(store, rule, ["a", "b"], lambda judge: "r1", file)  # type: ignore[arg-type]

    assert find() == {"a": smoothed_share(90, 100)}, "of other weights nothing is known"
    TrialStore(store.folder).keep(_trial("a", 2))
    assert find() == {"a": smoothed_share(N // 2, N)}
    TrialStore(store.folder).keep(_trial("b", 5))
    assert find().keys() == find("dawid-skene").keys() == {"a", "b"}
    assert find() != find("dawid-skene")


def test_the_shipped_trial_of_the_embedded_judge_counts_too(store: Store, tmp_path: Path) -> None:
    shipped = read_shipped_trials()
    assert shipped is not None

    def find(revision: str) -> dict[str, float]:
        judges = ["primer/judge", "other"]
        return member_accuracies(
            store, "majority", judges, lambda judge: revision, tmp_path / "none.json"
        )

    right, asked = shipped.primer.overall.right, shipped.primer.overall.asked
    assert find(shipped.revision) == {"primer/judge": smoothed_share(right, asked)}
    assert find("other weights") == {}


def test_the_file_that_ships_names_the_members_of_the_embedded_jury() -> None:
    shipped = read_shipped_accuracies(FILE)
    assert {entry.judge for entry in shipped} == set(read_models()[JURY].members)
    assert all(0 <= entry.right <= entry.answered for entry in shipped)


def test_a_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{")
    with pytest.raises(StoreError, match=r"juries\.accuracy"):
        read_shipped_accuracies(damaged)
    assert read_shipped_accuracies(tmp_path / "none.json") == ()
