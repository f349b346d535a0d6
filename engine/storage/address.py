"""Parses the URL of a database and shows it without its password."""

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
_KEY_PASSWORD = "sslpassword"  # a second password, which libpq takes in the query
_UNREADABLE = (
    "The address of the store cannot be read: write it as"
    " 'postgresql://USER:PASSWORD@HOST:PORT/DATABASE', and @ : / in a password as %40 %3A %2F."
)


def local_url(folder: Path) -> URL:
    """Return the URL of SQLite in a folder, whatever characters its name has."""
    return URL.create("sqlite", database=str(folder / FILE))


def parse_url(text: str) -> URL:
    """Return the URL of an SQLite file or a PostgreSQL database.

    A password in the query is moved to its usual place. Raises StoreError, which repeats nothing of
    what may be a password.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(_UNREADABLE) from None
    kind = url.drivername.partition("+")[0]
    if kind not in _DRIVERS:
        raise StoreError(
            f"The store cannot be kept in {kind!r}: give an address that starts with 'sqlite:///'"
            " or 'postgresql://'."
        )
    if "@" in (url.host or ""):
        raise StoreError(_UNREADABLE)
    in_query = url.query.get("password")
    password = url.password or (in_query if isinstance(in_query, str) else None)
    return url.difference_update_query(["password"]).set(
        drivername=_DRIVERS[kind], password=password
    )


def display_address(url: URL) -> str:
    """Return the URL for people, with *** in place of a password."""
    return url.difference_update_query([_KEY_PASSWORD]).render_as_string(hide_password=True)


def passwords(url: URL) -> list[str]:
    """Return the passwords in a URL."""
    return [str(secret) for secret in (url.password, url.query.get(_KEY_PASSWORD)) if secret]
