"""A database opens by its address, says in one sentence what it cannot do, and never shows a
password.
"""

import shutil
import sqlite3
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from hallascope.data.requests import Answer
from hallascope.engine.errors import StoreError
from hallascope.engine.storage import database as database_module
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import Generation
from tests.engine.storage.test_store import PLACE, REQUEST
from tests.support.images import png
from tests.support.postgres import Server

QUOTED = "geheim-5%25-und%40mehr"


def _paint(store: Store) -> None:
    store.keep_picture(PLACE, store.keep_image(png()))


def test_what_is_read_before_writing_stays_true_until_it_is_written(store: Store, url: str) -> None:
    """A picture that another process finishes between the reading and the writing of a failure is
    not lost.
    """
    other = Store(url, store.folder)
    store.start_run("r", REQUEST, [PLACE])
    with store.database.write_transaction() as session:
        row = session.get_one(Generation, PLACE.id, with_for_update={"key_share": True})
        late = threading.Thread(target=_paint, args=(other,))
        late.start()
        late.join(0.05)
        assert late.is_alive()
        row.state = "failed"
    late.join()
    assert [shot.state for shot in store.generated_pictures("r")] == ["done"]
    other.close()


def test_a_server_or_driver_that_is_not_there_is_one_sentence_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = f"postgresql://u:{QUOTED}@127.0.0.1:1/db"
    with pytest.raises(StoreError, match=r"u:\*\*\*@127.0.0.1:1/db.*server runs") as raised:
        Store(written, tmp_path)
    assert "geheim" not in "".join(traceback.format_exception(raised.value))
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(
        StoreError, match=r"u:\*\*\*@.*pip install 'hallascope\[postgresql\]'"
    ) as raised:
        Store(written, tmp_path)
    assert "geheim" not in str(raised.value)


@pytest.fixture
def lent(postgres: Server) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@pytest.mark.full
def test_nothing_that_prints_a_store_prints_the_password(
    tmp_path: Path, postgres: Server, lent: str
) -> None:
    store = Store(lent, tmp_path)
    for said in (
        repr(store),
        store.display_address,
        repr(store.database),
        repr(store.database.engine),
        str(store.database.engine.url),
    ):
        assert "***" in said
        assert "not-asked-for" not in said
    store.close()
    missing = r"could not be opened .*\"nowhere\" does not exist"
    with pytest.raises(StoreError, match=missing) as raised:
        Store(postgres.url("nowhere"), tmp_path)
    assert "not-asked-for" not in str(raised.value)


@pytest.mark.full
def test_a_server_that_goes_away_is_one_sentence_and_its_return_is_enough(
    tmp_path: Path, postgres: Server, lent: str
) -> None:
    store = Store(lent, tmp_path)
    store.keep_replies({"k": Answer("A")})
    name = make_url(lent).database
    postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    postgres.say(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    with pytest.raises(StoreError, match="could not be read"):
        store.replies(["k"])
    postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert store.replies(["k"]) == {"k": Answer("A")}
    store.close()


def test_a_full_database_is_one_sentence_and_what_was_stored_stays(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    store.keep_replies({"first": Answer("A")})
    with store.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1")
    with pytest.raises(StoreError, match=r"full.*: free some space"):
        store.keep_replies({f"k{n}": Answer("A" * 5000) for n in range(50)})
    assert store.replies(["first", "k0"]) == {"first": Answer("A")}
    store.close()


def test_a_store_that_may_not_be_written_is_one_sentence(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    store.start_run("r", REQUEST, [PLACE])
    store.close()
    readonly = Store(f"sqlite:///file:{tmp_path / 'hallascope.db'}?mode=ro&uri=true", tmp_path)
    assert readonly.run("r").id == "r"
    with pytest.raises(StoreError, match="readonly"):
        readonly.end_run("r", "finished")
    readonly.close()


def test_a_folder_that_cannot_be_made_and_a_file_that_is_no_database_are_one_sentence(
    tmp_path: Path,
) -> None:
    file = tmp_path / "hallascope.db"
    file.write_bytes(b"not a database, but long enough to be looked at" * 50)
    with pytest.raises(StoreError, match="could not be opened"):
        Store(folder=file / "home")
    with pytest.raises(StoreError, match=r"not a database.*: put a backup in its place"):
        Store(folder=tmp_path)


def test_the_remedy_for_a_malformed_database_is_a_backup_and_not_more_space(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    store.keep_replies({f"k{n}": Answer("A" * 5000) for n in range(50)})
    with store.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    file = tmp_path / "hallascope.db"
    data = bytearray(file.read_bytes())
    data[4096 : len(data)] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(bytes(data))
    with pytest.raises(StoreError, match="malformed") as raised:
        Store(folder=tmp_path).replies(["k1"])
    assert "put a backup in its place" in str(raised.value)
    assert "free some space" not in str(raised.value)


def test_what_does_not_fit_is_said_to_be_wrong_itself(store: Store) -> None:
    with pytest.raises(StoreError, match="fix what was to be kept"):
        store.start_run("r", REQUEST, [PLACE._replace(seed=2**70)])
    assert store.runs() == []


@pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced"])
def test_a_file_that_is_removed_or_replaced_while_it_is_open_is_one_sentence(
    tmp_path: Path, replaced: bool
) -> None:
    store = Store(folder=tmp_path)
    (tmp_path / "hallascope.db").rename(tmp_path / "moved.db")
    if replaced:
        shutil.copy(tmp_path / "moved.db", tmp_path / "hallascope.db")
    with pytest.raises(StoreError, match=r"was removed or replaced while it was in use: put it"):
        store.start_run("r", REQUEST, [PLACE])
    store.close()


def test_a_file_that_another_program_holds_has_the_remedy_to_end_that_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "_BUSY_SECONDS", 0)
    store = Store(folder=tmp_path)
    with closing(sqlite3.connect(tmp_path / "hallascope.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is locked\): end the program that holds it and try"):
            store.start_run("r", REQUEST, [PLACE])
    store.close()
