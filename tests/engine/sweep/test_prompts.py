"""The prompts of a sweep come from everywhere, in order and each once; the rest is told."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.sweep.prompts import GatheredPrompts, gather
from hallascope.engine.sweep.spec import BadSpec
from hallascope.engine.sweep.spec_reader import parse


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


def test_a_text_alone_is_a_file_beside_the_specification(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("a dog\n")
    found = gather(parse("prompts: mine.txt\nmodels: [m]", tmp_path / "sweep.yaml"), print)
    assert [entry.prompt for entry in found.entries] == ["a dog"]


def test_a_sample_is_the_same_every_time_and_a_larger_one_holds_it(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("\n".join(f"prompt {n}" for n in range(50)))
    small, same, large = (
        {
            entry.prompt
            for entry in gathered(
                tmp_path, f"- file: {{path: mine.txt, sample: {n}, seed: 7}}"
            ).entries
        }
        for n in (5, 5, 20)
    )
    assert small == same
    assert small < large


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
    from hallascope.data.files import question_files
    from hallascope.primer import scenes

    sets = [scenes.parse(prompt).questions() for prompt in ("a ladybug", "two tulips")]
    question_files.write(sets, tmp_path / "mine.jsonl")
    kept: list[Any] = []
    found = gathered(tmp_path, "- questions: mine.jsonl", kept)
    assert [entry.prompt for entry in found.entries] == ["a ladybug", "two tulips"]
    assert [one.questions for one in kept] == [one.questions for one in sets]


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
