"""FiG's tree matching: the papers' figures, the rule of each attribute, the paper's own rule."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.matching import Chair, chair
from hallascope.metrics.fig.pairs import attribute_rule, published_pairs
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words.language import wordset
from tests.support.fig_stages import CASES, met_share, stages_of


@pytest.mark.parametrize("figure, prompt, caption, shares, extras", CASES["paper"])
def test_the_scores_of_the_papers_figures(
    figure: str, prompt: str, caption: str, shares: dict[str, float], extras: list[str]
) -> None:
    stages = stages_of(prompt, caption)
    assert {kind: met_share(stages, kind) for kind in shares} == shares
    assert extras is None or [row.observed for row in stages.extras] == extras


@pytest.mark.parametrize("case", CASES["stages"])
def test_what_is_asked_for_is_matched_with_what_is_written_and_read(case: dict[str, Any]) -> None:
    stages = stages_of(case["prompt"], case["caption"], case.get("lines"))
    rows = {
        kind: [[r.expected, r.observed, r.strict, r.soft] for r in stages.rows if r.kind == kind]
        for kind in case["rows"]
    }
    assert rows == case["rows"]
    assert [[row.observed, row.soft, row.forbidden] for row in stages.extras] == case["extras"]


def test_a_thing_named_twice_is_one_object_and_every_row_points_at_its_words() -> None:
    prompt = "A blue plate on a green plate. The plate is large."
    (row,) = stages_of(prompt, "The picture shows two plates.").objects
    assert [prompt[slice(*span)] for span in row.prompt_spans] == ["plate", "plate", "plate"]
    assert ["The picture shows two plates."[slice(*span)] for span in row.caption_spans] == [
        "plates"
    ]


@pytest.mark.parametrize("prompt, caption, extras", CASES["forbidden"])
def test_a_kind_of_what_must_not_be_there_must_not_be_there_either(
    prompt: str, caption: str, extras: list[str]
) -> None:
    stages = stages_of(prompt, caption)
    assert [row.observed for row in stages.extras if row.forbidden] == extras
    assert [row.observed for row in stages.objects if row.forbidden and not row.strict] == extras


def test_chair_leaves_out_what_the_caption_says_is_not_there() -> None:
    for caption in ("A dog without a collar", "A dog, not a cat", "A dog and no cat"):
        assert chair(parse(caption), parse("a dog").objects) == Chair(1, 0)


def test_chair_counts_what_the_caption_names_and_nobody_detected() -> None:
    caption = parse("A dog, a cat and a ball")
    assert chair(caption, parse("a puppy and a cat").objects) == Chair(3, 1)
    assert chair(parse("nothing"), ()) == Chair(0, 0)


@pytest.mark.parametrize("prompt, caption, met", CASES["numbers"] + CASES["bounds"])
def test_numbers_are_of_all_of_a_name_or_by_color_and_met_within_their_bounds(
    prompt: str, caption: str, met: bool | None
) -> None:
    share = met_share(stages_of(prompt, caption), "number")
    assert share == (None if met is None else pytest.approx(float(met)))


@pytest.mark.parametrize("prompt, caption, kind, shares", CASES["published"])
def test_where_the_strict_rule_and_the_papers_own_differ(
    prompt: str, caption: str, kind: str, shares: list[float]
) -> None:
    stages = stages_of(prompt, caption)
    rows = [row for row in stages.published if row.kind == kind]
    by_paper = sum(row.strict for row in rows) / len(rows)
    assert [met_share(stages, kind), by_paper] == pytest.approx(shares, abs=1e-4)


@pytest.mark.parametrize("text, attribute, pairs", CASES["trees"])
def test_a_pair_as_published_is_a_noun_with_an_attribute_in_its_subtree(
    text: str, attribute: str, pairs: list[str]
) -> None:
    found = published_pairs(attribute_rule(ATTRIBUTES[attribute]), parse(text))
    assert sorted(" ".join(pair) for pair in found) == sorted(pairs)


def test_the_paper_has_no_row_for_what_must_not_be_there() -> None:
    stages = stages_of("a cat without a dog", "A cat.")
    assert [row.expected for row in stages.rows] == ["cat", "no dog"]
    assert [row.expected for row in stages.published] == ["cat"]


_WORDS = [
    *sorted(
        wordset(
            "a two red blue circles dog dogs on top of the to left right and sign says The picture"
            " shows is it"
        )
    ),
    *(",", ".", "(", ")", ":", '"hi"'),
]


_TEXTS = st.lists(st.sampled_from(_WORDS), max_size=25).map(" ".join)


@given(_TEXTS, _TEXTS, st.none() | st.lists(st.sampled_from(["hi", "Hi there", ""]), max_size=3))
@settings(max_examples=60)
def test_any_two_texts_can_be_compared(prompt: str, caption: str, lines: list[str] | None) -> None:
    stages = stages_of(prompt, caption, lines)
    for kind in ("object", *stages.pairs):
        strict, soft = met_share(stages, kind), met_share(stages, kind, soft=True)
        assert (strict is None) == (soft is None)
        assert strict is None or soft is None or 0 <= strict <= soft <= 1
    for row in (*stages.rows, *stages.extras):
        assert all(0 <= start < stop <= len(prompt) for start, stop in row.prompt_spans)
        assert all(0 <= start < stop <= len(caption) for start, stop in row.caption_spans)
