"""To which names the app answers and from which pages it takes calls: this machine's, a Space's,
those that are listed.
"""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.deployment.hosts import AllowedHosts, allowed_hosts
from hallascope.engine.errors import BadRequest

SPACE = {
    "SPACE_ID": "Some-body/Halla_Scope",
    "SPACE_HOST": "some-body-halla-scope.hf.space,scope.example.org",
}


def hosts(**environment: str) -> AllowedHosts:
    return allowed_hosts(environment)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:7860",
        "LOCALHOST:9",
        "app.localhost:7860",
        "127.0.0.1:7861",
        "127.8.8.8",
        "[::1]:7860",
        "0.0.0.0:7860",
        "192.168.1.20:7860",
        "[fe80::1]:7860",
        socket.gethostname(),
        f"{socket.gethostname()}.local:7860",
    ],
)
def test_this_machine_is_answered_for_by_its_names_and_by_numbers_on_any_port(host: str) -> None:
    assert hosts().answers_to(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:7860",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "x.hf.space",
        "a@localhost",
        "localhost/x",
        "localhost:port",
        "",
        " ",
        "[::1",
        "127.0.0.1,evil.example",
        "huggingface.co",
        "a.gradio.live",
    ],
)
def test_a_name_that_is_not_of_this_machine_is_not_answered_for(host: str) -> None:
    assert not hosts().answers_to(host)


def test_the_name_that_it_is_bound_to_and_the_listed_ones_are_answered_for() -> None:
    found = hosts(
        GRADIO_SERVER_NAME="box.lan", HALLASCOPE_HOSTS=" Scope.example.org, *.labs.example.org ,"
    )
    assert all(
        map(
            found.answers_to,
            ("box.lan:7860", "scope.example.org", "SCOPE.example.org:443", "a.labs.example.org"),
        )
    )
    assert not any(
        map(
            found.answers_to,
            (
                "example.org",
                "labs.example.org",
                "xscope.example.org",
                "a.labs.example.org.evil.example",
            ),
        )
    )


def test_a_space_answers_for_its_own_hosts_alone() -> None:
    for found in (hosts(**SPACE), hosts(SPACE_ID=SPACE["SPACE_ID"])):
        assert found.answers_to("some-body-halla-scope.hf.space")
        assert not found.answers_to("other.hf.space")
    assert hosts(**SPACE).answers_to("scope.example.org")


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:7860", "localhost:7860"),
        ("http://127.0.0.1:7860", "localhost:7860"),
        ("http://[::1]:7860", "127.0.0.1:7860"),
        ("http://192.168.1.20:7860", "192.168.1.20:7860"),
        ("https://box.lan", "box.lan"),
        ("https://box.lan", "box.lan:443"),
    ],
)
def test_the_apps_own_page_may_call_it(origin: str, host: str) -> None:
    assert hosts().takes_calls_from(origin, host)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "http://localhost:3000",
        "http://localhost:7860.evil.example",
        "http://localhost",
        "file://",
        "https://huggingface.co",
        "http://localhost:7860@evil.example",
        "chrome-extension://abc",
        "http://192.168.1.20:7860",
        "//localhost:7860",
    ],
)
def test_a_page_of_another_site_may_not(origin: str) -> None:
    assert not hosts().takes_calls_from(origin, "localhost:7860")


def test_a_space_is_called_from_its_own_page_and_from_the_hub_and_from_no_other_space() -> None:
    own = "some-body-halla-scope.hf.space"
    assert hosts(**SPACE).takes_calls_from(f"https://{own}", own)
    assert hosts(**SPACE).takes_calls_from("https://huggingface.co", own)
    assert not hosts(**SPACE).takes_calls_from("https://other.hf.space", own)
    assert not hosts(**SPACE).takes_calls_from("https://huggingface.co.evil.example", own)


def test_a_listed_site_may_call_it_behind_a_proxy_that_names_the_app_otherwise() -> None:
    found = hosts(HALLASCOPE_HOSTS="scope.example.org")
    assert found.takes_calls_from("https://scope.example.org", "127.0.0.1:7860")
    assert not found.takes_calls_from("https://other.example.org", "127.0.0.1:7860")


@pytest.mark.parametrize(
    "said",
    ["http://scope.example.org", "scope.example.org:443", "*", "*.", "a b", "scope.example.org/x"],
)
def test_a_list_that_cannot_be_read_is_refused_by_name(said: str) -> None:
    with pytest.raises(
        BadRequest,
        match=r"HALLASCOPE_HOSTS names '.*': give names of hosts without scheme and port",
    ):
        hosts(HALLASCOPE_HOSTS=said)


@given(st.from_regex(r"\A[a-z0-9.-]{1,30}\Z"))
def test_no_name_below_another_domain_is_taken_for_ours(name: str) -> None:
    assert not hosts(HALLASCOPE_HOSTS="scope.example.org, *.labs.example.org").answers_to(
        f"{name}.evil.example"
    )
