"""Stray denials and redirects of a service cost a run no verdict, and a service that is down ends
it with one sentence.
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli import main
from tests.support.engine_fixtures import no_waits
from tests.support.service import KEY, Service, served

__all__ = ["no_waits"]
MODELS, QUESTIONS = ("primer/exact", "primer/careful"), 5
STRAYS = ("wrong_key", "not_allowed", "redirect")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Service]:
    """A service of OpenAI's kind, whose key is in the environment."""
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with served() as (address, found):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        yield found


def run(capsys: pytest.CaptureFixture[str], count: int, *more: str) -> tuple[int, str]:
    command = ["evaluate", "a molecule of methane", "--model", ",".join(MODELS)]
    with pytest.raises(SystemExit) as left:
        main.main([*command, "--judge", "openai/gpt-4.1", "--count", str(count), *more])
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out


@pytest.mark.parametrize("images, every", [(6, 20), pytest.param(60, 100, marks=pytest.mark.full)])
def test_stray_denials_and_redirects_cost_no_verdict(
    service: Service,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    images: int,
    every: int,
) -> None:
    """At full size one call in a hundred is denied or redirected."""
    needed = len(MODELS) * images * QUESTIONS
    numbers, strays = itertools.count(1), itertools.cycle(STRAYS)
    answer = service.answer

    def answer_or_stray(*request: Any) -> Any:
        if next(numbers) % every == every // 2:
            service.refuse(next(strays), 1)
        return answer(*request)

    monkeypatch.setattr(service, "answer", answer_or_stray)
    code, out = run(capsys, images, "--json")
    document = json.loads(out)
    refused = Counter(request.refusal for request in service.requests if request.refusal)
    assert refused.total() == needed // every
    assert set(refused) == set(STRAYS)
    assert len(service.requests) == needed + refused.total()
    assert (code, document["failures"]) == (0, [])
    assert sum(e["score"]["counted"] for e in document["evaluations"]) == needed
    assert document["spent"]["unconfirmed"] == 0
    written = [file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file()]
    assert written
    assert not [data for data in (out.encode(), *written) if KEY.encode() in data]


@pytest.mark.parametrize("fault", ["wrong_key", "unavailable"])
def test_a_judge_that_answers_nothing_ends_the_run_with_one_sentence_and_is_asked_for_the_rest(
    service: Service, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    needed = len(MODELS) * QUESTIONS
    service.refuse(fault)
    code, out = run(capsys, 1)
    assert code == 1
    (failed,) = [line for line in out.splitlines() if line.startswith("failed: ")]
    assert failed.endswith(f"({needed} times)")
    service.refuse(fault, 0)
    before = len(service.requests)
    assert run(capsys, 1)[0] == 0
    assert len(service.requests) - before == needed
    assert run(capsys, 2)[0] == 0
    assert len(service.requests) - before == 2 * needed
