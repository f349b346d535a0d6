"""A list of runs: of everybody on one's own machine, of one visitor alone on a public app."""

from typing import Any

import pytest

from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.events import EvaluateRequest, Queued
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.labeling.queue import keep
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run_history.history import RunHistory
from hallascope.engine.services import Services
from hallascope.engine.storage.owners import NotYours
from hallascope.engine.storage.store import PictureSlot
from hallascope.engine.sweep.store import SweepStore

METHANE = EvaluateRequest(prompt="a molecule of methane", models=("primer/exact", "primer/hasty"))


def evaluate(services: Services, request: EvaluateRequest = METHANE, owner: str = "") -> str:
    visitor = Visitor(owner, owner) if owner else None
    events = list(services.evaluate(request, terms=SpendingPolicy(visitor=visitor)))
    return next(event.run for event in events if isinstance(event, Queued))


def history_of(services: Services, owner: str) -> RunHistory:
    return RunHistory(services.acting_for(Visitor(owner, owner)))


def test_a_run_is_called_by_its_prompt_until_it_gets_a_name(services: Any) -> None:
    run = evaluate(services)
    history = RunHistory(services)
    assert history.find(run[:6]).name == METHANE.prompt
    assert history.rename(run, " My  first ").name == "My first"
    assert [each.name for each in history.list("my f").runs] == ["My first"]
    assert history.rename(run, "").name == METHANE.prompt
    with pytest.raises(BadRequest, match="name of a run has 121 characters: shorten it to 120"):
        history.rename(run, "x" * 121)


def test_a_sweep_is_called_by_its_first_prompt_until_a_person_names_it(services: Any) -> None:
    sweeps = SweepStore(services.store.database)
    sweeps.start("s", "", "{}", 3)
    slot = PictureSlot(id="g", prompt="a", model="m", revision="1", seed=0, settings={})
    for position, prompt in enumerate(("a cat", "a dog", "a cow")):
        services.store.start_run(prompt, EvaluateRequest(prompt=prompt), [slot])
        sweeps.begin_item("s", position, prompt, prompt)
    history = RunHistory(services)
    assert history.find("s").name == "a cat + 2 more"
    sweeps.start("s", "Cats and dogs", "{}", 3)
    assert history.find("s").name == "Cats and dogs"
    assert history.rename("s", "Pets").name == "Pets"


def test_a_removal_says_what_goes_and_what_stays(services: Any) -> None:
    first = evaluate(services)
    evaluate(services, EvaluateRequest(prompt=METHANE.prompt, models=("primer/exact",)))
    history = RunHistory(services)
    planned = history.describe_removal(first).sentence
    for told in (METHANE.prompt, "2 evaluations, 10 verdicts and 1 image.", "1 image that other"):
        assert told in planned
    assert history.delete(first).sentence == planned
    assert history.list().total == 1
    with pytest.raises(UnknownRun):
        history.delete(first)


def test_a_run_is_deleted_with_its_part_of_the_plans_of_others(services: Any) -> None:
    run = evaluate(services, owner="ann")
    other = evaluate(services, EvaluateRequest(prompt="a ladybug", models=("primer/exact",)))
    bo = services.acting_for(Visitor("bo", "bo"))
    mixed, lost = create_plan(bo, title="mixed"), create_plan(bo, run=run)
    assert len(mixed.images) == 3
    item = next(image.item for image in mixed.images if image.item.startswith(run))
    keep(bo, mixed, item, ["A"] * 5, "Bo")
    ann = history_of(services, "ann")
    said = ann.describe_removal(run).sentence
    assert f"The labeling plan {mixed.id} loses 2 images and their labels." in said
    assert ann.delete(run).sentence == said
    assert not services.store.has_run(run)
    left = bo.store.labeling.plan(mixed.id).images
    assert {image.item.partition(":")[0] for image in left} == {other}
    assert sum(image.probability for image in left) == 1
    assert bo.store.labeling.records(mixed.id) == []
    assert [plan.id for plan in bo.store.labeling.plans()] == [mixed.id]
    with pytest.raises(BadRequest):
        bo.store.labeling.plan(lost.id)


@pytest.mark.parametrize("others", [(), ("bo",)])
def test_a_deleted_run_comes_back_without_its_name(services: Any, others: tuple[str, ...]) -> None:
    run = evaluate(services, owner="ann")
    for other in others:
        evaluate(services, owner=other)
    ann = history_of(services, "ann")
    ann.pin(run, True)
    ann.rename(run, "Mine")
    ann.delete(run)
    evaluate(services, owner="ann")
    again = ann.find(run)
    assert (again.name, again.is_pinned) == (METHANE.prompt, False)


def test_a_run_that_another_asks_for_while_it_is_deleted_stays(
    services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = evaluate(services, owner="ann")
    ann = history_of(services, "ann")
    plan = create_plan(services, run=run)
    removal = ann.describe_removal(run)
    evaluate(services, owner="bo")
    monkeypatch.setattr(ann, "describe_removal", lambda _: removal)
    with pytest.raises(NotYours, match="Others have this run now"):
        ann.delete(run)
    assert services.store.labeling.plan(plan.id) == plan
    assert len(services.store.evaluations(run)) == 2
    assert [each.id for each in ann.list().runs] == [run]


def test_services_that_act_for_a_visitor_evaluate_for_that_visitor(services: Any) -> None:
    ann = services.acting_for(Visitor("ann", "ann"))
    run = evaluate(ann)
    assert [each.id for each in RunHistory(ann).list().runs] == [run]
    _, driver, _ = ann.bind([("primer/judge", "judge")])
    assert driver._cache.database.visitor == ann.visitor


def test_a_visitor_sees_and_changes_their_own_runs_alone(services: Any) -> None:
    run = evaluate(services, owner="ann")
    ann, bo = history_of(services, "ann"), history_of(services, "bo")
    assert [each.id for each in ann.list().runs] == [run]
    assert bo.list().total == 0
    calls: list[tuple[Any, tuple[Any, ...]]] = [
        (bo.find, ()),
        (bo.rename, ("mine",)),
        (bo.pin, (True,)),
        (bo.describe_removal, ()),
        (bo.delete, ()),
    ]
    for forbidden, more in calls:
        with pytest.raises(UnknownRun, match="No run"):
            forbidden(run, *more)
    assert services.store.has_run(run)
    assert RunHistory(services).find(run).name == METHANE.prompt


def test_a_sweep_of_the_operator_takes_no_run_off_a_visitors_list(services: Any) -> None:
    run = evaluate(services, owner="ann")
    sweeps = SweepStore(services.store.database)
    sweeps.start("s", "", "{}", 1)
    sweeps.begin_item("s", 0, evaluate(services), METHANE.prompt)
    ann, bo = history_of(services, "ann"), history_of(services, "bo")
    assert [each.id for each in ann.list().runs] == [run]
    assert ann.pin(run, True).is_pinned
    assert [each.id for each in RunHistory(services).list().runs] == ["s"]
    with pytest.raises(UnknownRun, match="No run"):
        bo.find(run)


def test_a_run_of_two_visitors_is_deleted_for_the_one_who_deletes_it(services: Any) -> None:
    run = evaluate(services, owner="ann")
    assert evaluate(services, owner="bo") == run
    ann, bo = history_of(services, "ann"), history_of(services, "bo")
    ann.rename(run, "Ann's")
    ann.pin(run, True)
    assert (bo.find(run).name, bo.find(run).is_pinned) == (METHANE.prompt, False)
    assert [each.name for each in ann.list("ann's").runs] == ["Ann's"]
    assert ann.delete(run).count is None
    assert ann.list().total == 0
    assert bo.find(run).id == run
    assert bo.delete(run).count is None, "Bo did not make it"
    assert services.store.has_run(run)
