"""Keeps what outlives a run: questions saved by prompt, and replies kept by key."""

import hashlib
import logging
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import Field, TypeAdapter
from sqlmodel import col, delete, select

from hallascope.data.records import QuestionSet
from hallascope.data.requests import CacheableReply
from hallascope.engine.errors import StoreError
from hallascope.engine.storage.database import Database, chunked
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.tables import CachedReply, QuestionSetRow

# No two kinds of reply share a required field, so each is known by its fields. The first of the
# union, and most, are answers.
_REPLY: TypeAdapter[CacheableReply] = TypeAdapter(
    Annotated[CacheableReply, Field(union_mode="left_to_right")]
)
_SELECT_QUESTIONS = sa.text("SELECT questions FROM question_set WHERE prompt = :prompt")
_SELECT_REPLIES = {
    # SQLite takes anything as text, and reading it as text raises for all rows where one is no
    # UTF-8
    dialect: sa.text(f"SELECT key, {column} FROM cached_reply WHERE key IN :keys").bindparams(
        sa.bindparam("keys", expanding=True)
    )
    for dialect, column in (("sqlite", "CAST(reply AS BLOB)"), ("postgresql", "reply"))
}
_CHUNK = 500  # rows that are read at once
_LOG = logging.getLogger(__name__)
_QUESTION_SET = TypeAdapter(QuestionSet)


class QuestionAndReplyStore:
    """Keeps questions and replies in `database`."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def question_set(self, prompt: str) -> QuestionSet | None:
        """Return the saved questions of a prompt; capitals and spaces do not matter.

        A visitor of a public app gets the operator's, else their own.
        """
        name = normalize_prompt(prompt)
        with self.database.read_connection() as connection:
            for key in dict.fromkeys((name, self._own(name))):
                questions = connection.execute(_SELECT_QUESTIONS, {"prompt": key}).scalar()
                if questions is not None:
                    return _QUESTION_SET.validate_json(questions)
        return None

    def has_shared_questions(self, prompt: str) -> bool:
        """Return whether a prompt has questions that are the operator's."""
        with self.database.read_transaction() as session:
            return session.get(QuestionSetRow, normalize_prompt(prompt)) is not None

    def _own(self, name: str) -> str:
        """Return the key of the visitor's own questions, or of the operator's."""
        visitor = self.database.visitor
        return f"{name}\n{visitor.id}" if visitor else name

    def question_sets(self) -> list[QuestionSet]:
        """Return all saved questions, in the order of their prompts."""
        query = select(QuestionSetRow)
        if self.database.visitor:
            prompt = col(QuestionSetRow.prompt)
            query = query.where(~prompt.contains("\n") | prompt.endswith(self._own("")))
        # sorted here, as databases order letters differently
        ordered = sorted(self.database.read(query), key=lambda row: row.prompt)
        return [_QUESTION_SET.validate_json(row.questions) for row in ordered]

    def keep_question_set(self, questions: QuestionSet) -> None:
        """Save the questions of a prompt in place of those that were there."""
        row = QuestionSetRow(
            prompt=self._own(normalize_prompt(questions.prompt)),
            questions=_QUESTION_SET.dump_json(questions).decode(),
        )
        with self.database.write_transaction() as session:
            Owners(self.database).count_write()
            self.database.upsert(session, row, renew=("questions",))

    def remove_question_set(self, prompt: str) -> None:
        """Forget the saved questions of a prompt; nothing happens where there are none.

        What was judged by them stays.
        """
        statement = delete(QuestionSetRow).where(
            col(QuestionSetRow.prompt) == self._own(normalize_prompt(prompt))
        )
        with self.database.write_transaction() as session:
            session.exec(statement)

    def hash_questions(self, prompts: Iterable[str]) -> str:
        """Return a hash of the questions saved for these prompts."""
        names = set(map(normalize_prompt, prompts))
        digest = hashlib.sha256()
        with self.database.read_transaction() as session:
            rows = session.exec(
                select(QuestionSetRow)
                .order_by(col(QuestionSetRow.prompt))
                .execution_options(yield_per=_CHUNK)
            )
            for row in rows:
                if row.prompt in names:
                    digest.update(f"{row.prompt}\n{row.questions}\n".encode())
        return digest.hexdigest()

    def replies(self, keys: Iterable[str]) -> Mapping[str, CacheableReply]:
        """Return the kept replies among these keys (see `hallascope.engine.run.calls.cache`).

        A row that cannot be read is logged, and dropped.
        """
        statement = _SELECT_REPLIES[self.database.engine.dialect.name]
        rows: list[Any] = []
        with self.database.read_connection() as connection:
            for chunk in chunked(keys):
                rows += connection.execute(statement, {"keys": chunk}).all()
        replies: dict[str, CacheableReply] = {}
        damaged: list[str] = []
        for key, text in rows:
            reply = _decode_reply(key, text)
            if reply is None:
                damaged.append(key)
            else:
                replies[key] = reply
        if damaged:
            # where the store cannot be written they stay, and are requested again all the same
            with suppress(StoreError), self.database.write_transaction() as session:
                session.execute(delete(CachedReply).where(col(CachedReply.key).in_(damaged)))
        return replies

    def keep_replies(self, replies: Mapping[str, CacheableReply]) -> None:
        """Keep replies by key, in place of those that are there.

        A reply is requested again where the kept one does not do.
        """
        now = time.time()
        rows = [
            {
                "key": key,
                "reply": _REPLY.dump_json(reply, by_alias=True).decode(),
                "created": now,
            }
            for key, reply in replies.items()
        ]
        with self.database.write_connection() as connection:
            self.database.write_rows(connection, CachedReply, rows, renew=("reply",))


def _decode_reply(key: str, reply: object) -> CacheableReply | None:
    """Return a kept reply, None where it cannot be read."""
    try:
        return _REPLY.validate_json(reply)  # type: ignore[arg-type]
    # what a damaged file holds may be of any kind, and so may what is raised
    except Exception as error:
        _LOG.warning(
            "The kept reply %s cannot be read (%s): it is dropped and asked again.",
            key,
            type(error).__name__,
        )
        return None


def normalize_prompt(prompt: str) -> str:
    """Return a prompt in the form under which its questions are saved."""
    return " ".join(prompt.lower().replace("\0", " ").split())
