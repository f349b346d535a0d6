"""The fixtures of making questions."""

from collections.abc import Callable
from typing import Any

import pytest

from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.data.requests import Generated
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.reasoning import LabeledPicture
from tests.support.images import png
from tests.support.question_making import looks, writes


@pytest.fixture
def serve(store: Store) -> Callable[..., Services]:
    def make(writer: Any = writes, judge_price: Price | None = None) -> Services:
        judge = Scripted(
            ModelSpec(
                id="a/judge",
                title="Judge",
                roles=("judge",),
                backend="scripted",
                kind="api" if judge_price else "local",
                price=judge_price,
            ),
            looks,
            limits=CallLimits(1, 5),
        )
        price = Price("2026-01-01", output=10_000.0)
        spec = ModelSpec(
            id="a/writer",
            title="Writer",
            roles=("writer",),
            backend="scripted",
            kind="api",
            price=price,
            settings={"max_tokens": 1},
        )
        hand = Scripted(spec, writer)
        painter = Scripted(
            ModelSpec(id="a/painter", title="Painter", roles=("generator",), backend="scripted"),
            lambda r: Generated(png()),
        )
        return Services(store, {}, {b.spec.id: b for b in (judge, hand, painter)})

    return make


@pytest.fixture
def reference(store: Store) -> LabeledPicture:
    return LabeledPicture(store.keep_image(png("reference")), factual=True)
