"""A small sweep on models that follow a script, for tests: its services, its specification, and
every moment at which something is kept.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import Price
from hallascope.data.requests import Ask, Embedded, Generate, Generated
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.storage.images import ImageStore, write_atomically
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.plan import PlannedSweep, plan
from hallascope.engine.sweep.runner import Sweep, SweepEnded, SweepEvent
from hallascope.engine.sweep.spec_reader import parse
from tests.support.images import png
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted, serve

SPEC = """
prompts: [a ladybug, two tulips, a red circle above a blue square]
models: [scripted/one, scripted/two]
metrics: [ihalla]
judge: scripted/judge
"""
PICTURES, EVALUATIONS, ANSWERS = 6, 6, 30  # what a whole run of it comes to


def nothing() -> None:
    """What is done at a moment at which something is kept, where a test wants nothing of it."""


class World:
    """Services on a folder. `moment` is called before anything is kept: a file, a transaction.

    One answer comes after another.
    """

    def __init__(
        self,
        folder: Path,
        says: Callable[[Ask], Any] | None = None,
        moment: Callable[[], object] = nothing,
        write: Callable[[Path, bytes], None] = write_atomically,
        price: Price | None = None,
        judge_price: Price | None = None,
    ) -> None:
        self.folder = folder

        def kept(path: Path, data: bytes) -> None:
            moment()
            write(path, data)

        self.painters = [self._painter(f"scripted/{name}", price) for name in ("one", "two")]
        one_by_one = CallLimits(1, 1)
        says = says or (lambda ask: f"A) {ask.choices[0]}")
        self.judge = scripted("scripted/judge", "judge", says, one_by_one, price=judge_price)
        self.eye = scripted(
            "scripted/eye", "embedder", lambda request: Embedded((1.0, 0.5)), one_by_one
        )
        self.store = Store(folder=folder, images=ImageStore(folder / "images", kept))
        event.listen(self.store.database.engine, "commit", lambda connection: moment())
        self.services = serve(self.store, *self._models())

    def _models(self) -> tuple[Scripted, ...]:
        return (*self.painters, self.judge, self.eye)

    def _painter(self, name: str, price: Price | None) -> Scripted:
        def draw(request: Generate) -> Generated:
            return Generated(png(f"{name} {request.prompt} {request.seed}"))

        return scripted(name, "generator", draw, price=price)

    def planned(self, text: str = SPEC, terms: SpendingPolicy | None = None) -> PlannedSweep:
        return plan(
            parse(text, self.folder / "sweep.yaml"), self.services, terms or SpendingPolicy()
        )

    def sweep(self, text: str = SPEC, terms: SpendingPolicy | None = None, **more: Any) -> Sweep:
        terms = terms or SpendingPolicy()
        return Sweep(self.planned(text, terms), self.services, terms, **more)

    def run(
        self, text: str = SPEC, terms: SpendingPolicy | None = None, **more: Any
    ) -> tuple[list[SweepEvent], SweepEnded]:
        """Everything that happened, and its end."""
        events = list(self.sweep(text, terms, **more).events())
        ended = events[-1]
        assert isinstance(ended, SweepEnded)
        return events, ended

    def asked(self) -> dict[str, int]:
        """How many requests each model got so far."""
        return {model.spec.id: model.requests for model in self._models() if model.requests}

    def close(self) -> None:
        self.store.close()
