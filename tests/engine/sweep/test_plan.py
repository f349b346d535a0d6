"""A plan of a sweep: its prompts from everywhere, its items, its id, and every name that cannot
stand.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files import question_files
from hallascope.data.prompt_reading import PromptReading
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.sweep.plan import plan
from hallascope.engine.sweep.prompts import GatheredPrompts, gather
from hallascope.engine.sweep.spec import BadSpec
from hallascope.engine.sweep.spec_reader import parse
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


def test_a_sweep_is_the_same_as_long_as_its_work_and_the_questions_of_its_prompts_are(
    begin: Any,
) -> None:
    world = begin()
    mine = SPEC + "title: Mine\nstore: 'sqlite:///elsewhere.db'\nbudget: 1\nseeds: [0]"
    same = world.planned().id
    assert world.planned(mine).id == same
    others = [
        SPEC + "trials: 2",
        SPEC + "seeds: [1]",
        SPEC.replace("a ladybug, ", ""),
        SPEC.replace("[ihalla]", "[]"),
    ]
    assert len({same, *(world.planned(other).id for other in others)}) == 5
    world.services.sets.save(scenes.parse("a honeybee").questions())
    assert world.planned().id == same
    own = scenes.parse("a ladybug").questions()
    world.services.sets.save(replace(own, questions=own.questions[:4]))
    assert world.planned().id != same


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


def test_names_that_cannot_stand_are_told_with_their_lines(begin: Any) -> None:
    said = (
        SPEC.replace("scripted/two", "scripted/tow").replace("[ihalla]", "[ihalla, fgi]")
        + "lineup: {writer: scripted/one}\n"
    )
    with pytest.raises(BadSpec) as bad:
        begin().planned(said)
    assert [fault.line for fault in bad.value.faults] == [3, 4, 6]
    assert "did you mean 'scripted/two'?" in bad.value.faults[0].said


def gathered(tmp_path: Path, prompts: str, kept: list[Any] | None = None) -> GatheredPrompts:
    saved = [] if kept is None else kept
    return gather(parse(f"prompts:\n{prompts}\nmodels: [m]", tmp_path / "sweep.yaml"), saved.append)


def test_prompts_of_several_sources_come_in_order_and_each_once(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("a dog\n\na  cat\na bird\n")
    (tmp_path / "color_val.txt").write_text("a red car\na green bench.\n")
    found = gathered(tmp_path, "- a cat\n- file: mine.txt\n- t2i-compbench: color_val.txt\n- a dog")
    assert [entry.prompt for entry in found.entries] == [
        "a cat",
        "a dog",
        "a bird",
        "a red car",
        "a green bench.",
    ]
    assert found.complaints == []
    alone = gather(parse("prompts: mine.txt\nmodels: [m]", tmp_path / "sweep.yaml"), print)
    assert [entry.prompt for entry in alone.entries] == ["a dog", "a cat", "a bird"]


def test_a_sample_is_the_same_every_time_and_a_larger_one_holds_it(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("\n".join(f"prompt {n}" for n in range(50)))

    def sample(size: int) -> set[str]:
        source = f"- file: {{path: mine.txt, sample: {size}, seed: 7}}"
        return {entry.prompt for entry in gathered(tmp_path, source).entries}

    assert sample(5) == sample(5)
    assert sample(5) < sample(20)


def test_a_small_sample_of_primer_is_no_list_of_its_first_concepts(tmp_path: Path) -> None:
    from hallascope.primer import scenes

    chosen = [entry.prompt for entry in gathered(tmp_path, "- primer: {count: 6}").entries]
    assert len(chosen) == 6
    assert set(chosen) <= set(scenes.benchmark(200))
    assert chosen != list(scenes.benchmark(200)[:6])
    assert [entry.prompt for entry in gathered(tmp_path, "- primer: {count: 210}").entries] == list(
        scenes.benchmark(210)
    )


def test_questions_bring_their_prompts_and_are_saved(tmp_path: Path) -> None:
    sets = [scenes.parse(prompt).questions() for prompt in ("a ladybug", "two tulips")]
    question_files.write(sets, tmp_path / "mine.jsonl")
    kept: list[Any] = []
    found = gathered(tmp_path, "- questions: mine.jsonl", kept)
    assert [entry.prompt for entry in found.entries] == ["a ladybug", "two tulips"]
    assert [one.questions for one in kept] == [one.questions for one in sets]


def test_saved_questions_are_replaced_only_where_a_sweep_of_their_file_runs(begin: Any) -> None:
    world = begin()
    sets, own = world.services.sets, scenes.parse("a ladybug").questions()
    question_files.write([own], world.folder / "mine.jsonl")
    sets.save(replace(own, questions=own.questions[:4]))
    spec = parse(SPEC.replace("[a ladybug", "[questions: mine.jsonl"), world.folder / "a.yaml")
    for is_dry, count in ((True, 4), (False, 5)):
        plan(spec, world.services, SpendingPolicy(), is_dry=is_dry)
        assert len(sets.for_prompt("a ladybug").questions) == count


def test_sources_that_cannot_be_read_are_all_told_with_their_lines(tmp_path: Path) -> None:
    with pytest.raises(BadSpec) as bad:
        gathered(
            tmp_path, "- file: gone.txt\n- a cat\n- questions: gone.xlsx\n- t2i-compbench: gone"
        )
    assert [fault.line for fault in bad.value.faults] == [2, 4, 5]


def test_a_prompt_that_cannot_be_used_is_left_out_and_told(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(f"a dog\n{'x' * 4001}\n")
    found = gathered(tmp_path, "- file: mine.txt")
    assert [entry.prompt for entry in found.entries] == ["a dog"]
    assert "shorten it" in found.complaints[0]


def test_a_metric_whose_role_nobody_fills_is_told_at_the_line_of_the_metrics(begin: Any) -> None:
    with pytest.raises(BadSpec, match="needs a writer and none is chosen") as bad:
        begin().planned(SPEC.replace("[ihalla]", "[llmscore]"))
    assert [fault.line for fault in bad.value.faults] == [4]
