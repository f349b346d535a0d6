"""Lists all models that a page may show, by which each gets a look of its own."""

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import Generation


def known_models(registry: ModelRegistry, store: Store) -> list[str]:
    """Return the image models of the registry in its order, then by name those of the store alone.

    Images of these were imported.
    """
    known = [model.spec.id for model in registry.models("generator")]
    model = col(Generation.model)
    stored = [name for (name,) in store.database.read(sa.select(model).distinct().order_by(model))]
    return list(dict.fromkeys([*known, *stored]))
