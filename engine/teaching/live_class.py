"""A class that answers the steps of a ready lesson at once: its pupils by anonymous tokens.

Classes are found by their code, and kept in the memory of this process alone: nothing of a pupil is
written to a disk, and a restart ends all classes. What pupils and teachers send is refused where it
is not as it should be. It knows no address and no page.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from hallascope.data.outlines import OutlinePoint
from hallascope.data.teaching.class_lesson import ClassLesson, LessonStep, Phase
from hallascope.engine.access.limits import OverLimit
from hallascope.engine.errors import BadRequest

MAX_BYTES = 2048  # of a message
DIGITS = 3  # of a tap's place, in shares of the image

_Coordinate = Annotated[
    float,
    Field(ge=0, le=1, allow_inf_nan=False),
    AfterValidator(lambda share: round(share, DIGITS)),
]
Message = TypeVar("Message")
_STRICT = ConfigDict(strict=True)


class BadMessage(BadRequest):
    """Raised where a message is none that a page of a class sends."""


@checked_dataclass(frozen=True, config=_STRICT)
class PupilAnswer:
    """Holds the answer of a pupil to a step: the place of the choice, and of the tap in [0, 1].

    Both are from 0, and None where there is none; one of them is there.
    """

    step: int
    choice: int | None = None
    at: tuple[_Coordinate, _Coordinate] | None = None


@checked_dataclass(frozen=True, config=_STRICT)
class TeacherMove:
    """Says which step a class is at, and which of its phases; -1 is before, the last one after."""

    step: int
    phase: Phase = "question"


@checked_dataclass(frozen=True, config=_STRICT)
class Admission:
    """Says whether new pupils may join, and the numbers of those whom the teacher removes."""

    open: bool
    remove: tuple[int, ...] = ()


@checked_dataclass(frozen=True, config=_STRICT)
class ClassStart:
    """Names the lesson of a new class."""

    lesson: str


def read_message(kind: type[Message], body: bytes) -> Message:
    """Return the message that a page has sent as JSON. Raises BadMessage."""
    if len(body) > MAX_BYTES:
        raise BadMessage(f"The message is longer than {MAX_BYTES} bytes: reload the page.")
    try:
        return TypeAdapter(kind).validate_json(body)
    except ValidationError:
        raise BadMessage("A page of a class sends no such message: reload the page.") from None


def read_answer(body: bytes, lesson: ClassLesson) -> PupilAnswer:
    """Return the answer that a pupil sends. Raises BadMessage."""
    sent = read_message(PupilAnswer, body)
    if not 0 <= sent.step < len(lesson.steps):
        raise BadMessage("The lesson has no such step: reload the page.")
    step = lesson.steps[sent.step]
    if sent.choice is not None and not 0 <= sent.choice < len(step.choices):
        raise BadMessage("The step has no such answer: choose one that is shown.")
    if sent.at is not None and not step.marking:
        raise BadMessage("In this step no place is asked for: choose an answer.")
    if sent.choice is None and sent.at is None:
        raise BadMessage("The answer is empty: tap the image or choose an answer.")
    return sent


def read_move(body: bytes, lesson: ClassLesson) -> TeacherMove:
    """Return the step and phase that a teacher opens. Raises BadMessage."""
    sent = read_message(TeacherMove, body)
    is_step = 0 <= sent.step < len(lesson.steps)
    phases = lesson.steps[sent.step].phases if is_step else ("question",)
    if not -1 <= sent.step <= len(lesson.steps) or sent.phase not in phases:
        raise BadMessage("The lesson has no such step or phase: reload the page.")
    return sent


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

    `answered` counts pupils who chose or tapped. `hits` of the taps are on the error.
    """

    answered: int
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
        with self._lock:
            step = self.step
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
        counts=tuple(chosen.count(number) for number in range(len(step.choices) if step else 0)),
        taps=taps,
        hits=sum(image.is_hit(point) for point in taps) if image else 0,
    )


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


# no vowels, so that no code is a word, and no letters that are taken for others
CODE_LETTERS = "BCDFGHJKMNPQRSTVWXZ"
# 19^8 codes, two groups of four: at 300 tries a second, one of 100 classes is found in 160 hours.
# So no try has to be counted, which would shut out a school behind the address of who guesses.
LENGTH = 8
MAX_CLASSES = 100
MAX_OF_NETWORK = 20  # classes at one time: a school has one address
MAX_OF_BROWSER = 5
LIFETIME = 6 * 3600.0  # seconds from its start to the end of a class
IDLE = 2 * 3600.0  # seconds without its teacher's page after which a class is dropped
EMPTY_IDLE = 600.0  # the same for a class that no pupil has joined


class UnknownClass(BadRequest):
    """Raised where no class has a code, or no longer."""


class StartedClass(NamedTuple):
    """Holds a new class with the key of its teacher, which is not kept anywhere else."""

    live: LiveClass
    key: str


class LiveClasses:
    """Holds all live classes. Safe to use from many threads; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._classes: dict[str, LiveClass] = {}
        self._lock = threading.Lock()

    def start(self, lesson: ClassLesson, network: str = "", browser: str = "") -> StartedClass:
        """Start a class of a lesson, from a network and a browser; "" is unknown.

        Raises OverLimit.
        """
        with self._lock:
            self._drop_old()
            if len(self._classes) >= MAX_CLASSES:
                raise OverLimit(
                    f"{MAX_CLASSES} classes are running here, and no more fit: wait until one ends,"
                    " or run HallaScope on your own machine."
                )
            for starter, most in ((network, MAX_OF_NETWORK), (browser, MAX_OF_BROWSER)):
                running = sum(starter in live.starters for live in self._classes.values())
                if starter and running >= most:
                    raise OverLimit(
                        f"{most} classes that were started from here are running, and no more fit:"
                        " end one of them."
                    )
            key = secrets.token_urlsafe(18)
            live = LiveClass(self._new_code(), lesson, key, self._clock, (network, browser))
            self._classes[live.code] = live
            return StartedClass(live, key)

    def find(self, code: str) -> LiveClass:
        """Return the class of a code, in any case and with any spaces. Raises UnknownClass."""
        code = "".join(code.split()).upper()
        with self._lock:
            self._drop_old()
            if code not in self._classes:
                raise UnknownClass(
                    "No class has this code, or it is over: look at the code again, or ask your"
                    " teacher."
                )
            return self._classes[code]

    def end(self, live: LiveClass) -> None:
        """Drop a class with all of its answers."""
        with self._lock:
            self._classes.pop(live.code, None)

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(LENGTH))
            if code not in self._classes:
                return code

    def _drop_old(self) -> None:
        now = self._clock()
        for live in list(self._classes.values()):
            idle = IDLE if live.joined else EMPTY_IDLE
            if now - live.started >= LIFETIME or now - live.used >= idle:
                del self._classes[live.code]
