"""Draws any JSON, which a reader must read, refuse or leave out."""

from typing import Any

from hypothesis import strategies as st

SHORT = st.text(max_size=9)
USUAL = st.none() | st.booleans() | st.integers() | st.floats() | SHORT


def any_json(
    keys: st.SearchStrategy[str] = SHORT, leaves: st.SearchStrategy[Any] = USUAL
) -> st.SearchStrategy[Any]:
    """Return a strategy for any JSON, with these keys, and these leaves beside the usual ones."""
    return st.recursive(
        USUAL | leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6),
        max_leaves=12,
    )
