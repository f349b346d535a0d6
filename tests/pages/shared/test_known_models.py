"""Every model that a page may show is known, so that no two look alike."""

from pathlib import Path

from hallascope.components.theme.model_colors import model_styles
from hallascope.engine.storage.tables import Generation
from hallascope.pages.shared.known_models import known_models
from tests.support.ranked_store import MODELS, build


def test_models_of_the_store_are_known_after_those_of_the_registry(tmp_path: Path) -> None:
    services = build(tmp_path)
    registered = known_models(services.registry, services.store)
    assert set(MODELS) <= set(registered)
    assert len(registered) == len(set(registered))
    brought = [f"acme/{number:02}" for number in range(24)]
    with services.store.database.write_transaction() as session:
        session.add_all(
            Generation(id=name, prompt="a cat", model=name, revision="", seed=0)
            for name in (*brought, MODELS[0])
        )
    known = known_models(services.registry, services.store)
    assert known == [*registered, *brought]
    styles = model_styles(brought, known).values()
    assert len({(style.color, style.mark) for style in styles}) == len(brought)
    services.store.close()
