"""Filters know what the judge made of each fact, and stand in the address as they were set."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.components.cards import cards
from hallascope.components.cards.filters import STATES, filter_bar, tile_facts
from hallascope.metrics.true_answers import TrueAnswer, UnaskedError
from tests.support.tiles import EVIL, no_markup_of, report, tile, verdict

ROOT = Path(__file__).parents[3]
FOUR = TrueAnswer("C", "Four", "drawn")
FIVE = TrueAnswer("D", "Five", "drawn")


@pytest.mark.parametrize(
    ("answer", "truth", "state"),
    [
        ("C", FOUR, "right"),
        ("C", FIVE, "missed"),
        ("D", FIVE, "found"),
        ("B", FIVE, "found"),
        ("D", FOUR, "false-alarm"),
        ("C", None, ""),
        (None, FOUR, "unanswered"),
    ],
)
def test_a_fact_has_the_state_that_the_judge_makes_of_it(
    answer: Any, truth: TrueAnswer | None, state: str
) -> None:
    judged = verdict("correct" if answer == "C" else "incorrect", answer)
    shown = tile(reports=(report(judged),), truths=(truth,))
    assert tile_facts(shown) == ((state, "counting"),)


def test_what_no_question_asks_is_a_fact_of_the_question_type_that_would_ask_for_it() -> None:
    unasked = UnaskedError("What color?", "Red", "Blue", "color", ())
    assert tile_facts(tile(unasked=(unasked, unasked))) == (("not-asked", "color"),)


def test_a_single_image_has_no_filters() -> None:
    assert filter_bar([tile(reports=(report(verdict("correct")),))]) == ""
    assert filter_bar([]) == ""


def test_only_filters_that_something_passes_are_offered() -> None:
    missed = tile(reports=(report(verdict("correct")),), truths=(FIVE,))
    other = replace(missed, key="key2", model="primer/exact", truths=(FOUR,))
    html = filter_bar([missed, other])
    offered = re.findall(r'data-filter="([^"]*)" data-value="([^"]*)"', html)
    assert offered == [
        ("state", "missed"),
        ("model", "primer/hasty"),
        ("model", "primer/exact"),
    ]


def test_filters_show_text_from_elsewhere_as_text() -> None:
    tiles = [tile(model=EVIL, name=EVIL), tile(key="key2")]
    assert no_markup_of(EVIL, cards.grid(tiles))


# --- the address, as the browser reads and writes it ---

SCRIPT = """
import { NO_FILTERS, passes, readFilters, STATES } from "./components/cards/filter_address.js";
const lines = JSON.parse(process.argv[1]);
const answers = lines.map(({ before, filters, facts, model }) => {
  const query = new URLSearchParams(before);
  const others = [...query].filter(([name]) => !(name in NO_FILTERS));
  Object.entries(filters).forEach(([name, value]) => {
    if (value === null) query.delete(name);
    else query.set(name, value);
  });
  const again = new URLSearchParams(String(query));
  const read = readFilters(again);
  const kept = [...again].filter(([name]) => !(name in NO_FILTERS));
  const same = JSON.stringify(others) === JSON.stringify(kept);
  return { read, same, passes: passes(facts, model, read) };
});
console.log(JSON.stringify({ answers, states: STATES }));
"""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node runs the page's script")


def run_script(lines: list[dict[str, Any]]) -> dict[str, Any]:
    command = ["node", "--input-type=module", "-e", SCRIPT, json.dumps(lines)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


# surrogates cannot stand in an address
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
filters = st.fixed_dictionaries(
    {
        "state": st.none() | st.sampled_from(list(STATES)),
        "coi": st.none() | words,
        "model": st.none() | words,
    }
)
facts = st.lists(st.tuples(st.sampled_from([*STATES, "right", ""]), words), max_size=4)


@needs_node
@settings(max_examples=15)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "before": st.dictionaries(st.sampled_from(["run", "image", "state", "coi"]), words),
                "filters": filters,
                "facts": facts,
                "model": words,
            }
        ),
        min_size=1,
        max_size=30,
    )
)
def test_filters_come_back_from_the_address_as_they_were_set(lines: list[dict[str, Any]]) -> None:
    for line, answer in zip(lines, run_script(lines)["answers"], strict=True):
        wanted = line["filters"]
        assert answer["read"] == wanted
        assert answer["same"], "what else stands in the address stays"
        expected = wanted["model"] in (None, line["model"])
        if wanted["state"] or wanted["coi"]:
            expected = expected and any(
                wanted["state"] in (None, state) and wanted["coi"] in (None, kind)
                for state, kind in line["facts"]
            )
        assert answer["passes"] is expected


@needs_node
def test_a_state_that_there_is_not_counts_as_none() -> None:
    line = {"before": {}, "filters": {"state": "wrong", "coi": ""}, "facts": [], "model": "m"}
    answer = run_script([line])
    assert answer["answers"][0]["read"] == {"state": None, "coi": None, "model": None}
    assert answer["states"] == list(STATES)
