"""Services on a store of their own whose models follow scripts."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Role
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.scripted import Scripted

Serve = Callable[[Mapping[str, tuple[Role, Any]]], Services]


@pytest.fixture
def analysis_store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def serve(analysis_store: Store) -> Serve:
    """Return services by the role and the script of each model."""

    def build(scripts: Mapping[str, tuple[Role, Any]]) -> Services:
        models = {
            name: Scripted(
                ModelSpec(id=name, title=name, roles=(role,), backend="scripted"), script
            )
            for name, (role, script) in scripts.items()
        }
        return Services(analysis_store, read_models(), models)

    return build
