"""The part of the store that outlives a run: questions saved by prompt, and replies kept by key."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import Field, TypeAdapter
from sqlmodel import col, delete, select

from hallascope.data.records import QuestionSet
from hallascope.data.requests import CacheableReply
from hallascope.engine.errors import StoreError
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.tables import CachedReply, QuestionSetRow

CHUNK = 500  # SQLite takes a limited number of values in one statement

# No two sorts of reply share a field that must be there, so each is known by its fields; the first,
# and most, are answers.
_REPLY: TypeAdapter[CacheableReply] = TypeAdapter(
    Annotated[CacheableReply, Field(union_mode="left_to_right")]
)
_LOG = logging.getLogger(__name__)
_QUESTION_SET = TypeAdapter(QuestionSet)


class QuestionAndReplyStore:
    """Questions and replies in `database`."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def question_set(self, prompt: str) -> QuestionSet | None:
        """The saved questions of a prompt; capitals and spaces do not matter."""
        with self.database.reading() as session:
            row = session.get(QuestionSetRow, _normalize_prompt(prompt))
        return _QUESTION_SET.validate_json(row.questions) if row else None

    def question_sets(self) -> list[QuestionSet]:
        """All saved questions, in the order of their prompts."""
        with self.database.reading() as session:
            rows = session.exec(select(QuestionSetRow)).all()
        return [
            _QUESTION_SET.validate_json(row.questions)
            for row in sorted(rows, key=lambda row: row.prompt)
        ]

    def keep_question_set(self, questions: QuestionSet) -> None:
        """Save the questions of a prompt in place of those that were there."""
        row = QuestionSetRow(
            prompt=_normalize_prompt(questions.prompt),
            questions=_QUESTION_SET.dump_json(questions).decode(),
        )
        with self.database.writing() as session:
            self.database.upsert(session, row, renew=("questions",))

    def remove_question_set(self, prompt: str) -> None:
        """Forget the saved questions of a prompt; nothing happens where there are none.

        What was judged by them stays.
        """
        with self.database.writing() as session:
            session.exec(
                delete(QuestionSetRow).where(
                    col(QuestionSetRow.prompt) == _normalize_prompt(prompt)
                )
            )

    def replies(self, keys: Iterable[str]) -> Mapping[str, CacheableReply]:
        """The kept replies among these keys (see `hallascope.engine.run.cache`).

        A row that cannot be read is logged, and dropped.
        """
        wanted = list(keys)
        if not wanted:
            return {}
        rows: list[tuple[str, Any]] = []
        with self.database.reading() as session:
            for start in range(0, len(wanted), CHUNK):
                chosen = sa.select(col(CachedReply.key), self._as_it_lies()).where(
                    col(CachedReply.key).in_(wanted[start : start + CHUNK])
                )
                rows += [(key, reply) for key, reply in session.execute(chosen).all()]
        read = {key: _decode_reply(key, reply) for key, reply in rows}
        self._drop([key for key, reply in read.items() if reply is None])
        return {key: reply for key, reply in read.items() if reply is not None}

    def _as_it_lies(self) -> Any:
        """Return the column of the replies, of SQLite as bytes.

        SQLite takes anything as text and raises for all rows where one is no UTF-8.
        """
        column = col(CachedReply.reply)
        return (
            sa.cast(column, sa.LargeBinary)
            if self.database.engine.dialect.name == "sqlite"
            else column
        )

    def _drop(self, keys: Sequence[str]) -> None:
        """Forget replies that cannot be read.

        Where the store cannot be written, they stay and are asked anew all the same.
        """
        if keys:
            with suppress(StoreError), self.database.writing() as session:
                session.execute(delete(CachedReply).where(col(CachedReply.key).in_(keys)))

    def keep_replies(self, replies: Mapping[str, CacheableReply]) -> None:
        """Keep replies by key, in place of those that are there.

        A reply is asked for again where the kept one does not do.
        """
        with self.database.writing() as session:
            rows = (
                CachedReply(key=key, reply=_REPLY.dump_json(reply).decode())
                for key, reply in replies.items()
            )
            self.database.upsert(session, *rows, renew=("reply",))


def _decode_reply(key: str, reply: object) -> CacheableReply | None:
    """A kept reply; None where nothing can be made of it, whatever stands there."""
    try:
        return _REPLY.validate_json(reply)  # type: ignore[arg-type]
    except (
        Exception
    ) as error:  # what a damaged file holds may be of any kind, and so may what is raised
        _LOG.warning(
            "The kept reply %s cannot be read (%s): it is dropped and asked anew.",
            key,
            type(error).__name__,
        )
        return None


def _normalize_prompt(prompt: str) -> str:
    return " ".join(prompt.lower().replace("\0", " ").split())
