"""An address of a card is found by nobody who was not given it."""

import stat
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.access.visitors import SECRET_FILE, Signer
from hallascope.pages.sharing.addresses import CardAddress, CardSigner

ADDRESS = CardAddress("ab12cd34ef56", "0123456789abcdef0123", "ihalla", "question=2")


@pytest.fixture
def signer(tmp_path: Path) -> CardSigner:
    return CardSigner(Signer(tmp_path))


@pytest.mark.parametrize(
    "address", [ADDRESS, ADDRESS._replace(choice="image"), ADDRESS._replace(choice="finding=12")]
)
def test_what_was_signed_is_read_again(signer: CardSigner, address: CardAddress) -> None:
    assert signer.read_path(signer.path(address)) == address
    assert signer.read_query(dict(parse_qsl(signer.query(address)))) == address


def test_the_signature_of_one_image_opens_no_other(signer: CardSigner) -> None:
    path = signer.path(ADDRESS)
    names = dict(parse_qsl(signer.query(ADDRESS)))
    for part, other in (
        ("ab12cd34ef56", "ab12cd34ef57"),
        ("0123456789abcdef0123", "0123456789abcdef0124"),
        ("question=2", "question=3"),
        ("question=2", "image"),
        ("ihalla", "fig"),
    ):
        assert signer.read_path(path.replace(part, other)) is None
    assert signer.read_query(names | {"question": "3"}) is None
    assert signer.read_query({key: names[key] for key in names if key != "question"}) is None
    assert signer.read_query({"run": ADDRESS.run, "image": ADDRESS.image}) is None


def test_another_store_has_another_secret(signer: CardSigner, tmp_path: Path) -> None:
    assert CardSigner(Signer(tmp_path / "other")).read_path(signer.path(ADDRESS)) is None


def test_the_secret_is_kept_for_its_owner_alone(signer: CardSigner, tmp_path: Path) -> None:
    file = tmp_path / SECRET_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert CardSigner(Signer(tmp_path)).path(ADDRESS) == signer.path(ADDRESS)
    assert [path.name for path in tmp_path.iterdir()] == [SECRET_FILE]


@given(st.text(), st.text(), st.text())
def test_no_other_text_is_an_address(run: str, image: str, share: str) -> None:
    signer = _signer()
    assert signer.read_path(f"/assets/share-card/{run}/{image}/image/ihalla.{share}.png") is None
    assert signer.read_path(run) is None
    assert signer.read_query({"run": run, "image": image, "share": share}) is None


def _signer() -> CardSigner:
    """A signer that keeps nothing: its folder cannot be made."""
    return CardSigner(Signer(Path(__file__) / "nothing"))


def test_names_that_lead_elsewhere_are_refused() -> None:
    assert ADDRESS.is_valid
    for bad in (
        ADDRESS._replace(run="../x"),
        ADDRESS._replace(image=""),
        ADDRESS._replace(metric="nothing"),
        ADDRESS._replace(choice="question=0"),
        ADDRESS._replace(choice="segment=1"),
    ):
        assert not bad.is_valid
