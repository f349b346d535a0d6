"""An address tells services apart, shows nothing secret, and is checked before it is used."""

import socket
from dataclasses import replace

from hallascope.backends.network import service_addresses
from hallascope.backends.openai.adapter import OpenAICompatible
from tests.support.fake_service import SPEC


def test_an_odd_path_tells_services_apart_but_is_not_shown() -> None:
    prints = [
        service_addresses.fingerprint(replace(SPEC, base_url=f"https://gate.example/{path}/v1"))
        for path in ("t0ken-a", "t0ken-b")
    ]
    assert len(set(prints)) == 2
    assert not any("t0ken" in each for each in prints)


def test_a_server_of_this_machine_that_is_not_there_is_said_before_it_is_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as there:
        port = there.getsockname()[1]
        spec = replace(SPEC, base_url=f"http://127.0.0.1:{port}/v1")
        assert OpenAICompatible.check(spec) is None
    assert (
        OpenAICompatible.check(spec)
        == f"nothing answers at http://127.0.0.1:{port}; start the server there."
    )
