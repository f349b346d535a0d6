"""What a service bills is what the account says, and never more than the cap: over processes,
threads and kills.
"""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hallascope.engine.storage.ledger import NANO
from hallascope.engine.storage.store import Store
from tests.support.billed_services import AT_ONCE, COST, Bill, served
from tests.support.billing_server import PICTURES, QUESTIONS, evaluate
from tests.support.threads import PATIENCE, run_at_once

ROOT = Path(__file__).parents[3]
NEEDED = PICTURES * QUESTIONS


def start(folder: Path, address: str, cap: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.support.billing_server", str(folder), address, str(cap)]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def bill() -> Bill:
    return Bill()


def account(folder: Path) -> tuple[float, float]:
    """The account, and what of it a service has confirmed."""
    store = Store(folder=folder)
    spent, unconfirmed = store.ledger.day(), store.ledger.account("").day_unconfirmed / NANO
    store.close()
    return spent, spent - unconfirmed


@pytest.mark.full
def test_the_account_of_two_processes_and_a_kill_is_what_the_service_billed(
    tmp_path: Path, bill: Bill
) -> None:
    Store(folder=tmp_path).close()
    with served(bill) as address:
        running = [start(tmp_path, address, 5.0) for _ in range(2)]
        assert bill.wait_for(NEEDED // 2, PATIENCE)
        running[0].send_signal(signal.SIGKILL)
        running[0].communicate(timeout=PATIENCE)
        _, said = running[1].communicate(timeout=PATIENCE)
    assert (running[1].returncode, said) == (0, "")
    assert len(bill.asked) == NEEDED
    # each process may ask each question; and what was in flight at the kill is asked again
    assert bill.twice <= NEEDED + 2 * AT_ONCE - 1
    spent, certain = account(tmp_path)
    assert certain - 1e-9 <= bill.amount <= spent + 1e-9


@pytest.mark.full
def test_two_processes_stay_within_the_cap_together(tmp_path: Path, bill: Bill) -> None:
    Store(folder=tmp_path).close()
    cap = 20 * COST
    with served(bill) as address:
        running = [start(tmp_path, address, cap) for _ in range(2)]
        said = [process.communicate(timeout=PATIENCE)[1] for process in running]
    assert said == ["", ""]
    spent, _ = account(tmp_path)
    assert 0 < bill.amount <= spent + 1e-9
    assert spent <= cap + 1e-9


def test_two_runs_of_one_process_that_ask_the_same_at_once_pay_for_it_once(
    tmp_path: Path, bill: Bill
) -> None:
    bill.delay = 0.05
    with served(bill) as address:
        ended = run_at_once(*[lambda: evaluate(tmp_path, address, 5.0)] * 2)
    assert [(end.evaluations, end.failures) for end in ended] == [(PICTURES, 0)] * 2
    assert (bill.calls, bill.twice) == (NEEDED, 0)
    assert account(tmp_path)[0] == pytest.approx(bill.amount)
