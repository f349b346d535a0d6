"""The index of a site, and the page of one run: leaderboard, prompts, pictures in a grid.

It asks no model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from hallascope.components.cards import cards
from hallascope.components.cards.cards import Tile
from hallascope.components.html.markup import text
from hallascope.engine.events import GeneratedPicture, RunView
from hallascope.pages.shared import run_progress
from hallascope.pages.site import frame, paths
from hallascope.pages.site.frame import PageLink

PROMPTS = 300  # that stand on one page
_STRIP = 6  # thumbnails beside a prompt


@dataclass(frozen=True, kw_only=True)
class IndexEntry:
    """A run as the index names it."""

    page: str
    prompt: str
    pictures: int
    judged: int
    left_out: int
    thumbs: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    metrics: tuple[str, ...]


def head(view: RunView) -> IndexEntry:
    """What the index says of a run."""
    there = [shot for shot in view.shots if shot.path]
    thumbs = tuple(
        (paths.thumbnail(shot.image), f"{view.request.prompt}, by {shot.model}")
        for shot in there[:_STRIP]
        if shot.image
    )
    left_out = sum(e.report.score.left_out for e in view.evaluations)
    models = tuple(dict.fromkeys(run_progress.short_name(shot.model) for shot in view.shots))
    return IndexEntry(
        page=paths.run(view),
        prompt=view.request.prompt,
        pictures=len(there),
        judged=len(view.evaluations),
        left_out=left_out,
        thumbs=thumbs,
        models=models,
        metrics=tuple(dict.fromkeys(e.metric for e in view.evaluations)),
    )


def title(heads: Sequence[IndexEntry]) -> str:
    """What the site is called."""
    return heads[0].prompt if len(heads) == 1 else f"{len(heads)} prompts"


# --- the index
# --------------------------------------------------------------------------------------------------


def pages(heads: Sequence[IndexEntry], boards: str) -> Iterator[str]:
    """The pages of the index; the leaderboard stands on the first."""
    parts = [heads[start : start + PROMPTS] for start in range(0, len(heads), PROMPTS)]
    for number, part in enumerate(parts, 1):
        before = PageLink(paths.index(number - 1), "earlier prompts") if number > 1 else None
        after = PageLink(paths.index(number + 1), "more prompts") if number < len(parts) else None
        first = (
            f'<h1>{text(title(heads))}</h1><p class="soft">{text(_counts(heads))}</p>{boards}'
            if number == 1
            else "<h1>Prompts</h1>"
        )
        yield frame.page(
            title(heads), f"{first}{_prompts(part)}{frame.page_turn_links(before, after)}"
        )


def _counts(heads: Sequence[IndexEntry]) -> str:
    pictures, judged, left_out = (
        sum(getattr(one, name) for one in heads) for name in ("pictures", "judged", "left_out")
    )
    models = dict.fromkeys(model for one in heads for model in one.models)
    said = f"{pictures:,} pictures of {', '.join(models)}; {judged:,} evaluations"
    return f"{said}, {left_out:,} answers left out." if left_out else f"{said}, nothing left out."


def _prompts(heads: Sequence[IndexEntry]) -> str:
    rows = "".join(
        "<tr><td><a"
        f' href="{text(one.page)}">{text(one.prompt)}</a></td><td>{one.pictures}</td><td><span'
        f' class="small">{"".join(_small(*thumb) for thumb in one.thumbs)}</span></td></tr>'
        for one in heads
    )
    columns = "".join(f'<th scope="col">{name}</th>' for name in ("prompt", "pictures", ""))
    table = f'<table class="prompts"><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<section class="section"><h2>Prompts</h2>{table}</section>'


def _small(address: str, words: str) -> str:
    return f'<img src="{text(address)}" alt="{text(words)}" width="40" height="40" loading="lazy">'


# --- the page of a run
# --------------------------------------------------------------------------------------------------


def of_run(view: RunView, created: float) -> str:
    """All pictures of a run in a grid, each leading to its evidence.

    `created`: when it was begun, in seconds since 1970.
    """
    tiles = [(shot, run_progress.tile(view, shot)) for shot in view.shots]
    grid = "".join(card(view, shot, tile) for shot, tile in tiles)
    troubles = "".join(f"<li>{text(said)}</li>" for said in run_progress.troubles(view))
    notes = f'<ul class="notes">{troubles}</ul>' if troubles else ""
    body = (
        f"<h1>{text(view.request.prompt)}</h1><p"
        f' class="soft">{text(_run_facts(view, created))}</p>{notes}<div class="pictures"'
        f' data-count="{len(tiles)}">{grid}</div>'
    )
    return frame.page(view.request.prompt, body, 1, [PageLink("../index.html", "All results")])


def _run_facts(view: RunView, created: float) -> str:
    judge = f"judge {view.request.judge}" if view.request.judge else "no judge"
    day = datetime.fromtimestamp(created, UTC).date().isoformat()
    return f"run {view.run} · {day} · {', '.join(view.request.metrics)} · {judge}"


def card(view: RunView, shot: GeneratedPicture, tile: Tile) -> str:
    """One picture with its model, seconds, seed and the strip of its answers.

    A link where there is a page of it.
    """
    seed = None if tile.seed is None else f"seed {tile.seed}"
    about = " · ".join(filter(None, (cards.seconds(tile.seconds), seed)))
    inside = (
        f'{_frame(shot, tile)}<div class="caption"><div><h3>{text(tile.name)}</h3><p'
        f' class="about">{text(about) or "&nbsp;"}</p></div>'
        f"{cards.verdict_strip(tile.answers, len(tile.questions))}</div>"
    )
    if not shot.image:
        return f'<article class="tile">{inside}</article>'
    return f'<a class="tile" href="../{paths.picture(view, shot)}">{inside}</a>'


def _frame(shot: GeneratedPicture, tile: Tile) -> str:
    if not shot.path or not shot.image:
        return (
            f'<span class="frame empty"><span class="doing failed">{text(tile.doing)}</span></span>'
        )
    address = f"../{paths.thumbnail(shot.image)}"
    return (
        f'<span class="frame"><img src="{text(address)}" alt="{text(tile.alt_text)}" width="384"'
        ' height="384" loading="lazy"></span>'
    )
