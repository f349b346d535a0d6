"""A kept reply that cannot be read, or answers something else, is dropped, logged and asked anew.

The run has what it would have had.
"""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from hallascope.data.models.specs import read_models
from hallascope.data.requests import Answer, Embedded, Write
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.fig_run import FIG, evaluate_fig, sees
from tests.support.vision_metric import models

LONG = json.dumps(
    {"text": "a red circle " * 10_000, "probabilities": None, "usage": None, "cut": False}
)
DAMAGED: dict[str, Any] = {
    "truncated JSON": '{"text": "A red cir',
    "no JSON": "A red circle.",
    "empty": "",
    "of the wrong type": '["A red circle."]',
    "a field of the wrong type": '{"text": {"A": 1}}',
    "a field missing": '{"probabilities": null}',
    "of an unknown kind": '{"kind": "picture", "png": "aGk="}',
    "JSON null": "null",
    "NULL": None,
    "a number": 17,
    "binary": b"\x00\xff\xfe{\x80",
    "text that is no UTF-8": b"\xff\xfe",
    "a mask that is none": '{"masks": [{"size": [2, 2], "counts": "9999"}]}',
    "a box that is none": (
        '{"detections": [{"phrase": "a", "box": {"left": 3, "top": 0, "right": 1, "bottom": 1},'
        ' "score": 1}]}'
    ),
    "deep": "[" * 100_000,
    "an answer of another role": '{"vector": [1.0, 0.0]}',
    "longer than its role may be": LONG,
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_reply_is_dropped_logged_and_asked_anew(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[Any] = []

    def says(request: Any) -> Any:
        asked.append(request)
        return sees(request)

    store = Store(folder=tmp_path)
    whole = evaluate_fig(Services(store, read_models(), models(says)), FIG)
    replies = len(asked)
    store.close()
    _damage(tmp_path, DAMAGED[kind])

    asked.clear()
    store = Store(folder=tmp_path)
    again = evaluate_fig(Services(store, read_models(), models(says)), FIG)
    store.close()
    assert again.report == whole.report
    assert len(asked) == replies, "every reply that was kept is asked again, and nothing else"
    assert len([message for message in caplog.messages if "asked again" in message]) == len(asked)

    asked.clear()
    _forget_evaluations(tmp_path)
    store = Store(folder=tmp_path)
    assert evaluate_fig(Services(store, read_models(), models(says)), FIG).report == whole.report
    store.close()
    assert not asked, "what was asked again is kept in the place of what was damaged"


def _damage(folder: Path, value: Any) -> None:
    """Put a value in the place of every kept reply, whatever the column takes.

    The picture stays, the evaluation goes.
    """
    with sqlite3.connect(next(folder.glob("*.db"))) as base:
        base.execute("CREATE TABLE other (key VARCHAR NOT NULL PRIMARY KEY, reply, created FLOAT)")
        text = (
            "CAST(? AS TEXT)"
            if isinstance(value, bytes) and value == DAMAGED["text that is no UTF-8"]
            else "?"
        )
        base.execute(f"INSERT INTO other SELECT key, {text}, created FROM cached_reply", (value,))
        base.execute("DROP TABLE cached_reply")
        base.execute("ALTER TABLE other RENAME TO cached_reply")
    base.close()
    _forget_evaluations(folder)


def _forget_evaluations(folder: Path) -> None:
    base = sa.create_engine(f"sqlite:///{next(folder.glob('*.db'))}")
    with base.begin() as connection:
        connection.execute(sa.text("DELETE FROM evaluation"))
    base.dispose()


@pytest.mark.parametrize("value", ["{", "null", '{"masks": "x"}', '{"kind": "picture"}'])
def test_both_sorts_of_store_drop_what_cannot_be_read_and_give_the_rest(
    url: str, tmp_path: Path, value: str
) -> None:
    store = Store(url, tmp_path)
    store.keep_replies({"good": Answer("A"), "bad": Answer("B")})
    with store.database.engine.begin() as connection:
        connection.execute(
            sa.text("UPDATE cached_reply SET reply = :value WHERE key = 'bad'"), {"value": value}
        )
    assert store.replies(["good", "bad"]) == {"good": Answer("A")}
    with store.database.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT key FROM cached_reply")).scalars().all() == [
            "good"
        ]
    store.keep_replies({"good": Embedded((1.0,))})
    assert store.replies(["good"]) == {"good": Embedded((1.0,))}
    store.close()


def test_a_kept_answer_of_another_type_is_no_answer_to_an_estimate_either(tmp_path: Path) -> None:
    from hallascope.engine.run.calls.cache import MemoryCache, kept_replies

    cache = MemoryCache({"k": Embedded((1.0,))})
    assert kept_replies(cache, [("k", Write("Text"))]) == {}


def test_a_truncated_answer_is_kept_under_the_field_name_of_older_stores(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    answer = Answer("A red cir", truncated=True)
    store.keep_replies({"key": answer})
    with store.database.engine.connect() as connection:
        row = connection.execute(sa.text("SELECT reply FROM cached_reply")).scalar_one()
    kept = json.loads(row)
    assert kept["cut"] is True
    assert "truncated" not in kept
    assert store.replies(["key"]) == {"key": answer}
    store.close()
