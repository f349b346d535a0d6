"""A plan of a sweep: its items, its id, and every name that cannot stand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.prompt_reading import PromptReading
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.sweep.plan import plan, prepare_item
from hallascope.engine.sweep.spec import BadSpec
from hallascope.primer import scenes
from tests.support.sweep_services import SPEC


def test_items_are_every_prompt_with_every_row_of_seeds_in_order(begin: Any) -> None:
    planned = begin().planned(SPEC + "seeds: [0, 1, 7]\ninject: [text]")
    items = list(planned.items())
    assert [
        (item.position, item.request.prompt, item.request.seed, item.request.count)
        for item in items[:3]
    ] == [(0, "a ladybug", 0, 2), (1, "a ladybug", 7, 1), (2, "two tulips", 0, 2)]
    assert len(planned) == len(items) == 6
    assert planned.pictures == 3 * 2 * 3 * 2, "prompts, models, seeds, plain and injected"
    assert {item.request.inject for item in items} == {("text",)}


def test_another_order_title_or_store_of_the_same_is_told_from_other_work(begin: Any) -> None:
    world = begin()
    same = world.planned(
        SPEC + "title: Mine\nstore: 'sqlite:///elsewhere.db'\nbudget: 1\nseeds: [0]"
    ).id
    assert same == world.planned().id
    others = [
        SPEC + "trials: 2",
        SPEC + "seeds: [1]",
        SPEC.replace("a ladybug, ", ""),
        SPEC.replace("[ihalla]", "[]"),
    ]
    assert len({same, *(world.planned(other).id for other in others)}) == 5


def test_other_questions_for_a_prompt_make_another_sweep_and_those_for_others_do_not(
    begin: Any,
) -> None:
    world = begin()
    before = world.planned().id
    world.services.sets.save(scenes.parse("a honeybee").questions())
    assert world.planned().id == before
    own = scenes.parse("a ladybug").questions()
    world.services.sets.save(replace(own, questions=own.questions[:4]))
    assert world.planned().id != before


def test_a_correction_of_a_prompt_makes_another_sweep_where_a_metric_reads_prompts(
    begin: Any,
) -> None:
    world = begin()
    spec = SPEC.replace("[ihalla]", "[ihalla, tifa]")
    before = world.planned().id
    of_both = world.planned(spec).id
    readings = world.services.store.readings
    readings.keep(PromptReading(prompt="a honeybee"), "Ann")
    assert world.planned(spec).id == of_both
    readings.keep(PromptReading(prompt="a ladybug"), "Ann")
    assert world.planned(spec).id != of_both
    assert world.planned().id == before


def test_another_wording_is_another_sweep_and_every_item_is_sent_it(
    begin: Any, tmp_path: Path
) -> None:
    lab = tmp_path / "lab"
    lab.mkdir()
    (lab / "ihalla_ask.txt").write_text("{question} {choices}", encoding="utf-8")
    world = begin()
    ours = world.planned()
    own = world.planned(f"{SPEC}wording: {lab}")
    assert world.planned(f"{SPEC}wording: ours").id == ours.id
    assert own.id != ours.id
    assert {item.request.wording for item in own.items()} == {str(lab)}
    with pytest.raises(BadSpec, match=r"line \d+: There is no pack of wordings 'nowhere'"):
        world.planned(f"{SPEC}wording: nowhere")


def test_readings_that_are_given_go_to_the_items_of_their_prompts(begin: Any) -> None:
    world = begin()
    reading = PromptReading(prompt="two tulips", source="person", author="Ann")
    before = world.planned(SPEC.replace("[ihalla]", "[tifa]"))
    given = plan(before.spec, world.services, SpendingPolicy(), {reading.prompt: reading})
    assert given.id != before.id
    readings = {item.request.prompt: item.request.reading for item in given.items()}
    assert readings.pop("two tulips") == reading
    assert set(readings.values()) == {None}
    assert {item.request.reading for item in before.items()} == {None}


def test_names_that_cannot_stand_are_told_with_their_lines(begin: Any) -> None:
    said = (
        SPEC.replace("scripted/two", "scripted/tow").replace("[ihalla]", "[ihalla, fgi]")
        + "lineup: {writer: scripted/one}\n"
    )
    with pytest.raises(BadSpec) as bad:
        begin().planned(said)
    assert [fault.line for fault in bad.value.faults] == [3, 4, 6]
    assert "did you mean 'scripted/two'?" in bad.value.faults[0].said


def test_a_metric_whose_role_nobody_fills_is_told_at_the_line_of_the_metrics(begin: Any) -> None:
    with pytest.raises(BadSpec) as bad:
        begin().planned(SPEC.replace("[ihalla]", "[llmscore]"))
    (fault,) = bad.value.faults
    assert fault.line == 4
    assert "needs a writer and none is chosen" in fault.said


def test_an_item_that_cannot_be_begun_is_a_sentence_and_a_store_that_is_gone_an_error(
    begin: Any,
) -> None:
    world = begin()
    (item, *_) = world.planned().items()

    def raises(error: Exception) -> Any:
        def retry(prepare: Any) -> Any:
            raise error

        return retry

    def prepared(retry: Any) -> Any:
        return prepare_item(item, world.services, SpendingPolicy(), retry)

    assert prepared(raises(BadRequest("The prompt is empty."))) == "The prompt is empty."
    assert prepared(lambda prepare: prepare()).request.prompt == "a ladybug"
    with pytest.raises(StoreError):
        prepared(raises(StoreError("The disk is full.")))
