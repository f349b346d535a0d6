"""Imports the images of a folder under their models' names, and has them judged.

A few images are read, checked and stored ahead, by threads of their own. What is known of all
images together is 20 characters each, by which an image is known that comes twice.
"""

import hashlib
import json
import os
import threading
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from hallascope.data.requests import ROLES, Role
from hallascope.engine.errors import BadRequest, NoQuestions
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    Event,
    Finished,
    Pictured,
    RunState,
)
from hallascope.engine.image_folders.groups import (
    OriginalImage,
    OriginReader,
    PromptGroup,
    TakenImage,
    group_images,
    prepare_group,
)
from hallascope.engine.image_folders.records import FolderImage, OpenedImages, UnmatchedFile
from hallascope.engine.images.uploads import image_notes, plain_png, read_upload
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.preparation import PreparedRun, models_of_run
from hallascope.engine.services import Services
from hallascope.engine.sweep.executor import Executor
from hallascope.engine.sweep.store import ItemTally, SweepStore

IMPORT_THREADS = min(4, os.cpu_count() or 1)


@dataclass(frozen=True)
class ImageTaken:
    """Reports an image that is in the store.

    `known`: it was there before. `notes` say what is odd about a new one, as ends of sentences.
    """

    name: str
    model: str
    known: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PromptNotJudged:
    """Reports that the images of a prompt are stored and not judged; `message` says why."""

    prompt: str
    images: int
    message: str


@dataclass(frozen=True)
class FolderJudged:
    """Closes the events.

    `sweep` is the id under which the images are exported and ranked apart; `stopped`: by the
    person or the budget; `unconfirmed`: USD of what was `spent` that no service has confirmed.
    """

    sweep: str
    spent: float
    stopped: bool
    unconfirmed: float = 0.0


JudgingEvent = UnmatchedFile | ImageTaken | PromptNotJudged | FolderJudged | Event


def check_template(services: Services, template: EvaluateRequest, policy: SpendingPolicy) -> None:
    """Check the names that every prompt needs. Raises as `Services.evaluate` does."""
    for metric in template.metrics:
        services.metric(metric, template.wording)
    roles: list[Role] = [role for role in ROLES if role != "generator"]
    for role in roles:
        model = getattr(template, role, None)
        if model:
            services.registry.require(model, role, policy.keys)


class FolderJudging:
    """Imports and judges opened images, once.

    `template` says how: its metrics, judge, other roles and trials. `name` is the model of all
    images, "" where each has the name that the layout gives it. The whole is kept as a sweep, so
    that it is exported and ranked by one id; the same again adds only what is new.
    """

    def __init__(
        self,
        services: Services,
        opened: OpenedImages,
        template: EvaluateRequest,
        policy: SpendingPolicy,
        *,
        name: str = "",
        allow_registered: bool = False,
        stop: threading.Event | None = None,
    ) -> None:
        """Check what is the same for all images.

        Raises BadRequest, UnknownModel, Unavailable.
        """
        self._services = services
        self._opened = opened
        self._template = template
        self._policy = policy
        self._origins = OriginReader(services.registry, opened, name, allow_registered)
        check_template(services, template, policy)
        self._stop = stop or threading.Event()
        self._sweeps = SweepStore(services.store.database)
        self._waiting: deque[JudgingEvent] = deque()
        self._tallies: dict[str, Counter[type[Event]]] = {}  # events by run
        self._items: dict[str, tuple[int, ItemTally | None]] = {}  # by run
        self._read_all = False

    @property
    def id(self) -> str:
        """Return the id of the work: the same source, name and way of judging is the same."""
        template = self._template
        roles = {str(role): getattr(template, role, None) for role in ROLES}
        parts = [
            *("images", self._opened.source, self._opened.layout, self._origins.name),
            *(template.metrics, template.judge, template.trials, roles),
        ]
        pack = self._services.wording_pack(template.wording)
        if pack and pack.changed_texts(pack.texts):
            parts.append(pack.mark_of(pack.texts))
        if reading := self._reading_policy():
            parts.append(reading)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]

    def events(self) -> Iterator[JudgingEvent]:
        """Yield everything that happens, FolderJudged last.

        Raises StoreError, and BadRequest where the folder as a whole cannot be read.
        """
        budget = self._services.budget(self.id, self._policy)
        bind = self._services.registry.binder(self._policy.keys)
        executor = Executor(self._services.store, bind, budget, self._stop)
        self._sweeps.start(self.id, self._title(), json.dumps(self._document()), 0)
        self._items = self._sweeps.items(self.id)
        completed = False
        self._threads = ThreadPoolExecutor(IMPORT_THREADS, "import")
        try:
            for event in executor.run(self._work()):
                yield from self._drain()
                yield event
                self._count(event)
            yield from self._drain()
            completed = self._read_all and not self._tallies
        finally:
            self._threads.shutdown(cancel_futures=True)
            state: RunState = "finished" if completed else "stopped"
            self._sweeps.end(self.id, state, len(self._items))
        yield FolderJudged(self.id, budget.spent, not completed, budget.unconfirmed)

    def _title(self) -> str:
        models = self._origins.name or ", ".join(self._opened.models) or "several models"
        return f"Images of {models} ({self._opened.layout})"

    def _document(self) -> dict[str, object]:
        return {
            "images": Path(self._opened.source).name,
            "layout": self._opened.layout,
            "name": self._origins.name,
            "metrics": list(self._template.metrics),
            "judge": self._template.judge,
            "trials": self._template.trials,
            **self._reading_policy(),
        }

    def _reading_policy(self) -> dict[str, object]:
        """Return how prompts are read, {} where it is as usual, so that ids stay as they were."""
        names = ("prompt_reader", "accept_readings")
        policy = {name: getattr(self._template, name) for name in names}
        return policy if any(policy.values()) else {}

    # --- images ---

    def _store_image(self, image: FolderImage) -> TakenImage:
        """Begin to store an image unless it is there. Raises BadRequest where it cannot be used."""
        origin, slot = self._origins.read(image)
        shots = self._services.store.generated_pictures_by_id([slot])
        kept = (shot.picture for shot in shots if shot.picture and shot.picture.path.exists())
        known = next(kept, None)
        taken = ImageTaken(image.name, origin.model, known is not None)
        if known:
            return lambda: self._taken(OriginalImage(known.path, origin), taken)
        data = read_upload(image.path)
        stored = self._threads.submit(self._import_image, data, image.path.name)

        def wait() -> OriginalImage:
            path, notes = stored.result()
            return self._taken(OriginalImage(path, origin), replace(taken, notes=notes))

        return wait

    def _taken(self, image: OriginalImage, event: ImageTaken) -> OriginalImage:
        self._waiting.append(event)
        return image

    def _import_image(self, data: bytes, name: str) -> tuple[Path, tuple[str, ...]]:
        """Check and store an image, in a thread of its own; the notes say what is odd about it."""
        path = self._services.store.keep_image(plain_png(data, name)).path
        return path, tuple(image_notes(data))

    # --- runs ---

    def _work(self) -> Iterator[PreparedRun]:
        """Yield a run for each group of images, prepared on demand."""
        entries = takewhile(lambda _: not self._stop.is_set(), self._opened.entries)
        for group in group_images(entries, self._store_image, self._waiting.append):
            prepared = self._prepare(group)
            if prepared.run in self._tallies:
                continue
            self._tallies[prepared.run] = Counter()
            if prepared.run not in self._items:
                position = len(self._items)
                self._items[prepared.run] = (position, None)
                self._sweeps.begin_item(self.id, position, prepared.run, group.prompt)
            yield prepared
        self._read_all = not self._stop.is_set()

    def _prepare(self, group: PromptGroup) -> PreparedRun:
        """Return the run of a group; where it cannot be judged, the run that only keeps it."""
        self._save_questions(group)
        prepared, reason = prepare_group(group, self._template, self._prepare_request)
        if reason:
            self._waiting.append(PromptNotJudged(group.prompt, len(group.images), reason))
        return prepared

    def _prepare_request(self, request: EvaluateRequest) -> PreparedRun:
        for _ in self._services.write_missing_questions(request, self._policy, self._stop):
            pass
        prepared = self._services.prepare(request, self._policy, skip_unavailable=True)
        named = models_of_run(prepared.request, prepared.lineup)
        self._services.require_price_consent(named, self._policy)
        return prepared

    def _save_questions(self, group: PromptGroup) -> None:
        """Save the questions that a benchmark has for a prompt, where there are none yet."""
        if group.questions is None:
            return
        try:
            self._services.sets.for_prompt(group.prompt)
        except NoQuestions:
            with suppress(BadRequest):
                self._services.sets.save(group.questions)

    # --- events ---

    def _drain(self) -> Iterator[JudgingEvent]:
        """Yield what was said of files while the executor was at work."""
        while self._waiting:
            yield self._waiting.popleft()

    def _count(self, event: Event) -> None:
        tally = self._tallies.get(event.run)
        if tally is None:
            return
        tally[type(event)] += 1
        if isinstance(event, Finished):
            counts = ItemTally(tally[Pictured], tally[Evaluated], event.failures)
            position, before = self._items[event.run]
            if event.stopped or counts != before:
                self._sweeps.end_item(self.id, position, counts, done=not event.stopped)
            if not event.stopped:
                del self._tallies[event.run]
