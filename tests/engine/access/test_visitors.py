"""Who asks is known by a login or a signed cookie, and counted by the network."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from hallascope.engine.access.visitors import (
    PROXIES,
    SECRET_FILE,
    Signer,
    believe_proxies,
    believes_proxies,
    network_of,
)
from tests.support.coroutines import run_apart

HOME, AWAY = "91.198.174.192", "8.8.8.8"


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer(tmp_path)


def test_a_cookie_that_was_signed_here_names_a_visitor_and_no_other_does(
    signer: Signer, tmp_path: Path
) -> None:
    cookie = signer.new_cookie()
    ann = signer.visitor(None, cookie, HOME)
    assert ann.id == Signer(tmp_path).visitor(None, cookie, AWAY).id != ""
    assert ann.id not in cookie
    forged = Signer(tmp_path / "other").new_cookie()
    for value in ("", "x", cookie[:-1], cookie.upper(), f"{'0' * 32}.", forged):
        assert signer.visitor(None, value, HOME).id == ""
    assert signer.signature("a", "b") != signer.signature("a\nc", "b")
    assert (tmp_path / SECRET_FILE).stat().st_mode & 0o777 == 0o600


def test_a_full_disk_neither_changes_the_secret_nor_fills_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = Signer(tmp_path / "kept").new_cookie()

    def write(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    assert Signer(tmp_path / "kept").is_cookie(cookie)
    assert Signer(tmp_path / "new").new_cookie()
    assert not list((tmp_path / "new").iterdir())


def test_a_login_is_the_same_visitor_in_every_browser_and_network(signer: Signer) -> None:
    here = signer.visitor("Someone", "", HOME)
    assert here == signer.visitor("someone", signer.new_cookie(), AWAY)
    assert here.id not in ("", signer.visitor("other", "", HOME).id)
    assert "someone" not in f"{here.id}{here.network}".casefold()


def test_visitors_of_one_network_count_together_and_no_address_stands_in_it(
    signer: Signer,
) -> None:
    one, other = (signer.visitor(None, signer.new_cookie(), HOME) for _ in range(2))
    assert one.id != other.id
    assert one.network == other.network == network_of(f"::ffff:{HOME}") != network_of(AWAY)
    assert HOME not in one.network
    assert network_of("2a00:1450:4001:81b::200e") == network_of("2a00:1450:4001:81b::1")
    assert network_of("2a00:1450:4001:81b::1") != network_of("2a00:1450:4001:81c::1")
    assert network_of(None) == network_of("unix:") == ""


def seen(peer: str, forwarded: str) -> str:
    """The address that the app sees of a request, after uvicorn's own middleware."""
    found: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.append(scope["client"][0])

    scope = {
        "type": "http",
        "client": (peer, 1),
        "headers": [(b"x-forwarded-for", forwarded.encode())],
    }
    server = ProxyHeadersMiddleware(app, os.environ[PROXIES])
    run_apart(server(scope, None, None))  # type: ignore[arg-type]
    return found[0]


def test_a_forwarded_address_is_believed_of_a_named_proxy_or_a_space_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in (PROXIES, "SPACE_ID"):
        monkeypatch.delenv(name, raising=False)
    believe_proxies()
    assert not believes_proxies()
    for peer in ("127.0.0.1", "192.168.0.7", HOME):
        assert seen(peer, AWAY) == peer
    monkeypatch.setenv(PROXIES, "192.168.0.7")
    believe_proxies()
    assert believes_proxies()
    assert seen("192.168.0.7", f"1.2.3.4, {AWAY}") == AWAY
    assert seen("192.168.0.8", AWAY) == "192.168.0.8"
    # on a Space the last public address counts, not what the visitor wrote
    monkeypatch.delenv(PROXIES)
    monkeypatch.setenv("SPACE_ID", "me/it")
    believe_proxies()
    assert seen("10.16.3.80", f"1.2.3.4, {HOME}, 10.0.0.1") == HOME
    assert seen(AWAY, HOME) == AWAY
    monkeypatch.delenv(PROXIES)
