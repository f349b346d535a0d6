"""Services with a judge at an address that bills every call, and a painter that costs nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from bench.support.images import png
from hallascope.backends.base import CallLimits
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.data.requests import Generated
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

READ, WRITTEN = 100, 5  # tokens of every call
PRICE = {"input": 10.0, "output": 200.0}  # USD for a million tokens
COST = (READ * PRICE["input"] + WRITTEN * PRICE["output"]) / 1e6
AT_ONCE = 4  # calls of the judge


@contextmanager
def services(folder: Path, address: str, url: str | None = None) -> Iterator[Services]:
    """Yield services on a store in `folder`, or in the database at `url`.

    The judge at that address costs `COST` a call, the painter costs nothing.
    """
    price = Price("2026-01-01", PRICE["input"], PRICE["output"], picture_tokens=10)
    spec = ModelSpec(
        id="billed/judge",
        title="Billed judge",
        roles=("judge",),
        backend="openai",
        kind="api",
        base_url=address,
        price=price,
        settings={"max_tokens": 10},
    )
    client = httpx2.Client(timeout=60)
    judge = OpenAICompatible(spec, client=client)
    judge.limits = CallLimits(1, AT_ONCE)
    painter = ModelSpec(
        id="free/painter", title="Painter", roles=("generator",), backend="scripted"
    )
    drawn = Scripted(painter, lambda request: Generated(png(f"{request.seed}")))
    store = Store(url, folder)
    yield Services(store, {}, {spec.id: judge, painter.id: drawn})
    store.close()
    client.close()
