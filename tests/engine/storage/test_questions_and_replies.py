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
from hallascope.data.requests import Answer, Embedded
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.fig_run import FIG, evaluate_fig, sees
from tests.support.vision_metric import models

UNREADABLE: dict[str, Any] = {
    "truncated JSON": '{"text": "A red cir',
    "no JSON": "A red circle.",
    "empty": "",
    "of the wrong type": '["A red circle."]',
    "a field of the wrong type": '{"text": {"A": 1}}',
    "a field missing": '{"probabilities": null}',
    "of an unknown kind": '{"kind": "picture", "png": "aGk="}',
    "JSON null": "null",
    "a mask that is none": '{"masks": [{"size": [2, 2], "counts": "9999"}]}',
    "a box that is none": (
        '{"detections": [{"phrase": "a", "box": {"left": 3, "top": 0, "right": 1, "bottom": 1},'
        ' "score": 1}]}'
    ),
    "deep": "[" * 100_000,
}
NO_TEXT = {"NULL": None, "binary": b"\x00\xff\xfe{\x80"}
ANOTHER_REPLY = {
    "of another role": '{"vector": [1.0, 0.0]}',
    "longer than its role may be": json.dumps({"text": "a red circle " * 10_000}),
}


def test_what_cannot_be_read_is_dropped_and_the_rest_is_given(store: Store) -> None:
    keys = [f"bad {number}" for number, _ in enumerate(UNREADABLE)]
    store.keep_replies({"good": Answer("A"), **dict.fromkeys(keys, Answer("B"))})
    with store.database.engine.begin() as connection:
        for key, value in zip(keys, UNREADABLE.values(), strict=True):
            connection.execute(
                sa.text("UPDATE cached_reply SET reply = :value WHERE key = :key"),
                {"value": value, "key": key},
            )
    assert store.replies(["good", *keys]) == {"good": Answer("A")}
    with store.database.engine.connect() as connection:
        left = connection.execute(sa.text("SELECT key FROM cached_reply")).scalars().all()
    assert left == ["good"]
    store.keep_replies({"good": Embedded((1.0,))})
    assert store.replies(["good"]) == {"good": Embedded((1.0,))}


@pytest.mark.parametrize(
    "value", [*NO_TEXT.values(), *ANOTHER_REPLY.values()], ids=[*NO_TEXT, *ANOTHER_REPLY]
)
def test_a_damaged_reply_is_logged_asked_anew_and_replaced(
    value: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def evaluate() -> tuple[Any, int]:
        """The report, and how many requests were asked for it."""
        asked: list[Any] = []

        def says(request: Any) -> Any:
            asked.append(request)
            return sees(request)

        store = Store(folder=tmp_path)
        found = evaluate_fig(Services(store, read_models(), models(says)), FIG)
        store.close()
        return found.report, len(asked)

    whole, replies = evaluate()
    damage(tmp_path, value)
    assert evaluate() == (whole, replies), "all that was kept is asked again, and nothing else"
    assert len([said for said in caplog.messages if "asked again" in said]) == replies
    forget_evaluations(tmp_path)
    assert evaluate() == (whole, 0)


def damage(folder: Path, value: Any) -> None:
    """Put a value in the place of every kept reply, whatever the column takes."""
    with sqlite3.connect(next(folder.glob("*.db"))) as base:
        base.execute("CREATE TABLE other (key VARCHAR NOT NULL PRIMARY KEY, reply, created FLOAT)")
        base.execute("INSERT INTO other SELECT key, ?, created FROM cached_reply", (value,))
        base.execute("DROP TABLE cached_reply")
        base.execute("ALTER TABLE other RENAME TO cached_reply")
    base.close()
    forget_evaluations(folder)


def forget_evaluations(folder: Path) -> None:
    with sqlite3.connect(next(folder.glob("*.db"))) as base:
        base.execute("DELETE FROM evaluation")
    base.close()


def test_a_truncated_answer_is_kept_under_the_field_name_of_older_stores(store: Store) -> None:
    answer = Answer("A red cir", truncated=True)
    store.keep_replies({"key": answer})
    with store.database.engine.connect() as connection:
        row = connection.execute(sa.text("SELECT reply FROM cached_reply")).scalar_one()
    kept = json.loads(row)
    assert kept["cut"] is True
    assert "truncated" not in kept
    assert store.replies(["key"]) == {"key": answer}
