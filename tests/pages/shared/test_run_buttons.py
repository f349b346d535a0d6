"""A visitor has one run at a time, and can stop it."""

from hallascope.pages.shared import run_buttons


def test_a_visitor_has_one_run_at_a_time_and_stop_reaches_it_also_while_it_waits_its_turn() -> None:
    held = run_buttons.StopSignals()
    assert held.start("me") is None, "nothing was asked for"
    held.ask("me")
    held.stop("me")
    waited = held.start("me")
    assert waited is not None
    assert waited.is_set()
    held.ask("me")
    assert held.start("me") is None, "one is in progress"
    held.ask("you")
    other = held.start("you")
    assert other is not None
    assert not other.is_set()
    held.end("me")
    held.ask("me")
    again = held.start("me")
    assert again is not None
    assert not again.is_set()


def test_who_left_while_they_waited_is_forgotten_and_who_runs_is_not() -> None:
    held = run_buttons.StopSignals()
    held.ask("runs")
    held.start("runs")
    for number in range(run_buttons.MAX_REQUESTS + 1):
        held.ask(f"left {number}")
    assert held.start("left 0") is None
    assert held.start("left 1") is not None
    assert held.is_running("runs")
    held.stop("runs")
