"""The evidence viewer as HTML: one picture, the regions of its questions as an overlay, the question cards and the score.

Regions come from the stored truth of a drawing and are shown to people only; no judge is given them.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from components import cards
from components.cards import Tile
from components.markup import bar, data, image, text
from data.records import CoI, Question, Report, Verdict
from metrics import slices

Point = tuple[float, float]
Polygon = Sequence[Point]
Regions = Mapping[str, Sequence[Polygon]]
BOX = 1000  # the overlay's own units across the picture


# --- outlines --------------------------------------------------------------------------------------------------------


def smooth(polygon: Polygon, reach: int = 2) -> Polygon:
    """The closed outline with every point at the mean of its neighbours, `reach` to each side: pixels leave stairs."""
    points = np.asarray(polygon, dtype=float)
    if len(points) > 1 and np.array_equal(points[0], points[-1]):
        points = points[:-1]
    if len(points) < 4 * reach:
        return [(float(x), float(y)) for x, y in points]
    mean = np.mean([np.roll(points, k, axis=0) for k in range(-reach, reach + 1)], axis=0)
    return [(float(x), float(y)) for x, y in mean]


def area(polygon: Polygon) -> float:
    """The signed area of a polygon (shoelace rule), in squares of its units."""
    xs, ys = np.asarray(polygon, dtype=float).T
    return float((xs * np.roll(ys, -1) - np.roll(xs, -1) * ys).sum() / 2)


def middle(polygon: Polygon) -> Point:
    """The centroid of a polygon's area; the mean of its points where it has none."""
    xs, ys = np.asarray(polygon, dtype=float).T
    cross = xs * np.roll(ys, -1) - np.roll(xs, -1) * ys
    if abs(cross.sum()) < 1e-12:
        return float(xs.mean()), float(ys.mean())
    return tuple(float(((c + np.roll(c, -1)) * cross).sum() / (3 * cross.sum())) for c in (xs, ys))  # type: ignore[return-value]


# --- the overlay --------------------------------------------------------------------------------------------------------


def outline(shape: Polygon) -> str:
    """One polygon as SVG path data in the overlay's units."""
    return "M" + "L".join(f"{x * BOX:.1f} {y * BOX:.1f}" for x, y in shape) + "Z"


def about(questions: Sequence[Question], part: str) -> list[int]:
    """Which questions are about the part, by index."""
    return [i for i, question in enumerate(questions) if part in question.regions]


def overlay(questions: Sequence[Question], verdicts: Sequence[Verdict], regions: Regions) -> str:
    """The regions that questions are about, each a button that leads to its questions and back."""
    asked = [part for part in dict.fromkeys(p for q in questions for p in q.regions) if regions.get(part)]
    drawn = "".join(
        _region(part, about(questions, part), verdicts, regions[part]) for part in sorted(asked, key=lambda p: -_size(regions[p]))
    )
    return (
        f'<svg class="overlay" viewBox="0 0 {BOX} {BOX}" preserveAspectRatio="none" role="group" aria-label="Parts of the picture">'
        '<path class="veil" fill-rule="evenodd" d=""/>'
        f'<rect class="whole" x="6" y="6" width="{BOX - 12}" height="{BOX - 12}" rx="18"/>{drawn}</svg>'
    )


def _size(shapes: Iterable[Polygon]) -> float:
    return sum(abs(area(shape)) for shape in shapes)


def _region(part: str, indices: Sequence[int], verdicts: Sequence[Verdict], shapes: Sequence[Polygon]) -> str:
    words = "; ".join(f"question {i + 1}" + (f" {cards.SIGNS[verdicts[i].state].word}" if i < len(verdicts) else "") for i in indices)
    drawn = [smooth(shape) for shape in shapes]
    d = "".join(outline(shape) for shape in drawn)
    numbers = "".join(_number(n, shape) for n, shape in enumerate(_clockwise(_whole(drawn)), 1))
    return (
        f'<g class="region" tabindex="0" role="button" aria-pressed="false" data-part="{text(part)}" data-questions="{data(indices)}" '
        f'aria-label="{text(part)}: {text(words)}"><title>{text(part)}</title>'
        f'<path class="halo" fill-rule="evenodd" d="{d}"/><path class="shape" fill-rule="evenodd" d="{d}"/>{numbers}</g>'
    )


def _whole(shapes: Sequence[Polygon]) -> list[Polygon]:
    """The shapes that can be counted: neither holes (which run the other way round) nor slivers of something half hidden."""
    largest = max(shapes, key=lambda shape: abs(area(shape)))
    return [shape for shape in shapes if area(shape) * area(largest) > 0 and abs(area(shape)) > abs(area(largest)) / 8]


def _clockwise(shapes: Sequence[Polygon]) -> list[Polygon]:
    """Round their common middle as the hand of a clock goes, from the topmost on."""
    centres = [middle(shape) for shape in shapes]
    x, y = np.mean(centres, axis=0)
    turns = np.array([np.arctan2(cx - x, y - cy) for cx, cy in centres])
    turns -= turns[np.argmin([cy for _, cy in centres])]
    return [shapes[i] for i in np.argsort(turns % (2 * np.pi), kind="stable")]


def _number(n: int, shape: Polygon) -> str:
    """A number in the middle of a shape, small enough to leave its outline free, large enough to be read."""
    x, y = (c * BOX for c in middle(shape))
    r = min(27.0, max(17.0, 0.55 * BOX * float(np.sqrt(abs(area(shape)) / np.pi))))
    return (
        f'<g class="mark"><circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}"/>'
        f'<text x="{x:.0f}" y="{y:.0f}" dy="0.35em" font-size="{1.2 * r:.0f}">{n}</text></g>'
    )


# --- the whole viewer ----------------------------------------------------------------------------------------------------


def viewer(tile: Tile | None, regions: Regions | None = None) -> str:
    """Picture, questions and score side by side; where nothing is chosen yet, nothing."""
    if tile is None:
        return '<div class="evidence none"></div>'
    return (
        f'<div class="evidence" data-run="{text(tile.run)}" data-key="{text(tile.key)}">'
        f"{_picture_panel(tile, regions or {})}{_questions_panel(tile)}{_score_panel(tile)}</div>"
    )


def _picture_panel(tile: Tile, regions: Regions) -> str:
    heading = f'<h2>Picture <span class="which">{text(tile.name)}</span></h2>'
    if not tile.path:
        return f'<section class="panel picture">{heading}<div class="stage empty"><p>{text(tile.why or tile.doing)}</p></div></section>'
    known = any(regions.get(part) for q in tile.asked for part in q.regions)
    hint = (
        "Choose a question or a part of the picture: both light up." if known else "Where in the picture the answers lie is not known here."
    )
    return (
        f'<section class="panel picture">{heading}<div class="stage">{image(tile.path, tile.spoken)}'
        f"{overlay(tile.asked, tile.verdicts, regions)}</div>"
        f'<p class="hint" aria-live="polite" data-idle="{text(hint)}">{text(hint)}</p>{_revised(tile)}</section>'
    )


def _revised(tile: Tile) -> str:
    """The prompt as the service changed it before it drew: what is wrong in the picture may come from there."""
    if not tile.revised:
        return ""
    return f'<details class="revised"><summary>The service changed the prompt</summary><p>{text(tile.revised)}</p></details>'


def _questions_panel(tile: Tile) -> str:
    by_trial = [report.verdicts for report in tile.reports]
    items = "".join(
        cards.question_card(i, q, tile.verdicts[i] if tile.verdicts else None, [verdicts[i] for verdicts in by_trial])
        for i, q in enumerate(tile.asked)
    )
    score = f'<span class="score">{cards.correct_of(tile.verdicts)} · {cards.counted(tile.reports[0].score)}</span>' if tile.reports else ""
    body = f'<ol class="cards">{items}</ol>' if items else f"<p>{text(tile.notice or 'There are no questions for this picture.')}</p>"
    return f'<section class="panel questions"><h2>{text(tile.metric)} {score}</h2>{body}</section>'


def _score_panel(tile: Tile) -> str:
    if not tile.reports:
        return '<section class="panel numbers"><h2>Score</h2><p class="soft">Not judged yet.</p></section>'
    report = tile.reports[0]
    value = "–" if report.score.value is None else f"{report.score.value:.2f}"
    rows = [
        ("all correct (strict)", cards.yes_no(report.scores.get("strict"))),
        ("under the papers’ rule", _published(report)),
        *_trial_rows(tile.reports),
        ("judge", tile.judge or "none"),
        ("replies", "from the cache" if tile.cached else "asked anew"),
        ("rules", report.version),
    ]
    lines = "".join(f'<tr><th scope="row">{text(name)}</th><td>{text(value)}</td></tr>' for name, value in rows)
    return (
        f'<section class="panel numbers"><h2>Score</h2><p class="value">{value}</p>'
        f'<p class="soft">counted {report.score.counted}, left out {report.score.left_out}</p><table><tbody>{lines}</tbody></table>'
        f'<h2 class="second">By composition</h2>{coi_bars(slices.by_coi([slices.Row(report)]))}</section>'
    )


def _published(report: Report) -> str:
    value = report.published.get("score")
    return "–" if value is None else f"{value:.2f}"


def _trial_rows(reports: Sequence[Report]) -> list[tuple[str, str]]:
    if len(reports) < 2:
        return []
    over = slices.trials(slices.Row(report, trial=i) for i, report in enumerate(reports)).over
    spread = "" if over.std is None else f" ± {over.std:.2f}"
    return [(f"mean of {len(reports)} trials", "–" if over.mean is None else f"{over.mean:.2f}{spread}")]


def coi_bars(means: Mapping[CoI, slices.Mean]) -> str:
    """One line a composition of interest: its name, a bar, how many of how many."""
    lines = "".join(
        f'<li><span class="called">{text(coi)}</span>{bar(mean.value)}<span class="n">{_share(mean)}</span></li>'
        for coi, mean in means.items()
    )
    return f'<ul class="bars">{lines}</ul>'


def _share(mean: slices.Mean) -> str:
    left_out = f", {mean.left_out} left out" if mean.left_out else ""
    return f"{round((mean.value or 0) * mean.n)} of {mean.n}{left_out}"
