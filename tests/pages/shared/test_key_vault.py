"""The server holds the keys of a session for that session alone, no more of them and no longer than
it says.
"""

from hallascope.pages.shared.key_vault import LINGERING, MAX_LENGTH, MAX_SESSIONS, KeyVault
from tests.support.clock import Clock

KEY = "sk-typed-by-a-visitor-0123456789"


def test_a_session_gets_its_own_keys_alone() -> None:
    vault = KeyVault()
    vault.set_key("mine", "OPENAI_API_KEY", f" {KEY}\n")
    assert vault.get("mine") == {"OPENAI_API_KEY": KEY}
    assert vault.get("other") == vault.get("") == vault.get(None) == {}
    vault.set_key("", "OPENAI_API_KEY", KEY)
    assert vault.get("") == {}
    assert KEY not in repr(vault)


def test_keys_are_forgotten_when_asked_and_some_time_after_the_page_was_closed() -> None:
    clock = Clock()
    vault = KeyVault(clock)
    for session in ("left", "back", "told"):
        vault.set_key(session, "A", KEY)
    vault.clear("told")
    vault.close("left")
    vault.close("back")
    clock.now = LINGERING / 2
    assert vault.get("back") == {"A": KEY}
    clock.now = LINGERING
    assert [bool(vault.get(session)) for session in ("left", "back", "told")] == [
        False,
        True,
        False,
    ]


def test_so_many_sessions_and_so_long_a_key_are_held_and_no_more() -> None:
    vault = KeyVault()
    for number in range(MAX_SESSIONS + 1):
        vault.set_key(str(number), "A", KEY)
    assert vault.get("0") == {}
    assert vault.get(str(MAX_SESSIONS)) == {"A": KEY}
    vault.set_key("1", "A", "x" * (MAX_LENGTH + 1))
    assert vault.get("1") == {"A": KEY}


def test_a_session_that_is_used_is_forgotten_after_those_that_are_not() -> None:
    vault = KeyVault()
    for number in range(MAX_SESSIONS):
        vault.set_key(str(number), "A", KEY)
    assert vault.get("0"), "using it keeps it"
    vault.set_key("new", "A", KEY)
    assert (bool(vault.get("0")), bool(vault.get("1"))) == (True, False)
