"""Shows pictures with knowledge beside those without, and how every score changes.

Both have the same prompt, model and seed. It is HTML.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hallascope.components.cards.cards import Tile
from hallascope.components.evidence.factualbench import titles
from hallascope.components.html.markup import image, text
from hallascope.data.models.specs import Knowledge
from hallascope.data.records import Report

TITLES: Mapping[Knowledge | None, str] = {
    None: "prompt alone",
    "text": "with definitions",
    "visual": "with reference pictures",
}


class KnowledgeComparison(NamedTuple):
    """The pictures of one model and seed, by what the model was given."""

    tiles: Mapping[Knowledge | None, Tile]

    @property
    def plain(self) -> Report | None:
        return _report(self.tiles.get(None))


def changes(found: Sequence[KnowledgeComparison]) -> str:
    """A line a model, seed and score; a column each way, with the change.

    Nothing where every picture is of the prompt alone.
    """
    ways = list(dict.fromkeys(way for one in found for way in one.tiles))
    if not set(ways) - {None}:
        return ""
    heads = "".join(f'<th scope="col">{TITLES[way]}</th>' for way in ways)
    lines = "".join(_lines(one, ways) for one in found)
    return (
        '<section class="panel injected"><h2>Knowledge injection</h2><p class="soft">The same'
        " model and seed, with and without. What the scores gain or lose stands beside"
        ' them.</p><div class="scroll" tabindex="0" role="region" aria-label="With and without'
        ' knowledge"><table><thead><tr><th'
        f' scope="col"></th>{heads}</tr></thead><tbody>{lines}</tbody></table></div></section>'
    )


def _lines(one: KnowledgeComparison, ways: Sequence[Knowledge | None]) -> str:
    first = next(iter(one.tiles.values()))
    model = first.name.partition(",")[0]
    seed = "" if first.seed is None else f'<span class="about">seed {first.seed}</span>'
    pictures = "".join(f"<td>{_picture(one.tiles.get(way))}</td>" for way in ways)
    metric = next((report.metric for tile in one.tiles.values() if (report := _report(tile))), "")
    known = {"score": "All", **titles(metric)}
    names = [
        name for name in known if any(_counts(_report(tile), name) for tile in one.tiles.values())
    ]
    changed = {
        name: "".join(f"<td>{_change(one, way, name)}</td>" for way in ways) for name in names
    }
    scores = "".join(
        f'<tr><th scope="row">{text(known[name])}</th>{cells}</tr>'
        for name, cells in changed.items()
    )
    return f'<tr><th scope="row">{text(model)}{seed}</th>{pictures}</tr>{scores}'


def _picture(tile: Tile | None) -> str:
    if tile is None:
        return "–"
    if tile.path:
        return image(tile.path, tile.alt_text, 96)
    return f'<span class="soft">{text(tile.why or tile.doing)}</span>'


def _change(one: KnowledgeComparison, way: Knowledge | None, name: str) -> str:
    """ "0.75 (0.25 higher)"; the change is in words, so that nobody needs its colour."""
    value = _value(_report(one.tiles.get(way)), name)
    plain = _value(one.plain, name)
    if value is None:
        return "–"
    if way is None or plain is None:
        return f"{value:.2f}"
    apart = value - plain
    if abs(apart) < 0.005:
        kind = "same"
        words = "the same"
    elif apart > 0:
        kind = "more"
        words = f"{apart:.2f} higher"
    else:
        kind = "less"
        words = f"{-apart:.2f} lower"
    return f'{value:.2f} <span class="{kind}">{words}</span>'


def _report(tile: Tile | None) -> Report | None:
    return tile.reports[0] if tile and tile.reports else None


def _counts(report: Report | None, name: str) -> bool:
    score = report.scores.get(name) if report else None
    return score is not None and score.counted + score.left_out > 0


def _value(report: Report | None, name: str) -> float | None:
    return report.scores[name].value if report and name in report.scores else None
