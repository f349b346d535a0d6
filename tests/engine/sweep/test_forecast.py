"""What a sweep is going to ask is known before it asks, and is what it then asks.

The command says both.
"""

import json
import os
import signal
from collections import Counter
from typing import Any

import pytest

from hallascope.cli import main
from hallascope.cli.commands import sweep as command
from hallascope.data.models.specs import Price
from hallascope.data.requests import Ask
from hallascope.engine.events import Evaluated
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.sweep.forecast import Forecast, forecast
from hallascope.engine.sweep.store import ModelSpeedStore
from tests.support.sweep_services import ANSWERS, EVALUATIONS, PICTURES, SPEC, World


def counted(world: World, text: str = SPEC) -> Forecast:
    return forecast(world.planned(text), world.services, SpendingPolicy())


def calls(found: Forecast) -> dict[str, int]:
    return {line.model: line.calls for line in found.lines}


# --- counting
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["", "trials: 2", "seeds: [0, 5]", "judge: none"])
def test_a_dry_run_counts_what_a_run_then_asks(begin: Any, more: str) -> None:
    text = SPEC.replace("judge: scripted/judge", more) if "judge" in more else f"{SPEC}{more}"
    world = begin()
    found = counted(world, text)
    assert world.asked() == {}
    _, ended = world.run(text)
    assert calls(found) == world.asked()
    assert (found.sweep, found.pictures, found.evaluations) == (
        ended.sweep,
        ended.totals.pictures,
        ended.totals.evaluations,
    )


@pytest.mark.parametrize("after", [1, 4])
def test_a_dry_run_leaves_out_what_is_there_already(begin: Any, after: int) -> None:
    world = begin()
    events = world.sweep().events()
    for _ in range(after):
        while not isinstance(next(events), Evaluated):
            pass
    events.close()
    before, found = Counter(world.asked()), counted(world)
    assert 0 < found.pictures + found.evaluations < PICTURES + EVALUATIONS
    world.run()
    assert calls(found) == Counter(world.asked()) - before
    assert counted(world).lines == ()


def test_images_that_their_model_cannot_draw_are_counted_apart(begin: Any) -> None:
    text = SPEC.replace("a ladybug", "a unicorn on a surfboard").replace(
        "scripted/two", "primer/exact"
    )
    world = begin()
    found = counted(world, text)
    _, ended = world.run(text)
    assert (found.pictures, found.undrawable) == (ended.totals.pictures, 1)
    assert found.evaluations == ended.totals.evaluations
    assert calls(found)["primer/exact"] == 2


def test_what_is_asked_about_no_picture_is_counted_once(begin: Any) -> None:
    text = SPEC.replace("[ihalla]", "[clipscore]") + "lineup: {embedder: scripted/eye}"
    world = begin()
    found = counted(world, text)
    world.run(text)
    assert world.asked()["scripted/eye"] == PICTURES + 3, (
        "a vector of each image and of each prompt"
    )
    assert calls(found) == world.asked()


def test_time_is_that_of_the_pace_and_money_that_of_the_prices(begin: Any) -> None:
    world = begin(price=Price("2026-01-01", picture=0.1))
    ModelSpeedStore(world.store.database).add(
        [("scripted/one", "generator", 10, 20.0), ("scripted/judge", "judge", 10, 1.0)]
    )
    found = counted(world)
    lines = {line.model: line for line in found.lines}
    assert lines["scripted/one"].seconds == pytest.approx(3 * 2.0)
    assert lines["scripted/judge"].seconds == pytest.approx(ANSWERS * 0.1)
    assert found.unmeasured == ("scripted/two",)
    assert found.seconds == pytest.approx(max(3 * 2.0, ANSWERS * 0.1)), (
        "a service works beside what runs here"
    )
    assert found.amount == pytest.approx(0.1 * PICTURES)
    assert lines["scripted/judge"].amount == 0


# --- the command
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def world(begin: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    made: World = begin()
    monkeypatch.setattr(command, "create_services", lambda url=None: made.services)
    (made.folder / "sweep.yaml").write_text(SPEC)
    return made


def left(world: World, *options: str) -> Any:
    with pytest.raises(SystemExit) as end:
        main.main(["sweep", str(world.folder / "sweep.yaml"), *options])
    return end.value.code


def test_the_command_says_what_a_sweep_takes_and_what_came_of_it(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert left(world, "--dry-run") == 0
    before = capsys.readouterr().out
    for told in (f"{PICTURES} images and {EVALUATIONS} evaluations", f"judge      {ANSWERS}"):
        assert told in before
    assert "3 prompts are too few to tell models apart" in before
    said = []
    for _ in range(2):
        assert left(world, "--json") == 0
        said.append({**json.loads(capsys.readouterr().out), "seconds": 0})
    assert said[0] == said[1]
    counts = ("items", "done", "pictures", "evaluations", "failures", "complaints", "stopped")
    found = [said[0][name] for name in counts]
    assert found == [3, 3, PICTURES, EVALUATIONS, [], [], False]
    assert said[0]["spent"] == {"amount": 0.0, "unconfirmed": 0.0, "currency": "USD"}
    assert left(world) == 0
    assert f"3 of 3 prompts done, {PICTURES} images" in capsys.readouterr().out
    assert left(world, "--dry-run", "--json", "--budget", "2") == 0
    after = json.loads(capsys.readouterr().out)
    assert (after["done"], after["pictures"], after["calls"]) == (3, 0, [])


def test_what_is_wrong_is_told_with_file_and_line_and_failures_by_the_exit_code(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    path = world.folder / "sweep.yaml"
    path.write_text(SPEC.replace("ihalla", "ihala"))
    assert left(world, "--json") == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"{path}, line 4: ")
    path.write_text(SPEC)
    assert left(world, "--engine", "abacus") == 2
    assert "'local', 'ray'" in capsys.readouterr().err
    path.write_text(
        SPEC.replace("scripted/two", "primer/exact").replace("a ladybug", "the meaning of it all")
    )
    assert left(world, "--json") == 1
    (failed,) = json.loads(capsys.readouterr().out)["failures"]
    assert (failed["prompt"], failed["failures"]) == ("the meaning of it all", 1)
    assert failed["note"].startswith("primer/exact seed 0: The Primer models cannot draw")


def test_ctrl_c_keeps_what_is_there_and_the_same_command_goes_on(
    begin: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pressed: list[str] = []

    def press(ask: Ask) -> str:
        if not pressed:
            pressed.append(ask.question)
            os.kill(os.getpid(), signal.SIGINT)
        return f"A) {ask.choices[0]}"

    world = begin(says=press)
    monkeypatch.setattr(command, "create_services", lambda url=None: world.services)
    (world.folder / "sweep.yaml").write_text(SPEC)
    before = signal.getsignal(signal.SIGINT)
    assert left(world, "--json") == 130
    out, err = capsys.readouterr()
    assert json.loads(out)["stopped"] is True
    assert err == "Stopped. Run the same command to continue.\n"
    assert signal.getsignal(signal.SIGINT) == before
    assert left(world, "--json") == 0
    assert json.loads(capsys.readouterr().out)["evaluations"] == EVALUATIONS
