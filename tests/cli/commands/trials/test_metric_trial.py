"""Tests the refusals of `hallascope metric-trial`; its tables are tested with the trial."""

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fig", "--eyes", "weary"), "There are no eyes 'weary': choose models or perfect."),
        (("nothing",), "'nothing'"),
        (("fig", "--detector", "primer/nobody"), "primer/nobody"),
        (("clipscore",), "needs a embedder"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    command: Any, arguments: tuple[str, ...], words: str
) -> None:
    result = command("metric-trial", *arguments, "--count", 2)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert words in result.err


def test_perfect_eyes_miss_nothing(command: Any) -> None:
    result = command("metric-trial", "fig", "--count", 2, "--eyes", "perfect", "--json")
    assert result.code == 0
    assert result.json["pictures"] == 2
