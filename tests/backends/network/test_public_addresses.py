"""Only public addresses count as public, however they are written."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.network.public_addresses import ForbiddenAddress, check, is_public, resolve

NOT_PUBLIC = [
    *(
        "127.0.0.1",
        "127.9.9.9",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
    ),
    *(
        "255.255.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "240.0.0.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
    ),
    *(
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:db8::1",
        "::127.0.0.1",
    ),
]


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_inside_is_never_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "151.101.1.69", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"],
)
def test_an_address_outside_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@given(st.ip_addresses(v=4))
def test_whatever_covers_an_address_is_as_public_as_it(address: ipaddress.IPv4Address) -> None:
    covered = [
        ipaddress.ip_address(f"::ffff:{address}"),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) + int(address)),
    ]
    assert list(map(is_public, covered)) == [is_public(address)] * 2


def test_numbers_that_stand_for_this_machine_are_found_out_by_looking_them_up() -> None:
    for url in ("http://2130706433/", "http://0x7f.1/", "http://localhost/"):
        with pytest.raises((ForbiddenAddress, OSError)):
            check(url, resolve)
