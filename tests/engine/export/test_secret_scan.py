"""What looks like a key leaves in no format, and ordinary words do."""

from pathlib import Path

import pytest

from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import FORMATS
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.storage.store import Store
from tests.support.exports import SECRETS, Send


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_that_looks_like_a_key_leaves_in_any_form(
    form: str, home: Store, send: Send, tmp_path: Path
) -> None:
    for i, (_, environment) in enumerate(SECRETS):
        with pytest.raises(HoldsSecret, match="Nothing was written") as refused:
            send(home, form, runs=f"secret{i}", secrets=Secrets(environment))
        assert list(tmp_path.iterdir()) == []
        assert all(
            part not in str(refused.value)
            for part in ("abcdefgh", "hunter2", "correcthorse", "tok&en", "p%40ss")
        )


@pytest.mark.parametrize(
    "said",
    [
        "a sk-8 board",
        "hf_short",
        "the bearer of the ring",
        "https://example.org/a:b@c",
        "a risk-averse robot",
    ],
)
def test_ordinary_words_are_no_secrets(said: str) -> None:
    assert Secrets({"API_KEY": "x", "EMPTY_TOKEN": ""}).find(said) is None
