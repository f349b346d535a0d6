"""Phrases are read each once, and no reply raises."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.metrics.fig import replies as fig_replies


@given(st.text(max_size=300))
@settings(max_examples=40)
def test_reading_a_list_of_phrases_never_raises(text: str) -> None:
    assert fig_replies.parse_phrases(text) is None or isinstance(
        fig_replies.parse_phrases(text), tuple
    )


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('```json\n{"phrases": ["Dog", "dog", " wine  glass "]}\n```', ("dog", "wine glass")),
        ('{"phrases": ["a", 1]}', None),
        ('{"phrases": []}', ()),
        ('{"phrases": [""]}', None),
    ],
)
def test_phrases_are_read_each_once(text: str, phrases: tuple[str, ...] | None) -> None:
    assert fig_replies.parse_phrases(text) == phrases
