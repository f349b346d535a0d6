"""Keys that were typed in override the environment and are never shown; a fault says whether the
service may have charged for it.
"""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.base import Transient
from hallascope.backends.keys import HIDDEN, ApiKeys, scrub
from hallascope.data.requests import Usage

TOKEN = "hf_typed_in_4711"


def test_where_everybody_brings_their_own_the_environment_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_house")
    assert ApiKeys().get("HF_TOKEN") == "hf_of_the_house"
    assert ApiKeys(own=("HF_TOKEN",)).get("HF_TOKEN") is None
    assert ApiKeys({"HF_TOKEN": TOKEN}, own=("HF_TOKEN",)).get("HF_TOKEN") == TOKEN


def test_a_key_is_neither_shown_nor_pickled() -> None:
    keys = ApiKeys({"HF_TOKEN": f" {TOKEN} ", "EMPTY": " "})
    assert keys.get("HF_TOKEN") == TOKEN
    assert (keys.is_session_key("HF_TOKEN"), keys.is_session_key("EMPTY")) == (True, False)
    assert TOKEN not in f"{keys} {keys!r}"
    with pytest.raises(TypeError, match="keys are not written anywhere"):
        pickle.dumps(keys)


@given(st.text("abc"), st.text("abc", min_size=6))
def test_a_secret_is_taken_out_of_every_text(before: str, secret: str) -> None:
    text = scrub(f"{before}{secret}", secret)
    assert HIDDEN in text
    assert secret not in text


def test_a_short_value_is_not_looked_for_in_ordinary_words() -> None:
    assert scrub("a short word", "short") == "a short word"
    assert scrub("no secret", None) == "no secret"


# --- faults that may pass ---


def test_a_timeout_and_a_counted_reply_may_be_charged_unless_the_caller_knows() -> None:
    for error, charged in (
        (Transient("Busy."), False),
        (Transient("Late.", "timeout"), True),
        (Transient("Cut off.", usage=Usage(1, 2)), True),
        (Transient("Never sent.", "timeout", may_be_charged=False), False),
    ):
        assert error.may_be_charged is charged
