"""To which names the app answers and from which pages it takes calls: this machine's, a Space's,
those that are listed.
"""

import socket
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.deployment.hosts import AllowedHosts, allowed_hosts
from hallascope.engine.errors import BadRequest

SPACE = {
    "SPACE_ID": "Some-body/Halla_Scope",
    "SPACE_HOST": "some-body-halla-scope.hf.space,scope.example.org",
}
OWN = "some-body-halla-scope.hf.space"
LISTED = {
    "GRADIO_SERVER_NAME": "box.lan",
    "HALLASCOPE_HOSTS": " Scope.example.org, *.labs.example.org ,",
}


HOSTNAME = socket.gethostname()


def hosts_of(environment: Mapping[str, str]) -> AllowedHosts:
    """Return the hosts that an environment allows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.environ", dict(environment))
        return allowed_hosts()


@pytest.mark.parametrize(
    "environment, answered, refused",
    [
        (
            {},
            [
                "localhost:7860",
                "LOCALHOST:9",
                "app.localhost:7860",
                "127.8.8.8",
                "[::1]:7860",
                "0.0.0.0:7860",
                "192.168.1.20:7860",
                HOSTNAME,
                f"{HOSTNAME}.local:7860",
            ],
            [
                "evil.example:7860",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "a@localhost",
                "localhost/x",
                "localhost:port",
                "[::1",
                "127.0.0.1,evil.example",
                "huggingface.co",
                "a.gradio.live",
                "x.hf.space",
                "",
                " ",
            ],
        ),
        (
            LISTED,
            ["box.lan:7860", "scope.example.org", "SCOPE.example.org:443", "a.labs.example.org"],
            ["example.org", "labs.example.org", "xscope.example.org"],
        ),
        (SPACE, [OWN, "scope.example.org"], ["other.hf.space"]),
        ({"SPACE_ID": SPACE["SPACE_ID"]}, [OWN], ["other.hf.space"]),
    ],
)
def test_names_of_this_machine_and_listed_ones_are_answered_for_and_no_others(
    environment: dict[str, str], answered: list[str], refused: list[str]
) -> None:
    hosts = hosts_of(environment)
    assert [name for name in (*answered, *refused) if hosts.answers_to(name)] == answered


@given(st.from_regex(r"\A[a-z0-9.-]{1,30}\Z"))
def test_no_name_below_another_domain_is_taken_for_ours(name: str) -> None:
    assert not hosts_of(LISTED).answers_to(f"{name}.evil.example")


@pytest.mark.parametrize(
    "environment, host, taken, refused",
    [
        (
            {},
            "localhost:7860",
            ["http://localhost:7860", "http://127.0.0.1:7860", "http://[::1]:7860"],
            [
                "",
                "null",
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
        ),
        ({}, "192.168.1.20:7860", ["http://192.168.1.20:7860"], []),
        ({}, "box.lan", ["https://box.lan"], []),
        ({}, "box.lan:443", ["https://box.lan"], []),
        (
            SPACE,
            OWN,
            [f"https://{OWN}", "https://huggingface.co"],
            ["https://other.hf.space", "https://huggingface.co.evil.example"],
        ),
        # a proxy names the app otherwise
        (LISTED, "127.0.0.1:7860", ["https://scope.example.org"], ["https://other.example.org"]),
    ],
)
def test_calls_are_taken_from_the_apps_own_page_and_listed_sites_alone(
    environment: dict[str, str], host: str, taken: list[str], refused: list[str]
) -> None:
    hosts = hosts_of(environment)
    assert [name for name in (*taken, *refused) if hosts.takes_calls_from(name, host)] == taken


@pytest.mark.parametrize(
    "said",
    ["http://scope.example.org", "scope.example.org:443", "*", "*.", "a b", "scope.example.org/x"],
)
def test_a_list_that_cannot_be_read_is_refused_by_name(said: str) -> None:
    with pytest.raises(
        BadRequest,
        match=r"HALLASCOPE_HOSTS names '.*': give names of hosts without scheme and port",
    ):
        hosts_of({"HALLASCOPE_HOSTS": said})
