"""A painter that draws one known picture, and eyes that know what it shows, for tests of the pages
that look at pictures.
"""

import hashlib
import io
import re
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bench.perfect_eyes import answer
from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import Price
from hallascope.data.records import CANNOT_TELL
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Generate,
    Generated,
    Reply,
    Request,
    Role,
)
from hallascope.engine.storage.store import Store
from hallascope.primer.benchmark.composition_sampler import composition
from hallascope.primer.shapes import COLORS
from hallascope.primer.truth.compositions import Composition, DrawnThing, things
from tests.support import question_writers
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted, serve

WRONG = {"color", "extraneous"}  # what is wrong with the picture


@cache
def made() -> Composition:
    """The first picture in which a color is wrong and something is there that nobody asked for."""
    return next(
        one
        for one in map(composition, range(2000))
        if {error.kind for error in one.errors} == WRONG
    )


@cache
def shown() -> tuple[DrawnThing, ...]:
    return things(made())


def draws(request: Generate) -> Generated:
    file = io.BytesIO()
    made().drawing.image(512).save(file, "PNG")
    return Generated(
        file.getvalue(), notes={"drawn": hashlib.sha256(file.getvalue()).hexdigest()[:8]}
    )


def sees(request: Request) -> Reply | str:
    """Perfect eyes; as a judge of the whole picture it says that nothing fits, and reasons."""
    if isinstance(request, Ask) and request.region is None:
        return "E" if request.choices else question_writers.looks(request)
    return answer(request, shown())


def sees_no_colour(request: Request) -> Reply:
    """The same, but every plain shape is grey to it."""
    said = answer(request, shown())
    if isinstance(request, Describe) and isinstance(said, Answer):
        return Answer(re.sub(rf"\b({'|'.join(COLORS)})\b", "grey", said.text))
    return said


def sees_nothing(request: Request) -> Reply:
    """A judge that cannot tell anything of any part of a picture but that it is there."""
    return Answer("Yes" if isinstance(request, Ask) and "Yes" in request.choices else CANNOT_TELL)


def models(latency: float = 0.0) -> list[Scripted]:
    """Models whose defaults have perfect eyes.

    A captioner that sees no colours, a judge that sees nothing, one that costs money, and two
    painters.
    """
    found: list[tuple[str, Any, Any, dict[str, Any]]] = [
        ("eyes/painter", "generator", draws, {}),
        ("eyes/other-painter", "generator", draws, {}),
        ("eyes/grey", "captioner", sees_no_colour, {}),
        ("eyes/blind", "judge", sees_nothing, {}),
        ("eyes/paid", "captioner", sees, {"price": Price("2026-01-01", output=10_000.0)}),
        ("primer/segmenter", ("detector", "segmenter"), sees, {"vocabulary": "primer"}),
        ("primer/judge", ("judge", "captioner"), sees, {}),
    ]
    limits = CallLimits(8, 1)
    return [
        scripted(name, roles, script, limits, latency, **more)
        for name, roles, script, more in found
    ]


def build(folder: Path, latency: float = 0.0) -> Any:
    return serve(Store(folder=folder), *models(latency))


def drawn(services: Any, *metrics: str) -> Any:
    """Where the page stands after a run of both painters."""
    from hallascope.engine.events import EvaluateRequest
    from hallascope.pages.evaluate import run

    asked = EvaluateRequest(
        prompt=made().prompt,
        models=("eyes/painter", "eyes/other-painter"),
        metrics=metrics or ("ihalla",),
        judge="primer/judge",
    )
    return list(run.frames(services, asked, threading.Event()))[-1].current


def looked(
    services: Any,
    current: Any,
    how: Any,
    first: Mapping[Role, str | None],
    *others: Mapping[Role, str | None],
) -> list[Any]:
    """What the page shows, frame by frame, while the first models evaluate the run, then others,
    each beside the ones before.
    """
    from hallascope.engine.money.budget import SpendingPolicy
    from hallascope.pages.shared.evidence import runs

    shown: list[Any] = []
    for models in (first, *({**first, **other} for other in others)):
        run = str(current.run)
        shown += runs.frames(
            services,
            runs.request_of(services.view(run).request, models, how.metric),
            run,
            threading.Event(),
            SpendingPolicy(),
            tab=how,
            before=shown[-1][2] if shown else runs.EvidenceRuns(),
        )
    return shown
