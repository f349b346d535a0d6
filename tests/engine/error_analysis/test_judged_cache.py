"""A selection is read once, and again when the store has changed."""

from typing import Any

from hallascope.engine.error_analysis.judged_cache import MOST_KEPT, JudgedImagesCache
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.image_tags import keep_tag
from tests.engine.error_analysis.test_selection import evaluate


def test_a_change_of_the_store_is_read(services: Any) -> None:
    cache = JudgedImagesCache()
    chosen = ErrorSelection()
    evaluate(services, "a molecule of methane")
    first = cache.read(services.store, chosen)
    assert cache.read(services.store, chosen) is first
    evaluate(services, "a gentoo penguin")
    second = cache.read(services.store, chosen)
    assert len(second.images) == 2 * len(first.images)
    tagged = ErrorSelection(tags=("odd",))
    assert cache.read(services.store, tagged).images.empty
    image = second.images.iloc[0]
    keep_tag(services.store, image["image"], image["prompt"], "odd")
    assert len(cache.read(services.store, tagged).images) == 1


def test_only_the_last_selections_are_kept(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    cache = JudgedImagesCache()
    first = cache.read(services.store, ErrorSelection())
    for number in range(MOST_KEPT):
        cache.read(services.store, ErrorSelection(tags=(str(number),)))
    assert cache.read(services.store, ErrorSelection()) is not first
