"""What `make torture` injects is what it says, and a sweep of a few images stands it."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest

from bench.torture import __main__ as command
from bench.torture import databases, handlers, inputs, promises, sweeps
from bench.torture.first_release import FIRST_RELEASE
from bench.torture.promises import CaseCounts, TestedPromise
from bench.torture.rows import TortureRow, TortureSetup
from bench.torture.service import FAULTS, RIGHT, choose_fault, right_letter
from bench.torture.sweeps import AccountTotal
from bench.torture.tested import PROMISES


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
        command.main(["--kills", "2", "--images", "2", "--only", "kills", "faults"])
    out = capsys.readouterr().out
    assert "18 kills; 480 evaluations equal" in out, "the figure of 0.1.0 stands beside it"
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


def test_the_bill_lies_between_what_is_certain_and_what_may_have_been_lost() -> None:
    account = AccountTotal(certain=1.0, unconfirmed=0.5)
    assert [account.fits(bill) for bill in (0.9, 1.0, 1.25, 1.5, 1.6)] == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_every_check_has_a_figure_of_the_first_release_and_no_figure_is_without_a_check() -> None:
    assert FIRST_RELEASE.keys() == command.CHECKS.keys()


@pytest.mark.parametrize("name", PROMISES)
def test_the_tests_that_hold_a_promise_are_there(name: str) -> None:
    assert promises.missing_tests(PROMISES[name]) == []


def test_a_promise_whose_test_is_missing_does_not_hold(tmp_path: Path) -> None:
    promise = TestedPromise("it holds", ("tests/test_app.py::test_that_nobody_wrote",))
    [row] = promises.check_promise(promise, _setup(tmp_path))
    assert row.holds is False
    assert row.measured == "not there: tests/test_app.py::test_that_nobody_wrote"


@pytest.mark.parametrize(
    ("counts", "counted"),
    [
        ({"tests": 5, "failures": 1, "errors": 1, "skipped": 1}, CaseCounts(2, 2, 1)),
        ({"tests": 0}, None),
    ],
)
def test_cases_are_counted_from_the_report_of_pytest(
    tmp_path: Path, counts: dict[str, int], counted: CaseCounts | None
) -> None:
    attributes = " ".join(f'{name}="{count}"' for name, count in counts.items())
    report = tmp_path / "tests.xml"
    report.write_text(f"<testsuites><testsuite {attributes}/></testsuites>")
    assert promises.read_report(report) == counted


def test_a_check_that_ends_in_an_error_is_a_row_that_does_not_hold() -> None:
    def fail(_: TortureSetup) -> list[TortureRow]:
        raise RuntimeError("The sweep ended.")

    options = command._parser().parse_args(["--quick"])
    [row] = command.run_check(fail, options)  # type: ignore[arg-type]
    assert (row.measured, row.holds) == ("RuntimeError: The sweep ended.", False)


def test_the_workbook_is_small_and_unpacks_to_much(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    inputs.write_workbook(path, 2**21)
    with ZipFile(path) as archive:
        assert archive.getinfo(inputs.SHEET).file_size > 2**20
    assert path.stat().st_size < 2**17


def test_what_a_person_is_told_is_one_sentence_and_no_traceback() -> None:
    assert databases.is_sentence("The store could not be read.\n")
    texts = ["", "One.\nTwo.", "Traceback (most recent call last)"]
    assert not any(map(databases.is_sentence, texts))


def test_the_end_of_an_answer_is_told_from_its_parts() -> None:
    lines = ['data: {"msg": "estimation"}', "", 'data: {"msg": "process_completed"}']
    assert [handlers._is_last(line) for line in lines] == [False, False, True]


def _setup(folder: Path) -> TortureSetup:
    return TortureSetup(folder, kills=1, embedded_kills=1, images=1)
