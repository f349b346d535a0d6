"""Puts what to expect of the judge into tiles, for the page to show beside the scores."""

from collections.abc import Sequence
from dataclasses import replace

from hallascope.components.tiles.tile import Tile
from hallascope.data.wordings.packs import is_our_way
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup, kind_weights
from hallascope.engine.services import Services


def with_reliability(services: Services, tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """Return tiles with what to expect of their judge on the questions that it is asked of each.

    Tiles whose metric asks no questions stay as they are: no trial measures those.
    """
    lookup = ReliabilityLookup(services)
    return tuple(_with_reliability(lookup, tile) for tile in tiles)


def _with_reliability(lookup: ReliabilityLookup, tile: Tile) -> Tile:
    if tile.presents != "questions" or not tile.judge or not tile.judge_questions:
        return tile
    if tile.report and not is_our_way(tile.report.version):
        return tile  # trials in another wording than ours are kept apart
    weights = kind_weights(tile.judge_questions)
    return replace(tile, reliability=lookup.find(tile.judge, weights, tile.model))
