"""The page of one picture: what every metric says of it, with the evidence viewer of the dashboard.

It asks no model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hallascope import metrics
from hallascope.components.cards import cards
from hallascope.components.evidence import factualbench
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.markup import addressed, text
from hallascope.engine.events import UPLOADED, Evaluation, GeneratedPicture, RunView
from hallascope.engine.export.folder import slug
from hallascope.engine.export.records import SharedRating
from hallascope.engine.services import Services
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.exhibits import exhibit
from hallascope.pages.site import frame, paths, people
from hallascope.pages.site.frame import PageLink


def picture_name(shot: GeneratedPicture) -> str:
    """A picture in few words."""
    return (
        f"{run_progress.picture_name(shot)}"
        if shot.model == UPLOADED
        else f"{run_progress.picture_name(shot)}, seed {shot.seed}"
    )


def page(
    services: Services,
    view: RunView,
    shot: GeneratedPicture,
    around: tuple[PageLink | None, PageLink | None] = (None, None),
    said: Sequence[SharedRating] = (),
) -> str:
    """The whole page.

    `around`: the pages before and after it; `said`: what people said of the pictures of the run.
    """
    shown = list(metrics_to_show(view, shot))
    told = people.section([one for one in said if one.image == shot.image], view.questions)
    sections = "".join(section(services, view, shot, metric) for metric in shown)
    body = (
        f"<h1>{text(view.request.prompt)}</h1>{_facts_table(view, shot)}"
        f"{frame.page_turn_links(*around)}{_jumps(shown, bool(told))}"
        f"{sections}{told}{_others(view, shot, shown)}"
    )
    trail = [
        PageLink("../index.html", "All results"),
        PageLink(f"../{paths.run(view)}", view.request.prompt),
    ]
    return frame.page(f"{picture_name(shot)}: {view.request.prompt}", body, 1, trail)


def _jumps(shown: Sequence[str], told: bool) -> str:
    """Links to the parts of the page, where there are several."""
    parts = [
        *((slug(metric), metrics.title(metric)) for metric in shown),
        *([("people", people.TITLE)] if told else []),
    ]
    links = "".join(f'<a href="#{at}">{text(words)}</a>' for at, words in parts)
    return f'<nav class="methods" aria-label="On this page">{links}</nav>' if len(parts) > 1 else ""


def _facts_table(view: RunView, shot: GeneratedPicture) -> str:
    tile = run_progress.tile(view, shot)
    rows = [
        ("model", shot.model),
        ("seed", str(shot.seed)),
        ("time", cards.seconds(tile.seconds)),
        ("SHA-256", shot.image or ""),
    ]
    said = " · ".join(f"{name} {value}" for name, value in rows if value)
    return f'<p class="soft" style="overflow-wrap: anywhere">{text(said)}</p>'


# --- metric by metric
# --------------------------------------------------------------------------------------------------


def metrics_to_show(view: RunView, shot: GeneratedPicture) -> Iterator[str]:
    """The metrics that have something to show of the picture, those asked for first.

    Without any, the first that was asked for.
    """
    told = dict.fromkeys(
        e.metric for e in view.evaluations if e.generation == shot.generation and _shows(e)
    )
    ordered = [name for name in view.request.metrics if name in told] + [
        name for name in told if name not in view.request.metrics
    ]
    yield from ordered or [run_progress.primary(view)]


def _shows(said: Evaluation) -> bool:
    return bool(said.report.verdicts) or said.report.evidence is not None


def section(services: Services, view: RunView, shot: GeneratedPicture, metric: str) -> str:
    """What one metric says, as the dashboard shows it."""
    with addressed(frame.image_address(1)):
        shown = viewer(
            [_scoped_exhibit(one, metric) for one in _exhibits(services, view, shot, metric)]
        )
    return (
        f'<section class="section" id="{slug(metric)}"><h2>{text(metrics.title(metric))}</h2><div'
        f" data-viewer>{shown}</div></section>"
    )


def _exhibits(
    services: Services, view: RunView, shot: GeneratedPicture, metric: str
) -> list[Exhibit]:
    own = exhibit(services, view, shot, metric)
    concepts = (
        view.request.factual.concepts
        if view.request.factual and metrics.presentation(metric) == "rounds"
        else ()
    )
    references = [
        factualbench.reference(concept, view.run, shot.generation) for concept in concepts
    ]
    return [
        own,
        *(
            replace(one, path=one.path if one.path and one.path.exists() else None)
            for one in references
        ),
    ]


def _scoped_exhibit(shown: Exhibit, metric: str) -> Exhibit:
    """Keep its choices its own: "finding 2" of one metric is not that of another on the page."""
    return replace(shown, key=f"{shown.key}.{metric}")


def _others(view: RunView, shot: GeneratedPicture, shown: list[str]) -> str:
    """The scores of metrics that rest on nothing that could be shown."""
    rows = [
        (metrics.title(e.metric), cards.score_with_counts(e.report.score))
        for e in view.evaluations
        if e.generation == shot.generation and e.metric not in shown
    ]
    return (
        '<section class="section"><h2>Other scores</h2><div'
        f' class="panel">{cards.facts(rows)}</div></section>'
        if rows
        else ""
    )
