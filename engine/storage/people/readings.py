"""Keeps what people say that prompts ask for, where they correct what a parser read."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter
from sqlmodel import col, delete, select

from hallascope.data.prompt_reading import PromptReading, find_places
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.tables import ReadingRow

_READING = TypeAdapter(PromptReading)


@dataclass(frozen=True)
class Correction:
    """Holds what a person (`reading.author`) says that a prompt asks for, and when.

    `created` is in seconds since 1970.
    """

    reading: PromptReading
    created: float


class ReadingStore:
    """Keeps one correction of a prompt by each author; the newest of a prompt is used.

    On a public app a visitor's correction holds for that visitor alone.

    A prompt is the same with other spaces, and not with other capitals. Every method raises
    StoreError as the store does. `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._owners = Owners(database)
        self._clock = clock

    def keep(self, reading: PromptReading, author: str) -> PromptReading:
        """Keep a reading as its author's, in place of an earlier one of the same author.

        Return it as it will be used: with its author, and a person as its source.
        """
        return self.keep_authored([replace(reading, author=author)])[0]

    def keep_authored(self, readings: Iterable[PromptReading]) -> list[PromptReading]:
        """Keep readings as those of the authors that they name, all of them or none."""
        now = self._clock()
        authored = [replace(reading, source="person") for reading in readings]
        with self._database.write_transaction() as session:
            rows = []
            for named in authored:
                author = self._owners.person(session, named.author)
                reading = replace(named, author=author)
                values = {
                    "id": _reading_id(reading.prompt, author),
                    "prompt_hash": _prompt_hash(reading.prompt),
                    "author": author,
                    "reading": _READING.dump_json(reading).decode(),
                    "created": now,
                }
                rows.append(ReadingRow(**storable(values)))
            self._database.upsert(session, *rows, renew=("reading", "created"))
        return authored

    def newest(self, prompt: str) -> PromptReading | None:
        """Return the newest correction of a prompt by anybody, None where there is none."""
        return self.newest_of([prompt]).get(prompt)

    def newest_of(self, prompts: Iterable[str]) -> dict[str, PromptReading]:
        """Return the newest correction of each of these prompts that has one."""
        hash_by_prompt = {prompt: _prompt_hash(prompt) for prompt in prompts}
        rows = self._read(self._used(), hash_by_prompt.values())
        newest = {row.prompt_hash: row.reading for row in rows}
        return {
            prompt: _READING.validate_json(newest[key])
            for prompt, key in hash_by_prompt.items()
            if key in newest
        }

    def of_prompt(self, prompt: str) -> list[PromptReading]:
        """Return all corrections of a prompt that hold for who asks, the newest first."""
        rows = self._read(self._used(), [_prompt_hash(prompt)])
        return [_READING.validate_json(row.reading) for row in reversed(rows)]

    def all(self) -> list[Correction]:
        """Return all corrections, the oldest first."""
        rows = self._read(self._visible())
        return [Correction(_READING.validate_json(row.reading), row.created) for row in rows]

    def _read(self, query: Any, hashes: Iterable[str] | None = None) -> list[ReadingRow]:
        """Return the rows of a statement, the oldest first, of prompts of these hashes alone."""
        ordered = query.order_by(col(ReadingRow.created), col(ReadingRow.id))
        if hashes is None:
            return self._database.read(ordered)
        return self._database.read(ordered, col(ReadingRow.prompt_hash), dict.fromkeys(hashes))

    def remove(self, prompt: str, author: str) -> None:
        """Take back an author's correction of a prompt; nothing happens where there is none.

        What was evaluated with it stays. Raises NotYours.
        """
        with self._database.write_transaction() as session:
            name = _reading_id(prompt, self._owners.person(session, author))
            session.exec(delete(ReadingRow).where(col(ReadingRow.id) == name))

    def _visible(self) -> Any:
        """Return the statement of the corrections that who asks may see."""
        return self._owners.hide_others(select(ReadingRow), "person", col(ReadingRow.author))

    def _used(self) -> Any:
        """Return the statement of the corrections that hold for who asks."""
        return self._owners.hide_visitors(self._visible(), "person", col(ReadingRow.author))


def reading_key(reading: PromptReading) -> str:
    """Return the start of a hash of what a reading says, whoever wrote it, wherever it is found."""
    document = _READING.dump_json(find_places(replace(reading, source="person", author="")))
    return sha256(document).hexdigest()[:16]


def _reading_id(prompt: str, author: str) -> str:
    return sha256(json.dumps([" ".join(prompt.split()), author]).encode()).hexdigest()


def _prompt_hash(prompt: str) -> str:
    """Return a hash of a prompt, the same with other spaces."""
    return sha256(json.dumps(" ".join(prompt.split())).encode()).hexdigest()
