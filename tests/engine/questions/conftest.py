"""The fixtures of making questions."""

from collections.abc import Callable
from typing import Any

import pytest

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import Price
from hallascope.data.requests import Generated
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.reasoning import LabeledPicture
from tests.support.images import png
from tests.support.question_making import looks, writes
from tests.support.scripted_models import scripted
from tests.support.scripted_models import serve as serve_models


@pytest.fixture
def serve(store: Store) -> Callable[..., Services]:
    def make(writer: Any = writes, judge_price: Price | None = None) -> Services:
        judge = scripted("a/judge", "judge", looks, CallLimits(1, 5), price=judge_price)
        price, settings = Price("2026-01-01", output=10_000.0), {"max_tokens": 1}
        hand = scripted("a/writer", "writer", writer, price=price, settings=settings)
        painter = scripted("a/painter", "generator", lambda request: Generated(png()))
        return serve_models(store, judge, hand, painter)

    return make


@pytest.fixture
def reference(store: Store) -> LabeledPicture:
    return LabeledPicture(store.keep_image(png("reference")), factual=True)
