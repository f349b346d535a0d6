"""What `make torture` injects is what it says, and a sweep of a few images stands it."""

import re
import subprocess
import sys
from collections import Counter

import pytest

from bench.torture import __main__ as command
from bench.torture import sweeps
from bench.torture.service import FAULTS, RIGHT, choose_fault, right_letter


def test_a_share_of_the_calls_fails_and_every_way_comes() -> None:
    ends = Counter(choose_fault(0.3, 1, f"{n:x}", 0) for n in range(2_000))
    assert set(ends) == {RIGHT, *FAULTS}
    assert 1 - ends[RIGHT] / 2_000 == pytest.approx(0.3, abs=0.05)


def test_how_a_call_ends_depends_on_seed_question_and_number_alone() -> None:
    ends = [choose_fault(0.5, 1, "ab", number) for number in range(20)]
    assert ends == [choose_fault(0.5, 1, "ab", number) for number in range(20)]
    assert len(set(ends)) > 2


def test_questions_have_answers_of_their_own() -> None:
    assert {right_letter("0a"), right_letter("0b")} == {"A", "B"}


def test_a_sweep_stands_kills_and_a_service_that_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--kills", "2", "--images", "2"])
    out = capsys.readouterr().out
    assert "kill -9 at 2 of 2 random moments of a sweep over 6 images" in out
    assert re.search(r"6 images, 6 evaluations, 30 verdicts: equal", out)
    assert re.search(r"of 10 verdicts \d+ are the same, \d+ left out, 0 wrong", out)
    assert ended.value.code == 0


def test_on_a_full_disk_a_sweep_says_one_sentence_and_no_traceback() -> None:
    command_line = [sys.executable, "-m", "bench.torture", "--only", "full-disk", "--images", "6"]
    ended = subprocess.run(
        command_line, cwd=sweeps.ROOT, capture_output=True, text=True, check=False, timeout=240
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "could not be written" in ended.stdout
    assert "Traceback" not in ended.stderr
