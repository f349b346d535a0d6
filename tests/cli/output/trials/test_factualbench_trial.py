"""The trial by T2I-FactualBench's criteria is printed with and without references."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.commands.trials import metric_trial
from hallascope.cli.output.trials import factualbench_trial
from tests.support import pair_judge


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    services = pair_judge.build(tmp_path)
    monkeypatch.setattr(metric_trial, "create_services", lambda: services)
    yield services
    services.store.close()


def test_the_command_prints_both_ways_and_the_drop(
    services: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert metric_trial.metric_trial("factualbench", count=4, eyes="perfect") == 0
    printed = capsys.readouterr().out
    for words in (
        "balanced accuracy",
        "texture",
        "Spearman",
        "the drop is",
        "perfect on 4 images",
        factualbench_trial.PUBLISHED,
    ):
        assert words in printed
    metric_trial.metric_trial("factualbench", count=4, eyes="perfect", as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert set(document) >= {"judge", "seen", "unseen", "drop", "pictures"}
    assert {row["criterion"] for row in document["seen"]["agreements"]} == {
        "shape",
        "color",
        "texture",
        "details",
    }


@pytest.mark.parametrize(
    ("judge", "says"), [("openai/gpt-4o", "cannot run here"), ("primer/exact", "is no judge")]
)
def test_a_judge_that_cannot_be_tried_is_one_sentence(services: Any, judge: str, says: str) -> None:
    with pytest.raises(Exception, match=says):
        metric_trial.metric_trial("factualbench", count=2, judge=judge, eyes="models")
