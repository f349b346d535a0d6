"""What `make torture` injects is what it says, and a sweep of a few images stands it."""

import re
import subprocess
import sys
from collections import Counter

import pytest

from bench.torture import __main__ as command
from bench.torture import databases, sweeps
from bench.torture.first_release import FIRST_RELEASE
from bench.torture.rows import TortureRow, TortureSetup
from bench.torture.service import FAULTS, RIGHT, choose_fault, right_letter
from bench.torture.sweeps import AccountTotal


def test_a_share_of_the_calls_fails_in_every_way_by_seed_question_and_number_alone() -> None:
    ends = [choose_fault(0.3, 1, f"{n:x}", 0) for n in range(2_000)]
    counts = Counter(ends)
    assert set(counts) == {RIGHT, *FAULTS}
    assert 1 - counts[RIGHT] / 2_000 == pytest.approx(0.3, abs=0.05)
    assert ends == [choose_fault(0.3, 1, f"{n:x}", 0) for n in range(2_000)]
    assert {right_letter("0a"), right_letter("0b")} == {"A", "B"}


@pytest.mark.full
def test_a_sweep_stands_kills_and_a_service_that_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--kills", "2", "--images", "2", "--only", "kills", "faults"])
    out = capsys.readouterr().out
    assert "18 kills; 480 evaluations equal" in out, "the figure of 0.1.0 stands beside it"
    assert "kill -9 at 2 of 2 random moments of a sweep over 6 images" in out
    assert "6 images, 6 evaluations, 30 verdicts: equal" in out
    assert re.search(r"of 10 verdicts \d+ are the same, \d+ left out, 0 wrong", out)
    assert ended.value.code == 0


@pytest.mark.full
def test_on_a_full_disk_a_sweep_says_one_sentence_and_no_traceback() -> None:
    command_line = [sys.executable, "-m", "bench.torture", "--only", "full-disk", "--images", "6"]
    ended = subprocess.run(
        command_line, cwd=sweeps.ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "could not be written" in ended.stdout
    assert "Traceback" not in ended.stderr


def test_the_bill_lies_between_what_is_certain_and_what_may_have_been_lost() -> None:
    account = AccountTotal(certain=1.0, unconfirmed=0.5)
    bills = {0.9: False, 1.0: True, 1.25: True, 1.5: True, 1.6: False}
    assert {bill: account.fits(bill) for bill in bills} == bills


def test_every_check_has_a_figure_of_the_first_release_and_no_figure_is_without_a_check() -> None:
    assert FIRST_RELEASE.keys() == command.CHECKS.keys()


def test_a_check_that_ends_in_an_error_is_a_row_that_does_not_hold() -> None:
    def fail(_: TortureSetup) -> list[TortureRow]:
        raise RuntimeError("The sweep ended.")

    options = command._parser().parse_args(["--quick"])
    [row] = command.run_check(fail, options)  # type: ignore[arg-type]
    assert (row.measured, row.holds) == ("RuntimeError: The sweep ended.", False)


def test_what_a_person_is_told_is_one_sentence_and_no_traceback() -> None:
    assert databases.is_sentence("The store could not be read.\n")
    texts = ["", "One.\nTwo.", "Traceback (most recent call last)"]
    assert not any(map(databases.is_sentence, texts))
