"""Shows a run with several images per model as a table: a row a model, a column a seed."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import corner, html_table, join, scroll_region, tag
from hallascope.components.html.signs import SIGNS
from hallascope.components.html.truth import WRONG
from hallascope.components.runs.thumbnail import thumbnail_image
from hallascope.components.theme.look import ICON_PATHS
from hallascope.components.tiles.scores import MetricScore, value_text
from hallascope.components.tiles.tile import Tile
from hallascope.data.records import State
from hallascope.metrics.base import SHARE
from hallascope.metrics.statistics.intervals import mean_interval
from hallascope.metrics.true_answers import is_judge_wrong

MOST_SIGNS = 12  # answers of an image that its strip shows
MOST_LARGE = 10  # images per model that are shown a little larger
_SIGN = 16  # pixels of a sign in the drawing of a strip


def is_matrix(tiles: Sequence[Tile]) -> bool:
    """Return whether a model has more than one image, and all were made with a seed."""
    names = [tile.name for tile in tiles]
    return len(set(names)) < len(names) and all(tile.seed is not None for tile in tiles)


def matrix_table(tiles: Sequence[Tile]) -> Markup:
    """Return the table; a model without an image of a seed has an empty cell there."""
    seeds = sorted({tile.seed for tile in tiles if tile.seed is not None})
    rows: dict[str, dict[int | None, Tile]] = {}
    for tile in tiles:
        rows.setdefault(tile.name, {})[tile.seed] = tile
    heads = ("Model", f"Mean {tiles[0].metric}", *(f"Seed {seed}" for seed in seeds))
    body = (_row(name, [cells.get(seed) for seed in seeds]) for name, cells in rows.items())
    table = html_table(
        map(corner, heads), body, class_="dense" if len(seeds) > MOST_LARGE else None
    )
    note = tag(
        "p",
        "The interval (95 %) is over the images of this prompt alone.",
        class_="matrix-note soft",
    )
    return join(scroll_region(table, "Images by model and seed", "matrix-scroll"), note)


def _row(name: str, cells: Sequence[Tile | None]) -> Markup:
    there = [cell for cell in cells if cell]
    is_wrong = any(tile.errors.wrong for tile in there)
    return tag(
        "tr",
        tag("th", name, scope="row", class_="corner"),
        tag("td", _mean(there), class_="corner matrix-mean"),
        *(_cell(cell) if cell else tag("td", class_="corner") for cell in cells),
        class_=WRONG if is_wrong else None,
    )


def _mean(tiles: Sequence[Tile]) -> Markup:
    """Return the mean score of a model with its interval over the images."""
    scores = [score for tile in tiles if (score := _score(tile)) and score.value is not None]
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return Markup("–")
    first = scores[0]
    mean = value_text(sum(values) / len(values), first.presents)
    interval = mean_interval(values, share=first.spec.bounds == SHARE)
    words = (
        f"{value_text(interval.low, first.presents)} to {value_text(interval.high, first.presents)}"
        if interval
        else "no interval"
    )
    return join(tag("strong", mean), tag("span", words, class_="about"))


def _score(tile: Tile) -> MetricScore | None:
    """Return the score of the metric that reports on the image."""
    return next((score for score in tile.scores if score.title == tile.metric), None)


def tile_class(tile: Tile) -> str:
    """Return the classes of a card, which say whether the judge is wrong on its image."""
    return f"tile {WRONG}" if tile.errors.wrong else "tile"


def _cell(tile: Tile) -> Markup:
    score = _score(tile)
    name = ", ".join(filter(None, (tile.model, tile.seed_text)))
    picture = (
        tag(
            "span",
            thumbnail_image(tile.thumbnail or tile.path, tile.alt_text, 72),
            class_="frame",
        )
        if tile.path
        else tag("span", tile.doing, class_="thumbnail empty doing")
    )
    button = tag(
        "button",
        picture,
        _strip(tile),
        tag("span", score.short if score else "", class_="matrix-score"),
        class_="pick",
        aria_pressed="false",
        aria_label=f"{name}: {tile.verdict_text}. Show the evidence.",
    )
    return tag(
        "td",
        button,
        class_=tile_class(tile),
        data_key=tile.key,
        data_version=tile.version,
    )


def _strip(tile: Tile) -> Markup:
    """Return the answers as one small drawing: a sign each, and a mark where the judge is wrong.

    The button says the same in words.
    """
    states = [state for _, state in tile.answers][:MOST_SIGNS]
    if not states:
        return Markup()
    signs = (_sign(state, place) for place, state in enumerate(states))
    marks = (
        _mark(place)
        for place, verdict in enumerate(tile.verdicts[:MOST_SIGNS])
        if is_judge_wrong(verdict, tile.truth(place))
    )
    return tag(
        "svg",
        *signs,
        *marks,
        class_="matrix-strip",
        viewBox=f"0 -7 {_SIGN * len(states)} {_SIGN + 7}",
        aria_hidden="true",
        focusable="false",
    )


def _sign(state: State, place: int) -> Markup:
    shown = SIGNS[state]
    return tag(
        "path",
        d=ICON_PATHS[shown.icon],
        transform=f"translate({_SIGN * place} 0)",
        class_=f"matrix-{shown.kind}",
    )


def _mark(place: int) -> Markup:
    left = _SIGN * place + 8
    return tag("path", d=f"M{left - 4} 0 {left} -6 {left + 4} 0Z", class_="truth matrix-wrong")
