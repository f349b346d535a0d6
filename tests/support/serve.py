"""Runs the dashboard with a scripted judge, for tests: ``python -m tests.support.serve LATENCY
[KIND]``; HALLASCOPE_HOME says where.

KIND `looking`: one picture that is known, and eyes that know it (`tests.support.fake_vision`), a
judge that can reason and a scripted writer (`tests.support.question_writers`), and models that
cost money; `comparing`: a judge that knows how all was drawn (`tests.support.pair_judge`);
`ranking`: pictures that are judged already (`tests.support.ranked_store`); `judged-grid`: 3,000 of
them without their files (`tests.support.judged_grid`); `labeled` and `labeling`: answers of a judge
and of people about many images, and images with a plan to label them
(`tests.support.labeled_stores`); `shipped`: no script, but the models that ship, at their own pace;
`router`: these on a Space, where the Hub and its router of Inference Providers are the service at
HF_ENDPOINT (`tests.support.service`).
"""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import app
from hallascope.backends.network import guarded_client, service_addresses
from hallascope.data.models.specs import read_models
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store, home
from tests.conftest import build
from tests.support import (
    fake_vision,
    judged_grid,
    labeled_stores,
    paid_models,
    pair_judge,
    question_writers,
    ranked_store,
)
from tests.support.apps import LAUNCH
from tests.support.scripted_models import serve
from tests.support.service import hub_pointed

POINTED = ExitStack()


def build_looking(folder: Path, latency: float) -> Services:
    """Services on scripted models of all sorts."""
    eyes, paid = fake_vision.models(latency), paid_models.models(latency=latency)
    return serve(Store(folder=folder), *eyes, *paid, question_writers.writer(latency))


def build_shipped(folder: Path, latency: float) -> Services:
    """Services on the models that ship; they take their own time and no latency."""
    return Services(Store(folder=folder), read_models())


def build_router(folder: Path, latency: float) -> Services:
    """Services on the models that ship, whose router is the service at HF_ENDPOINT."""
    address = f"{os.environ['HF_ENDPOINT']}/v1"
    POINTED.enter_context(hub_pointed(address))
    for module in (guarded_client, service_addresses):  # a Space asks nothing at 127.0.0.1
        POINTED.enter_context(patch.object(module, "is_public_app", lambda: False))
    models = dict(read_models())
    models["hf/*"] = replace(models["hf/*"], base_url=address)
    return Services(Store(folder=folder), models)


KINDS: dict[str, Callable[..., Any]] = {
    "": build,
    "looking": build_looking,
    "comparing": pair_judge.build,
    "ranking": ranked_store.build,
    "judged-grid": judged_grid.build,
    "labeled": labeled_stores.build_board,
    "labeling": labeled_stores.build_plan,
    "router": build_router,
    "shipped": build_shipped,
}


def launch(latency: float, kind: str = "") -> Any:
    """Start on a port that Gradio finds free, and return the running dashboard."""
    services = KINDS[kind](home(), latency=latency)
    demo = app.create_app(services)
    demo.launch(**LAUNCH, **app.options(services))
    return demo


if __name__ == "__main__":
    launch(float(sys.argv[1]), *sys.argv[2:]).block_thread()
