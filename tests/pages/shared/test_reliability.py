"""Tiles say what to expect of their judge on their own questions."""

from dataclasses import replace

from hallascope.components.tiles.tile import Tile
from hallascope.engine.judge_eval.ihalla import Reliability, Share, summarize_results
from hallascope.engine.judge_eval.store import TrialStore
from hallascope.engine.services import Services
from hallascope.pages.shared.reliability import with_reliability
from tests.support.tiles import tile


def looked_up(services: Services, shown: Tile) -> Tile:
    (found,) = with_reliability(services, [shown])
    return found


def test_a_tile_says_what_its_judges_trial_says_of_its_kinds_of_question(
    services: Services,
) -> None:
    counting = Reliability(Share(1, 2), Share(3, 4))
    trial = replace(
        summarize_results("test/judge", []),
        reliability=counting,
        reliability_by_coi={"counting": counting},
    )
    TrialStore(services.store.folder).keep(trial)
    found = looked_up(services, tile(judge="test/judge")).reliability
    assert found
    assert found.sensitivity
    assert found.specificity
    assert (found.sensitivity.value, found.specificity.value) == (0.5, 0.75)
    assert found.same_images, "the tile is of a simulated model"
    assert looked_up(services, tile(judge="test/other")).reliability is None
    assert looked_up(services, tile(judge=None)).reliability is None
    assert looked_up(services, tile(judge="test/judge", questions=())).reliability is None
    graph = tile(judge="test/judge", presents="graph")
    assert looked_up(services, graph).reliability is None
