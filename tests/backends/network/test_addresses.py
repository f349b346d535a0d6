"""Only public addresses count as public; an address tells services apart and shows no secret."""

import ipaddress
import socket
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.network import service_addresses
from hallascope.backends.network.public_addresses import ForbiddenAddress, check, is_public, resolve
from hallascope.backends.openai.adapter import OpenAICompatible
from tests.support.fake_service import SPEC

PUBLIC = "93.184.216.34 151.101.1.69 2606:2800:220:1:248:1893:25c8:1946 64:ff9b::5db8:d822"
NOT_PUBLIC = (
    "127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0"
    " 224.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 240.0.0.1 ::1 :: fe80::1 fc00::1 fd12::1"
    " ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1"
    " ::127.0.0.1"
)


def test_addresses_outside_are_public_and_none_inside_is() -> None:
    for addresses, public in ((PUBLIC, True), (NOT_PUBLIC, False)):
        for address in addresses.split():
            assert is_public(ipaddress.ip_address(address)) is public, address


def test_numbers_that_stand_for_this_machine_are_found_out_by_looking_them_up() -> None:
    for url in ("http://2130706433/", "http://0x7f.1/", "http://localhost/"):
        with pytest.raises((ForbiddenAddress, OSError)):
            check(url, resolve)


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
    said = str(OpenAICompatible.check(spec))
    assert f"nothing answers at http://127.0.0.1:{port}; start the server" in said


@given(st.ip_addresses(v=4))
def test_whatever_covers_an_address_is_as_public_as_it(address: ipaddress.IPv4Address) -> None:
    covered = [
        ipaddress.ip_address(f"::ffff:{address}"),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) + int(address)),
    ]
    assert list(map(is_public, covered)) == [is_public(address)] * 2
