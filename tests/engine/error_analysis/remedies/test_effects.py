"""A remedy counts for what it repairs beyond fresh images, by prompt; no answer counts nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.remedies.effects import PromptFacts, estimate_effect

FACTS = st.dictionaries(st.sampled_from("abcde"), st.booleans(), max_size=5)


def test_repairs_and_breaks_are_shares_of_facts_beside_those_of_fresh_images() -> None:
    prompts = [
        PromptFacts(
            before={"a": False, "b": True},
            control=({"a": False, "b": True}, {"a": True, "b": True}),
            after=({"a": True, "b": False},),
        ),
        PromptFacts(
            before={"a": False, "b": False},
            control=({"a": False, "b": False}, {"a": False, "b": True}),
            after=({"a": True, "b": False},),
        ),
    ]
    effect = estimate_effect(prompts)
    repaired = effect.repaired
    assert (repaired.prompts, repaired.facts) == (2, 3)
    assert repaired.share is not None
    assert repaired.control is not None
    assert repaired.gain is not None
    assert repaired.share.value == pytest.approx(2 / 3)
    assert repaired.control.value == pytest.approx(1 / 3)
    assert repaired.gain.value == pytest.approx(1 / 3)
    assert effect.broken.facts == 1
    assert effect.broken.share is not None
    assert effect.broken.share.value == 1.0
    assert effect.unanswered == 0


def test_a_fact_without_an_answer_after_is_neither_repaired_nor_left_wrong() -> None:
    facts = PromptFacts(before={"a": False, "b": False}, control=({"a": True},), after=({},))
    effect = estimate_effect([facts] * 3)
    assert effect.repaired.facts == 0
    assert effect.repaired.gain is None
    assert effect.unanswered == 6


def test_a_remedy_that_is_a_fresh_image_is_not_told_apart() -> None:
    states = [{"a": True}, {"a": False}]
    prompts = [
        PromptFacts(before={"a": False}, control=tuple(states), after=(states[place % 2],))
        for place in range(40)
    ]
    gain = estimate_effect(prompts).repaired.gain
    assert gain is not None
    assert gain.value == pytest.approx(0.0)
    assert not gain.is_above_zero
    assert not gain.is_below_zero


@given(
    st.lists(
        st.builds(
            PromptFacts,
            before=FACTS,
            control=st.lists(FACTS, min_size=1, max_size=3).map(tuple),
            after=st.lists(FACTS, min_size=1, max_size=3).map(tuple),
        ),
        max_size=8,
    )
)
def test_each_known_fact_is_counted_once_and_intervals_hold_their_value(
    prompts: list[PromptFacts],
) -> None:
    effect = estimate_effect(prompts)
    known = sum(len({*p.before}.union(*p.control, *p.after)) for p in prompts)
    assert effect.repaired.facts + effect.broken.facts + effect.unanswered == known
    for change in (effect.repaired, effect.broken):
        for estimate in (change.share, change.control, change.gain):
            if estimate is not None and estimate.low is not None and estimate.high is not None:
                assert estimate.low <= estimate.value + 1e-9
                assert estimate.high >= estimate.value - 1e-9
