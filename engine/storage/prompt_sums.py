"""Keeps what each prompt adds to the standings, which leaderboards list and compare models by.

It knows neither reports nor sums.
"""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa
from sqlmodel import Session

from hallascope.metrics.running_sums import Cluster

Key = tuple[int, int, str, str]  # slice, trial, score, part
_KEY = ("prompt", "above", "trial", "score", "part")
_TOLD = ("slice", "evaluation", "total", "weight", "answered", "unanswered", "value")
COLUMNS = (*_KEY, *_TOLD)

_PUT = sa.text(
    f"INSERT INTO prompt_standing ({', '.join(COLUMNS)}) VALUES ({', '.join(f':{name}' for name in COLUMNS)}) "
    f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _TOLD)}"
)
_TAKE = sa.text(
    f"DELETE FROM prompt_standing WHERE {' AND '.join(f'{name} = :{name}' for name in _KEY)}"
)


class Held(NamedTuple):
    """What one prompt has of one score and part, and the first of the evaluations that are counted
    in it.
    """

    cluster: Cluster
    evaluation: int

    def plus(
        self, total: float, weight: float, answered: int, unanswered: int, evaluation: int
    ) -> "Held":
        """With one more picture or trial."""
        return Held(
            self.cluster.plus(total, weight, answered, unanswered), min(self.evaluation, evaluation)
        )


Own = Mapping[Key, Held]  # of one prompt


def renew(session: Session, prompt: str, before: Own, after: Own, above: Mapping[int, int]) -> None:
    """Keep what a prompt has now, where it differs from what it had.

    `above`: of each slice the one over all prompts of its model.
    """
    run = session.connection().execute
    old, new = (
        {(above[key[0]], *key[1:]): (key[0], held) for key, held in own.items()}
        for own in (before, after)
    )
    if gone := [_named(prompt, key) for key in sorted(old.keys() - new.keys())]:
        run(_TAKE, gone)
    if changed := [
        _named(prompt, key) | _told(*new[key]) for key in sorted(new) if old.get(key) != new[key]
    ]:
        run(_PUT, changed)


def _named(prompt: str, key: Key) -> dict[str, object]:
    return dict(zip(_KEY, (prompt, *key), strict=True))


def _told(number: int, held: Held) -> dict[str, object]:
    cluster = held.cluster
    sums = (cluster.total, cluster.weight, cluster.answered, cluster.unanswered, cluster.value)
    return dict(zip(_TOLD, (number, held.evaluation, *sums), strict=True))
