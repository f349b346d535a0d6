"""Shows images with knowledge beside those without, and how every score changes.

Both have the same prompt, model and seed.
"""

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibits.factualbench import has_round, titles
from hallascope.components.html.markup import (
    html_table,
    image,
    join,
    panel,
    scroll_region,
    soft_line,
    table_row,
    tag,
)
from hallascope.components.tiles.tile import Tile
from hallascope.data.models.specs import Knowledge

TITLES: Mapping[Knowledge | None, str] = {
    None: "prompt alone",
    "text": "with definitions",
    "visual": "with reference images",
}

TilesByKnowledge = Mapping[Knowledge | None, Tile]  # of one model and seed


def changes(comparisons: Sequence[TilesByKnowledge]) -> Markup:
    """Return a line a model, seed and score; a column for each knowledge, with the change.

    It is empty where every image is of the prompt alone.
    """
    kinds = list(dict.fromkeys(kind for tiles in comparisons for kind in tiles))
    if not set(kinds) - {None}:
        return Markup()
    head = ("", *(TITLES[kind] for kind in kinds))
    lines = (line for tiles in comparisons for line in _lines(tiles, kinds))
    table = html_table(head, lines)
    about = (
        "The same model and seed, with and without knowledge. Each score has its change in"
        " brackets."
    )
    return panel(
        "Knowledge injection",
        soft_line(about),
        scroll_region(table, "With and without knowledge"),
        class_="injected",
    )


def _lines(tiles: TilesByKnowledge, kinds: Sequence[Knowledge | None]) -> Iterator[Markup]:
    """Return the line of the images, then one for each score that any of them has."""
    first = next(iter(tiles.values()))
    seed = tag("span", first.seed_text, class_="about") if first.seed_text else ""
    pictures = (tag("td", _picture(tiles.get(kind))) for kind in kinds)
    yield table_row(join(first.name.partition(",")[0], seed), *pictures)
    reports = [tile.report for tile in tiles.values() if tile.report]
    metric = reports[0].metric if reports else ""
    for name, title in {"score": "All", **titles(metric)}.items():
        if any(has_round(report, name) for report in reports):
            cells = (tag("td", _change(tiles, kind, name)) for kind in kinds)
            yield table_row(title, *cells)


def _picture(tile: Tile | None) -> str:
    if tile is None:
        return "–"
    if tile.path:
        return image(tile.path, tile.alt_text, 96)
    return tag("span", tile.why or tile.doing, class_="soft")


def _change(tiles: TilesByKnowledge, kind: Knowledge | None, name: str) -> str:
    """Return "0.75 (0.25 higher)"; the change is in words, so that nobody needs its color."""
    value = _value(tiles.get(kind), name)
    plain = _value(tiles.get(None), name)
    if value is None:
        return "–"
    if kind is None or plain is None:
        return f"{value:.2f}"
    difference = value - plain
    if abs(difference) < 0.005:
        words = tag("span", "the same", class_="same")
    elif difference > 0:
        words = tag("span", f"{difference:.2f} higher", class_="more")
    else:
        words = tag("span", f"{-difference:.2f} lower", class_="less")
    return join(f"{value:.2f} ", words)


def _value(tile: Tile | None, name: str) -> float | None:
    """Return the value of a score; None where the image, its report or the score is missing."""
    score = tile.report.scores.get(name) if tile and tile.report else None
    return score.value if score else None
