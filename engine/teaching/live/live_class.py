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
from hallascope.engine.deployment.rate_limit import OverLimit
from hallascope.engine.errors import BadRequest
from hallascope.engine.teaching.live.messages import PupilAnswer, TeacherMove

MAX_PUPILS = 200
# answers that a pupil may send at once, and how many more in a second
BURST = 20
RATE = 2.0


class ClassFull(BadRequest):
    """Raised where a class has as many pupils as it may have."""


class NotInClass(BadRequest):
    """Raised where a token is of no pupil of the class, or a key not that of its teacher."""


class AnswersClosed(BadRequest):
    """Raised where an answer comes for a step that is not open, or no longer."""


@dataclass
class _Pupil:
    """Holds the answers of a pupil by step, and how many more may be sent at the moment."""

    answers: dict[int, PupilAnswer] = field(default_factory=dict)
    version: int = 0
    allowance: float = BURST
    seen: float = 0.0


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

    Its teacher is who has the key, of which only a hash is kept.
    """

    def __init__(
        self, code: str, lesson: ClassLesson, key: str, clock: Callable[[], float]
    ) -> None:
        self.code = code
        self.lesson = lesson
        self._key = _digest(key)
        self._clock = clock
        self.started = self.used = clock()
        self._move = TeacherMove(-1)
        self._version = 0  # grows with all that the teacher's page shows
        self._moves = 0  # grows with what is shown to every pupil
        self._pupils: dict[str, _Pupil] = {}
        self._lock = threading.Lock()

    @property
    def pupils(self) -> int:
        """Return how many pupils have joined."""
        return len(self._pupils)

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

    # --- pupils

    def join(self) -> str:
        """Return the token of a new pupil. Raises ClassFull."""
        with self._lock:
            if len(self._pupils) >= MAX_PUPILS:
                raise ClassFull(
                    f"The class has {MAX_PUPILS} pupils, and no more fit: look at the board with"
                    " somebody else."
                )
            token = secrets.token_urlsafe(12)
            self._pupils[token] = _Pupil(seen=self._clock())
            self._version += 1
            return token

    def answer(self, token: str, sent: PupilAnswer) -> PupilAnswer:
        """Keep an answer in place of an earlier one; what it leaves out stays as it was.

        Return what is kept. Raises NotInClass, AnswersClosed or OverLimit.
        """
        with self._lock:
            pupil = self._pupil(token)
            self._charge(pupil)
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

    def answer_of(self, token: str) -> PupilAnswer | None:
        """Return what a pupil answered to the step that is shown. Raises NotInClass."""
        with self._lock:
            return self._pupil(token).answers.get(self._move.step)

    def _pupil(self, token: str) -> _Pupil:
        if token not in self._pupils:
            raise NotInClass("You are not in this class yet: reload the page to join it.")
        return self._pupils[token]

    def _charge(self, pupil: _Pupil) -> None:
        now = self._clock()
        pupil.allowance = min(BURST, pupil.allowance + RATE * (now - pupil.seen))
        pupil.seen = now
        if pupil.allowance < 1:
            raise OverLimit("You answer faster than anybody can: wait a few seconds.")
        pupil.allowance -= 1

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
