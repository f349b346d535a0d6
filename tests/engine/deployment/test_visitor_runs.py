"""Runs of visitors are kept apart and do not grow without end."""

from hallascope.engine.deployment import visitor_runs
from hallascope.engine.deployment.rate_limit import list_owner
from hallascope.engine.deployment.visitor_runs import VisitorRun, VisitorRuns

NUMBER = "0123456789abcdef" * 2


def test_what_is_noted_of_a_run_stays_when_it_is_asked_for_again() -> None:
    runs = VisitorRuns()
    runs.add("ann", "r", is_author=True)
    runs.change("ann", "r", name="Mine")
    runs.add("ann", "r", is_author=False)
    runs.change("ann", "r", is_pinned=True)
    assert runs.runs_of("ann") == {"r": VisitorRun(True, "Mine", True)}
    assert runs.is_sole_author("ann", "r")
    runs.change("bo", "r", name="Theirs")
    assert runs.runs_of("bo") == {}
    runs.add("bo", "r", is_author=False)
    assert not runs.is_sole_author("ann", "r")
    assert not runs.is_sole_author("bo", "r")
    runs.remove("ann", "r")
    assert (runs.runs_of("ann"), list(runs.runs_of("bo"))) == ({}, ["r"])


def test_nobody_in_particular_has_no_runs() -> None:
    runs = VisitorRuns()
    runs.add("", "r", is_author=True)
    assert runs.runs_of("") == {}


def test_the_oldest_are_forgotten_first() -> None:
    runs = VisitorRuns()
    for number in range(visitor_runs.MOST_RUNS + 1):
        runs.add("ann", str(number), is_author=True)
    assert len(runs.runs_of("ann")) == visitor_runs.MOST_RUNS
    assert "0" not in runs.runs_of("ann")


def test_a_list_belongs_to_a_login_else_to_a_browser_never_to_an_address() -> None:
    assert list_owner("Ann", "") == list_owner("ann", NUMBER)
    assert list_owner(None, NUMBER) == list_owner("", NUMBER) != ""
    assert list_owner(None, NUMBER) not in (list_owner(NUMBER, ""), NUMBER)
    for number in ("", "x", NUMBER.upper(), NUMBER + "0", NUMBER[:-1], f"{NUMBER}\n"):
        assert list_owner(None, number) == ""
