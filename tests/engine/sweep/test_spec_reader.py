"""The specification of a sweep: every fault has its line, and no text brings the reader down."""

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.sweep.spec import KINDS, BadSpec
from hallascope.engine.sweep.spec_reader import SweepFile, parse, read
from tests.support.any_json import any_json

FILE = Path("sweep.yaml")
LEAST = "prompts: [a cat]\nmodels: [primer/exact]\n"
EXAMPLE = Path(__file__).parents[3] / "examples" / "primer.yaml"


def test_every_key_and_source_is_documented_and_the_other_way_round() -> None:
    page = (EXAMPLE.parents[1] / "docs" / "sweeps.md").read_text(encoding="utf-8")
    keys, sources = (
        re.findall(
            r"`([\w-]+)(?:: [^`]*)?`", "".join(re.findall(r"^\| (`[^|]*) \|", half, re.MULTILINE))
        )
        for half in page.split("An item of")
    )
    assert keys == [field.name for field in fields(SweepFile)]
    assert {*sources, "text"} == set(KINDS)


def test_a_judge_may_be_named_in_the_line_up_and_may_be_none() -> None:
    for more, judge, roles in (
        ("", "primer/judge", {}),
        ("lineup: {judge: m/j, writer: m/w}", "m/j", {"writer": "m/w"}),
        ("judge: none", None, {}),
        ("judge:", None, {}),
    ):
        spec = parse(LEAST + more, FILE)
        assert (spec.judge, spec.roles) == (judge, roles)


@pytest.mark.parametrize("kind", ["file", "questions", "drawbench", "coco"])
def test_options_may_stand_beside_the_source_or_within_it(kind: str) -> None:
    for source in ("F, sample: 5, seed: 2", "{path: F, sample: 5, seed: 2}"):
        (read_source,) = parse(f"prompts: [{{{kind}: {source}}}]\nmodels: [m/a]\n", FILE).prompts
        assert (read_source.path, read_source.sample, read_source.seed) == ("F", 5, 2)


def test_seeds_are_a_list_or_a_row_and_each_counts_once() -> None:
    for text, seeds in (
        ("[3]", (3,)),
        ("{first: 5, count: 3}", (5, 6, 7)),
        ("{count: 2}", (0, 1)),
        ("[9, 1, 2, 2]", (9, 1, 2)),
    ):
        assert parse(f"{LEAST}seeds: {text}", FILE).seeds == seeds


def test_what_is_done_holds_neither_prompts_nor_money_nor_the_address_of_the_database() -> None:
    spec = replace(
        parse(LEAST, FILE),
        roles={"writer": "m/w"},
        budget=5.0,
        budget_day=9.0,
        unpriced=True,
        store="postgresql://me:secret@host/db",
    )
    assert spec.plain() == {
        "title": "",
        "models": ("primer/exact",),
        "metrics": ("ihalla",),
        "judge": "primer/judge",
        "trials": 1,
        "seeds": (0,),
        "inject": (),
        "roles": {"writer": "m/w"},
    }


FAULTS = {
    "": (1, "empty"),
    "models: [a]": (1, "'prompts' is missing: write prompts, e.g. `prompts: [a ladybug]`"),
    "prompts: []\nmodels: [a]": (1, "'prompts' is an empty list: write prompts"),
    "- a\n- b": (
        1,
        "The file is a list: write its keys as `name: value`, of title, prompts, models",
    ),
    f"{LEAST}model: x": (3, "did you mean 'models'?"),
    f"{LEAST}frobnicate: x": (3, "choose one of title, prompts"),
    f"{LEAST}models: [b]": (3, "twice"),
    f"{LEAST}\n\ntrials: 0": (5, "whole number from 1 to 32"),
    f"{LEAST}trials: many": (3, "'many'"),
    f"{LEAST}seeds: 3": (3, "{first: 0, count: 3}"),
    f"{LEAST}seeds: {{frist: 3}}": (3, "did you mean 'first'?"),
    f"{LEAST}seeds: {{first: 2147483647, count: 2}}": (3, "begin with a smaller one"),
    f"{LEAST}budget: -1": (3, "amount of money"),
    f"{LEAST}budget: .inf": (3, "amount of money"),
    f"{LEAST}unpriced: perhaps": (3, "'unpriced' is 'perhaps': write true or false"),
    f"{LEAST}inject: [sound]": (3, "choose one of text, visual"),
    f"{LEAST}lineup: {{generator: x}}": (
        3,
        "'generator' of 'lineup' is not a known key: choose one of judge, captioner",
    ),
    f"{LEAST}judge: a\nlineup:\n  judge: b": (3, "named twice"),
    "prompts:\n- a cat\n- {file: x, coco: y}\nmodels: [a]": (3, "each as an item of its own"),
    "prompts:\n- a cat\n- {coco: {split: val}}\nmodels: [a]": (
        3,
        "is missing: write `path:` with its file or folder",
    ),
    "prompts:\n- a cat\n- {drawbench: {path: x, split: val}}\nmodels: [a]": (
        3,
        (
            "'split' of 'drawbench' of item 2 of 'prompts' is not a known key: choose one of path,"
            " sample, seed"
        ),
    ),
    "prompts:\n- a cat\n- []\nmodels: [a]": (
        3,
        "Item 2 of 'prompts' is an empty list: write a text",
    ),
    "prompts:\n- a cat\n- ''\nmodels: [a]": (3, "Item 2 of 'prompts' is empty: write a text"),
    f"prompts:\n- {'x' * 4001}\nmodels: [a]": (2, "shorten it"),
    f"{LEAST}a: b: c": (3, "no YAML"),
    f"{LEAST}title: *nobody": (3, "undefined alias"),
    f"{LEAST}title: a\x07b": (3, "no YAML"),
    f"{LEAST}---\n{LEAST}": (3, "no YAML"),
}


@pytest.mark.parametrize("text, expected", FAULTS.items(), ids=range(len(FAULTS)))
def test_a_fault_has_its_line_and_says_what_to_do(text: str, expected: tuple[int, str]) -> None:
    line, words = expected
    with pytest.raises(BadSpec) as bad:
        parse(text, FILE)
    (fault,) = bad.value.faults
    assert (fault.line, words in fault.said) == (line, True), fault
    assert str(bad.value) == f"sweep.yaml, line {line}: {fault.said}"
    assert fault.said.endswith((".", "?"))


def test_all_faults_are_told_at_once_in_the_order_of_their_lines() -> None:
    with pytest.raises(BadSpec) as bad:
        parse("trials: 0\nprompts: [a, {}]\nmodels: [x]\nseeds: 1\nmodell: y", FILE)
    assert [fault.line for fault in bad.value.faults] == [1, 2, 4, 5]


def test_a_file_that_cannot_be_opened_or_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="check that it is there"):
        read(tmp_path / "gone.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSpec, match="UTF-8"):
        read(tmp_path / "bytes.yaml")


ANYTHING = any_json(
    st.sampled_from(["path", "count", "first", "primer", "file", "x"]), leaves=st.dates()
)
BREAKS = re.compile("\r\n|[\r\n\x85\u2028\u2029]")  # what ends a line of YAML (1.1, section 4.2)
KEYS = [field.name for field in fields(SweepFile)] + ["odd"]


def stands_or_complains(text: str) -> None:
    try:
        found = parse(text, FILE)
    except BadSpec as bad:
        for fault in bad.faults:
            assert 1 <= fault.line <= len(BREAKS.findall(text)) + 1
            assert fault.said.endswith((".", "?"))
            assert "\n" not in fault.said
    else:
        assert found.prompts
        assert found.models
        assert found.groups


@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=6))
def test_any_values_under_any_keys_make_a_sweep_or_complaints(said: dict[str, Any]) -> None:
    stands_or_complains(yaml.safe_dump(said))


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]))
    | st.text("[]{}:,-&*!|>'\"%@`#? \n\tabc0<")
)
def test_any_text_makes_a_sweep_or_complaints(text: str) -> None:
    stands_or_complains(text)
