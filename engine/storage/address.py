"""Reads the address (URL) of a database and shows it without its password; it opens nothing."""

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from hallascope.engine.errors import StoreError

FILE = "hallascope.db"
_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
_UNSHOWN = "sslpassword"  # a query may hold one, too


def local(folder: Path) -> URL:
    """SQLite in a folder, whatever signs its name has."""
    return URL.create("sqlite", database=str(folder / FILE))


def read(url: str) -> URL:
    """The address of an SQLite file or a PostgreSQL database.

    Raises StoreError, which repeats nothing of what may be a password.
    """
    try:
        found = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError(_unreadable()) from None
    kind = found.drivername.partition("+")[0]
    if kind not in _DRIVERS:
        raise StoreError(
            f"The store cannot be kept in {kind!r}: give an address that starts with 'sqlite:///'"
            " or 'postgresql://'."
        )
    if "@" in (found.host or ""):
        raise StoreError(_unreadable())
    asked = found.query.get("password")
    password = found.password or (asked if isinstance(asked, str) else None)
    return found.difference_update_query(["password"]).set(
        drivername=_DRIVERS[kind], password=password
    )


def display_address(url: URL) -> str:
    """The address for people: *** in place of a password."""
    return url.difference_update_query([_UNSHOWN]).render_as_string(hide_password=True)


def secrets(url: URL) -> list[str]:
    """The passwords in an address."""
    return [str(secret) for secret in (url.password, url.query.get(_UNSHOWN)) if secret]


def _unreadable() -> str:
    form = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
    return (
        f"The address of the store cannot be read: write it as {form!r}, and @ : / in a password as"
        " %40 %3A %2F."
    )
