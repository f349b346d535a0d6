"""Holds one live class: its pupils by anonymous tokens, their answers, and what is shown now.

Nothing of it is written anywhere. It knows no address and no page.
"""

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from hallascope.data.outlines import OutlinePoint
from hallascope.data.teaching.class_lesson import ClassLesson, LessonStep, Phase
from hallascope.engine.access.limits import OverLimit
from hallascope.engine.errors import BadRequest
from hallascope.engine.teaching.live.messages import Admission, PupilAnswer, TeacherMove

MAX_PUPILS = 200
# answers that a pupil may send at once, and how many more in a second
BURST = 20
RATE = 2.0
# pupils that may join from one network at once, as a school has one address, and how many more in a
# second: so that a script that joins again and again leaves room, and time to stop them
JOIN_BURST = 45
JOIN_RATE = 10 / 60


class ClassFull(BadRequest):
    """Raised where a class has as many pupils as it may have."""


class NotInClass(BadRequest):
    """Raised where a token is of no pupil of the class, or a key not that of its teacher."""


class NotAdmitted(NotInClass):
    """Raised where a teacher removed the pupil of a token, or lets no new pupils in."""


class AnswersClosed(BadRequest):
    """Raised where an answer comes for a step that is not open, or no longer."""


class _Allowance:
    """Allows so many things at once, and so many more in each second."""

    def __init__(self, burst: int, rate: float, now: float) -> None:
        self._burst = self._left = float(burst)
        self._rate = rate
        self._seen = now

    def take(self, now: float) -> bool:
        """Return whether one more is allowed, and count it."""
        self._left = min(self._burst, self._left + self._rate * (now - self._seen))
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass
class _Pupil:
    """Holds the answers of a pupil by step, and how many more may be sent at the moment.

    `number` is from 1, in the order in which pupils joined.
    """

    number: int
    allowance: _Allowance
    answers: dict[int, PupilAnswer] = field(default_factory=dict)
    version: int = 0


@dataclass(frozen=True)
class StepTally:
    """Holds what a class answered to a step: how many chose each choice, and all taps.

    `answered` counts pupils who chose or tapped, `chosen` those who chose. `hits` of the taps are
    on the error.
    """

    answered: int
    chosen: int
    counts: tuple[int, ...]
    taps: tuple[OutlinePoint, ...]
    hits: int


class LiveClass:
    """Holds a class. Safe to use from many threads; `clock` gives seconds.

    Its teacher is who has the key, of which only a hash is kept; `starters` are the network and the
    browser that started it.
    """

    def __init__(
        self,
        code: str,
        lesson: ClassLesson,
        key: str,
        clock: Callable[[], float],
        starters: tuple[str, ...] = (),
    ) -> None:
        self.code = code
        self.lesson = lesson
        self._key = _digest(key)
        self._clock = clock
        self.started = self.used = clock()
        self.starters = starters
        self.is_open = True  # new pupils may join
        self._move = TeacherMove(-1)
        self._version = 0  # grows with all that the teacher's page shows
        self._moves = 0  # grows with what is shown to every pupil
        self._pupils: dict[str, _Pupil] = {}
        self.joined = 0  # also those who were removed
        self._removed: set[str] = set()
        self._joins: dict[str, _Allowance] = {}  # by network
        self._lock = threading.Lock()

    @property
    def pupils(self) -> dict[int, int]:
        """Return the number of each pupil in the class, and how many steps it has answered."""
        with self._lock:
            return {pupil.number: len(pupil.answers) for pupil in self._pupils.values()}

    @property
    def shown(self) -> TeacherMove:
        """Return the step and the phase that the class is at."""
        return self._move

    @property
    def step(self) -> LessonStep | None:
        """Return the step that is shown, None before the first and after the last."""
        number = self._move.step
        return self.lesson.steps[number] if 0 <= number < len(self.lesson.steps) else None

    @property
    def version(self) -> str:
        """Return a word that changes with all that the teacher's page shows."""
        return f"t{self._version}"

    # --- the teacher

    def require_teacher(self, key: str) -> None:
        """Raise NotInClass where the key is not that of the teacher."""
        if not hmac.compare_digest(self._key, _digest(key)):
            raise NotInClass(
                "This page is for the teacher who started the class: open it in the browser that"
                " started it."
            )
        self.used = self._clock()

    def move(self, move: TeacherMove) -> None:
        """Show a step and a phase to everybody."""
        with self._lock:
            self._move = move
            self._moves += 1
            self._version += 1

    def admit(self, sent: Admission) -> None:
        """Open or close the class to new pupils, and remove pupils with their answers."""
        with self._lock:
            self.is_open = sent.open
            for token, pupil in list(self._pupils.items()):
                if pupil.number in sent.remove:
                    del self._pupils[token]
                    self._removed.add(token)
            self._version += 1

    # --- pupils

    def join(self, network: str = "", token: str = "") -> str:
        """Return the token of a new pupil; who has one already keeps it.

        Raises ClassFull, NotAdmitted or OverLimit.
        """
        with self._lock:
            if token in self._pupils:
                return token
            self._refuse_removed(token)
            if not self.is_open:
                raise NotAdmitted("The class takes no more pupils: ask your teacher to let you in.")
            if len(self._pupils) >= MAX_PUPILS:
                raise ClassFull(
                    f"The class has {MAX_PUPILS} pupils, and no more fit: look at the board with"
                    " somebody else."
                )
            now = self._clock()
            joins = self._joins.setdefault(network, _Allowance(JOIN_BURST, JOIN_RATE, now))
            if not joins.take(now):
                raise OverLimit("Many pupils join at this moment: wait a few seconds.")
            token = secrets.token_urlsafe(12)
            self.joined += 1
            self._pupils[token] = _Pupil(self.joined, _Allowance(BURST, RATE, now))
            self._version += 1
            return token

    def answer(self, token: str, sent: PupilAnswer) -> PupilAnswer:
        """Keep an answer in place of an earlier one; what it leaves out stays as it was.

        Return what is kept. Raises NotInClass, AnswersClosed or OverLimit.
        """
        with self._lock:
            pupil = self._pupil(token)
            if not pupil.allowance.take(self._clock()):
                raise OverLimit("You answer faster than anybody can: wait a few seconds.")
            if sent.step != self._move.step or self._move.phase != "question":
                raise AnswersClosed("The answers to this step are closed: wait for the next one.")
            earlier = pupil.answers.get(sent.step, PupilAnswer(sent.step))
            kept = replace(
                earlier,
                choice=earlier.choice if sent.choice is None else sent.choice,
                at=earlier.at if sent.at is None else sent.at,
            )
            pupil.answers[sent.step] = kept
            pupil.version += 1
            self._version += 1
            return kept

    def pupil_version(self, token: str) -> str:
        """Return a word that changes with all that a pupil's page shows. Raises NotInClass."""
        with self._lock:
            return f"p{self._moves}-{self._pupil(token).version}"

    def answer_of(self, token: str) -> tuple[int, PupilAnswer | None]:
        """Return a pupil's number, and what it answered to the step that is shown.

        Raises NotInClass.
        """
        with self._lock:
            pupil = self._pupil(token)
            return pupil.number, pupil.answers.get(self._move.step)

    def _pupil(self, token: str) -> _Pupil:
        self._refuse_removed(token)
        if token not in self._pupils:
            raise NotInClass("You are not in this class yet: reload the page to join it.")
        return self._pupils[token]

    def _refuse_removed(self, token: str) -> None:
        if token in self._removed:
            raise NotAdmitted(
                "Your teacher has removed this phone from the class: ask your teacher."
            )

    # --- the class

    def tally(self) -> StepTally:
        """Return what the class answered to the step that is shown."""
        step = self.step
        with self._lock:
            number = self._move.step
            answers = [
                pupil.answers[number] for pupil in self._pupils.values() if number in pupil.answers
            ]
        return count_answers(step, answers)


def count_answers(step: LessonStep | None, answers: Sequence[PupilAnswer]) -> StepTally:
    """Return what several pupils answered to a step; None is no step, which nobody answers."""
    chosen = [answer.choice for answer in answers if answer.choice is not None]
    taps = tuple(answer.at for answer in answers if answer.at is not None)
    image = step.image if step else None
    return StepTally(
        answered=len(answers),
        chosen=len(chosen),
        counts=tuple(chosen.count(number) for number in range(len(step.choices) if step else 0)),
        taps=taps,
        hits=sum(image.is_hit(point) for point in taps) if image else 0,
    )


def is_shown(phase: Phase, current: Phase, phases: Sequence[Phase]) -> bool:
    """Return whether a phase is reached, where `current` is the one that a class is at."""
    return phase in phases and phases.index(phase) <= phases.index(current)


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
