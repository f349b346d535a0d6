"""An address is parsed, or refused in one sentence, and never shown with its password."""

import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import StoreError
from hallascope.engine.storage.database import display_address, parse_url, passwords
from hallascope.engine.storage.store import Store

SECRET = "geheim-5%-und@mehr"
QUOTED = "geheim-5%25-und%40mehr"


@pytest.mark.parametrize(
    "written, shown",
    [
        (f"postgres://u:{QUOTED}@h:1/db", "postgresql+psycopg://u:***@h:1/db"),
        (f"postgresql+psycopg2://u@h/db?password={QUOTED}", "postgresql+psycopg://u:***@h/db"),
        (
            f"postgresql://h/db?user=u&password={QUOTED}&sslpassword=geheim",
            "postgresql+psycopg://h/db?user=u",
        ),
    ],
)
def test_an_address_is_shown_without_its_password_and_used_with_it(
    written: str, shown: str
) -> None:
    found = parse_url(written)
    assert found.drivername == "postgresql+psycopg"
    assert found.password == SECRET
    assert SECRET in passwords(found)
    assert display_address(found) == shown
    assert found.query.get("sslpassword") in (None, "geheim")


@pytest.mark.parametrize(
    "written, said",
    [
        (
            f"mysql://u:{SECRET}@h/db",
            "'mysql': give an address that starts with 'sqlite:///' or 'postgresql://'",
        ),
        (f"postgresql://u:{SECRET}@h/db", "%40"),
        (f"postgres://u:{QUOTED}@h:no-port/db", "%40"),
        ("geheim", "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_sentence_without_its_password(
    tmp_path: Path, written: str, said: str
) -> None:
    with pytest.raises(StoreError) as raised:
        Store(written, tmp_path)
    shown = "".join(traceback.format_exception(raised.value))
    assert said in str(raised.value)
    assert "geheim" not in str(raised.value)
    assert "geheim" not in shown.replace(f'"{written}"', "")
    assert "und@mehr" not in str(raised.value)


@given(
    st.text()
    | st.builds(
        "{}://{}:{}@{}/{}".format, st.sampled_from(["postgresql", "sqlite", "x"]), *[st.text()] * 4
    )
)
def test_any_text_is_an_address_or_one_sentence(written: str) -> None:
    said = ""
    try:
        display_address(parse_url(written))
    except StoreError as error:
        said = str(error)
    assert said == "" or said.startswith(
        ("The store cannot be kept in", "The address of the store cannot be read")
    )
