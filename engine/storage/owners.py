"""Decides what a visitor of a public app may write and delete; every store asks here.

What the operator made has no owner: visitors see it and do not change it. The operator, and whoever
works on a machine of their own, may change everything.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any, Literal

import sqlalchemy as sa
from sqlmodel import Session, col

from hallascope.engine.access.visitors import UNNAMED, Visitor
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.tables import (
    LabelingRecordRow,
    LessonAnswerRow,
    OwnerRow,
    RatingRow,
    ReadingRow,
)

Kind = Literal["run", "plan", "person", "lesson"]
# where the names of people stand
_NAMES: tuple[Any, ...] = (
    RatingRow.rater,
    ReadingRow.author,
    LabelingRecordRow.rater,
    LessonAnswerRow.learner,
)


class NotYours(BadRequest):
    """Raised where a visitor would change what is another's."""


class Owners:
    """Checks writes and deletes of the visitor of `database`; None is the operator."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def visitor(self) -> Visitor | None:
        return self._database.visitor

    def new(self, session: Session, kind: Kind, key: str) -> None:
        """Note that what the visitor makes is theirs. Raises NotYours, OverLimit."""
        self.count_write()
        self.add(session, kind, key)

    def person(self, session: Session, name: str) -> str:
        """Return the name under which the visitor may say something: theirs from now on.

        "" is a name that nobody else has. Raises NotYours, OverLimit.
        """
        visitor = self.visitor
        if visitor is None:
            return name
        identity = self.count_write()
        if name in ("", visitor.name):
            self.add(session, "person", visitor.name)
            return visitor.name
        if identity not in self._owners(session, "person", name):
            if name.startswith(UNNAMED) or self._is_taken(session, name):
                raise NotYours(
                    f"{name!r} is the name of somebody else here, or yours in another browser:"
                    " take another name."
                )
            self.add(session, "person", name)
        return name

    def stored_name(self, name: str) -> str:
        """Return the name under which is kept what the visitor says as `name`."""
        return name or (self.visitor.name if self.visitor else "")

    def shown_name(self, name: str) -> str:
        """Return a stored name as the visitor sees it: "" for what they said without a name."""
        return "" if self.visitor and name == self.visitor.name else name

    def add(self, session: Session, kind: Kind, key: str, *, is_author: bool = True) -> None:
        """Note that something is the visitor's; nothing is noted of the operator or of nobody."""
        if self.visitor and self.visitor.id:
            row = OwnerRow(kind=kind, key=key, owner=self.visitor.id, is_author=is_author)
            self._database.upsert(session, row)

    def require(self, session: Session, kind: Kind, key: str) -> None:
        """Raise NotYours where something is not the visitor's."""
        if self.visitor and self.count_write() not in self._owners(session, kind, key):
            raise NotYours(f"This {kind} is not yours: only who made it changes or deletes it.")

    def is_sole_author(self, session: Session, kind: Kind, key: str) -> bool:
        """Return whether the visitor made something, and nobody else has it."""
        if self.visitor is None:
            return True
        return self._owners(session, kind, key) == {self.visitor.id: True}

    def share(self, session: Session, kind: Kind, key: str) -> None:
        """Note that the operator has something, too: no visitor alone made it from now on."""
        session.execute(
            sa.update(OwnerRow)
            .where(col(OwnerRow.kind) == kind, col(OwnerRow.key) == key)
            .values(is_author=False)
        )

    def remove(self, session: Session, kind: Kind, key: str) -> None:
        """Forget that something is the visitor's, or of the operator anybody's."""
        statement = sa.delete(OwnerRow).where(col(OwnerRow.kind) == kind, col(OwnerRow.key) == key)
        if self.visitor:
            statement = statement.where(col(OwnerRow.owner) == self.visitor.id)
        session.execute(statement)

    def own(self, kind: Kind) -> Any:
        """Return the statement of the keys of what is the visitor's."""
        owner = self.visitor.id if self.visitor else ""
        return sa.select(col(OwnerRow.key)).where(
            col(OwnerRow.kind) == kind, col(OwnerRow.owner) == owner
        )

    def hide_others(self, statement: Any, kind: Kind, column: Any) -> Any:
        """Return a statement without the rows whose `column` names what other visitors own."""
        if self.visitor is None:
            return statement
        owned = sa.select(col(OwnerRow.key)).where(
            col(OwnerRow.kind) == kind, col(OwnerRow.owner) != self.visitor.id
        )
        return statement.where(sa.or_(column.not_in(owned), column.in_(self.own(kind))))

    def hide_visitors(self, statement: Any, kind: Kind, column: Any) -> Any:
        """Return a statement without the rows whose `column` names what the visitors own.

        That is for the operator; a visitor's statement stays as it is.
        """
        if self.visitor:
            return statement
        owned = sa.select(col(OwnerRow.key)).where(col(OwnerRow.kind) == kind)
        return statement.where(column.not_in(owned))

    def count_write(self) -> str:
        """Count a write of the visitor, and return who writes. Raises NotYours, OverLimit."""
        visitor, quotas = self.visitor, self._database.quotas
        if visitor is None:
            return ""
        if not visitor.id:
            raise NotYours(
                "This app cannot tell who you are: allow its cookie in your browser, or log in, and"
                " reload the page."
            )
        if quotas:
            quotas.writes.take(visitor.network)
            quotas.stored.require_room(visitor.network, 0)
        return visitor.id

    def _owners(self, session: Session, kind: Kind, key: str) -> dict[str, bool]:
        statement = sa.select(col(OwnerRow.owner), col(OwnerRow.is_author)).where(
            col(OwnerRow.kind) == kind, col(OwnerRow.key) == key
        )
        return {row.owner: row.is_author for row in session.execute(statement)}

    def _is_taken(self, session: Session, name: str) -> bool:
        """Return whether somebody else has a name that people cannot tell from this one."""
        persons = sa.select(col(OwnerRow.key)).where(col(OwnerRow.kind) == "person")
        statements: Iterable[Any] = (persons, *(sa.select(one).distinct() for one in _NAMES))
        known = {row for one in statements for row in session.execute(one).scalars()}
        own = set(session.execute(self.own("person")).scalars())
        look = _look(name)
        return any(_look(other) == look for other in known - own)


def _look(name: str) -> str:
    """Return what of a name people see: not capitals, spaces, or characters without a width."""
    seen = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in seen if not unicodedata.category(sign).startswith(("C", "Z")))
