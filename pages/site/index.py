"""Makes the index of a site and the page of one run: leaderboard, prompts, pictures in a grid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from hallascope.components.cards.cards import caption
from hallascope.components.cards.matrix import tile_class
from hallascope.components.html.markup import html_table, join, soft_line, tag
from hallascope.components.html.truth import truth_bar, truth_scope
from hallascope.components.tiles.tile import Tile
from hallascope.data.nouns import count_noun
from hallascope.engine.events import GeneratedPicture
from hallascope.engine.run.result import RunResult
from hallascope.metrics.true_answers import JudgeErrors
from hallascope.pages.shared import run_messages, run_pictures
from hallascope.pages.site import frame, paths
from hallascope.pages.site.frame import PageLink

PROMPTS = 300  # that stand on one page
_STRIP = 6  # thumbnails beside a prompt


@dataclass(frozen=True, kw_only=True)
class IndexEntry:
    """Holds what the index says of a run."""

    page: str
    prompt: str
    pictures: int
    judged: int
    failed: int
    left_out: int
    thumbs: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    metrics: tuple[str, ...]


def head(view: RunResult) -> IndexEntry:
    """Return what the index says of a run."""
    there = [shot for shot in view.shots if shot.path]
    thumbs = tuple(
        (paths.thumbnail(shot.image), f"{view.request.prompt}, by {shot.model}")
        for shot in there[:_STRIP]
        if shot.image
    )
    left_out = sum(e.report.score.left_out for e in view.evaluations)
    models = tuple(dict.fromkeys(run_pictures.short_name(shot.model) for shot in view.shots))
    return IndexEntry(
        page=paths.run(view),
        prompt=view.request.prompt,
        pictures=len(there),
        judged=len(view.evaluations),
        failed=len(view.failures),
        left_out=left_out,
        thumbs=thumbs,
        models=models,
        metrics=tuple(dict.fromkeys(e.metric for e in view.evaluations)),
    )


def title(heads: Sequence[IndexEntry]) -> str:
    """Return the title of the site."""
    return heads[0].prompt if len(heads) == 1 else f"{len(heads)} prompts"


# --- the index
# --------------------------------------------------------------------------------------------------


def pages(heads: Sequence[IndexEntry], boards: Markup) -> Iterator[Markup]:
    """Yield the pages of the index; the leaderboard stands on the first."""
    parts = [heads[start : start + PROMPTS] for start in range(0, len(heads), PROMPTS)]
    for number, part in enumerate(parts, 1):
        before = PageLink(paths.index(number - 1), "earlier prompts") if number > 1 else None
        after = PageLink(paths.index(number + 1), "more prompts") if number < len(parts) else None
        first = tag("h1", "Prompts")
        if number == 1:
            counts = soft_line(_counts(heads))
            first = join(tag("h1", title(heads)), counts, boards)
        yield frame.page(
            title(heads), join(first, _prompts(part), frame.page_turn_links(before, after))
        )


def _counts(heads: Sequence[IndexEntry]) -> str:
    pictures, judged, failed, left_out = (
        sum(getattr(head, name) for head in heads)
        for name in ("pictures", "judged", "failed", "left_out")
    )
    models = dict.fromkeys(model for head in heads for model in head.models)
    counts = [count_noun(judged, "evaluation") if judged else "not judged"]
    if failed:
        counts.append(f"{count_noun(failed, 'evaluation')} failed")
    if left_out:
        counts.append(f"{count_noun(left_out, 'answer')} left out")
    elif judged and not failed:
        counts.append("all questions answered")
    return f"{count_noun(pictures, 'image')} of {', '.join(models)}; {', '.join(counts)}."


def _prompts(heads: Sequence[IndexEntry]) -> Markup:
    rows = map(_prompt_row, heads)
    table = html_table(("prompt", "images", ""), rows, class_="prompts")
    return tag("section", tag("h2", "Prompts"), table, class_="section")


def _prompt_row(entry: IndexEntry) -> Markup:
    thumbs = (
        tag("img", src=address, alt=words, width="40", height="40", loading="lazy")
        for address, words in entry.thumbs
    )
    return tag(
        "tr",
        tag("td", tag("a", entry.prompt, href=entry.page)),
        tag("td", entry.pictures),
        tag("td", tag("span", *thumbs, class_="small")),
    )


# --- the page of a run ---


def of_run(view: RunResult, created: float, tiles: Sequence[Tile]) -> Markup:
    """Return all pictures of a run in a grid, each leading to its evidence.

    `created`: when it was begun, in seconds since 1970. `tiles`: its pictures with the truth of
    their questions.
    """
    truths = [truth for tile in tiles for truth in tile.truths]
    cards = [card(view, shot, tile) for shot, tile in zip(view.shots, tiles, strict=True)]
    troubles = [tag("li", trouble) for trouble in run_messages.troubles(view)]
    body = join(
        tag("h1", view.request.prompt),
        soft_line(_run_facts(view, created)),
        tag("ul", *troubles, class_="notes") if troubles else "",
        tag(
            "div",
            *cards,
            class_=f"pictures {truth_scope(truths)}".rstrip(),
            data_count=len(cards),
        ),
        truth_bar(sum((tile.errors for tile in tiles), JudgeErrors()), truths),
    )
    return frame.page(view.request.prompt, body, 1, [PageLink("../index.html", "All results")])


def _run_facts(view: RunResult, created: float) -> str:
    judge = f"judge {view.request.judge}" if view.request.judge else "no judge"
    day = datetime.fromtimestamp(created, UTC).date().isoformat()
    return f"run {view.run} · {day} · {', '.join(view.request.metrics)} · {judge}"


def card(view: RunResult, shot: GeneratedPicture, tile: Tile) -> Markup:
    """Return one picture with its model, seconds, seed and the strip of its answers.

    It is a link where there is a page of it.
    """
    inside = _picture_frame(shot, tile) + caption(tile)
    if not shot.image:
        return tag("article", inside, class_="tile")
    address = f"../{paths.picture(view, shot)}"
    return tag("a", inside, class_=tile_class(tile), href=address)


def _picture_frame(shot: GeneratedPicture, tile: Tile) -> Markup:
    if not shot.path or not shot.image:
        words = tag("span", tile.doing, class_="doing failed")
        return tag("span", words, class_="frame empty")
    picture = tag(
        "img",
        src=f"../{paths.thumbnail(shot.image)}",
        alt=tile.alt_text,
        width="384",
        height="384",
        loading="lazy",
    )
    return tag("span", picture, class_="frame")
