"""The part of the store that outlives a run: questions saved by prompt, and replies kept by key."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field, TypeAdapter
from sqlmodel import col, delete, select

from data.records import QuestionSet
from data.requests import Lasting
from engine.storage.database import Database
from engine.storage.tables import CachedReply, QuestionSetRow

CHUNK = 500  # SQLite takes a limited number of values in one statement

# No two sorts of reply share a field that must be there, so each is known by its fields; the first, and most, are answers.
_REPLY: TypeAdapter[Lasting] = TypeAdapter(Annotated[Lasting, Field(union_mode="left_to_right")])
_QUESTION_SET = TypeAdapter(QuestionSet)


class Saved:
    """Questions and replies in `database`."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def question_set(self, prompt: str) -> QuestionSet | None:
        """The saved questions of a prompt; capitals and spaces do not matter."""
        with self.database.reading() as session:
            row = session.get(QuestionSetRow, _folded(prompt))
        return _QUESTION_SET.validate_json(row.questions) if row else None

    def question_sets(self) -> list[QuestionSet]:
        """All saved questions, in the order of their prompts."""
        with self.database.reading() as session:
            rows = session.exec(select(QuestionSetRow)).all()
        return [_QUESTION_SET.validate_json(row.questions) for row in sorted(rows, key=lambda row: row.prompt)]

    def keep_question_set(self, questions: QuestionSet) -> None:
        """Save the questions of a prompt in place of those that were there."""
        row = QuestionSetRow(prompt=_folded(questions.prompt), questions=_QUESTION_SET.dump_json(questions).decode())
        with self.database.writing() as session:
            self.database.put(session, row, renew=("questions",))

    def remove_question_set(self, prompt: str) -> None:
        """Forget the saved questions of a prompt; nothing happens where there are none. What was judged by them stays."""
        with self.database.writing() as session:
            session.exec(delete(QuestionSetRow).where(col(QuestionSetRow.prompt) == _folded(prompt)))

    def replies(self, keys: Iterable[str]) -> Mapping[str, Lasting]:
        """The kept replies among these keys (see `engine.cache`)."""
        wanted = list(keys)
        if not wanted:
            return {}
        found: dict[str, Lasting] = {}
        with self.database.reading() as session:
            for start in range(0, len(wanted), CHUNK):
                chosen = select(CachedReply.key, CachedReply.reply).where(col(CachedReply.key).in_(wanted[start : start + CHUNK]))
                found |= {key: _REPLY.validate_json(reply) for key, reply in session.exec(chosen).all()}
        return found

    def keep_replies(self, replies: Mapping[str, Lasting]) -> None:
        """Keep replies by key."""
        with self.database.writing() as session:
            rows = (CachedReply(key=key, reply=_REPLY.dump_json(reply).decode()) for key, reply in replies.items())
            self.database.put(session, *rows)


def _folded(prompt: str) -> str:
    return " ".join(prompt.lower().replace("\0", " ").split())
