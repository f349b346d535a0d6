"""Makes the page of one picture: what every metric says of it, in the evidence viewer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.cards import cards
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits import factualbench
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.markup import file_urls, join, tag
from hallascope.components.html.truth import truth_bar
from hallascope.components.tiles.scores import score_with_counts
from hallascope.engine.events import GeneratedPicture
from hallascope.engine.export.folder import slug
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import Rating
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.exhibits import exhibit
from hallascope.pages.shared.truths import with_truth
from hallascope.pages.site import frame, paths, people
from hallascope.pages.site.frame import PageLink


def page(
    services: Services,
    view: RunResult,
    shot: GeneratedPicture,
    around: tuple[PageLink | None, PageLink | None] = (None, None),
    said: Sequence[Rating] = (),
    *,
    people_answer: bool = True,
) -> Markup:
    """Return the whole page.

    `around`: the pages before and after it; `said`: what people said of the pictures of the run.
    `people_answer`: whether what people answered counts as truth.
    """
    shown = list(metrics_to_show(view, shot))
    ratings = [rating for rating in said if rating.image == shot.image]
    by_people = people.section(ratings, view.questions)
    body = join(
        tag("h1", view.request.prompt),
        _facts_line(view, shot),
        frame.page_turn_links(*around),
        _jumps(shown, bool(by_people)),
        *(section(services, view, shot, metric, people_answer) for metric in shown),
        by_people,
        _others(view, shot, shown),
    )
    trail = [
        PageLink("../index.html", "All results"),
        PageLink(f"../{paths.run(view)}", view.request.prompt),
    ]
    name = run_pictures.seeded_name(run_pictures.picture_name(shot), shot.model, shot.seed)
    return frame.page(f"{name}: {view.request.prompt}", body, 1, trail)


def _jumps(shown: Sequence[str], with_people: bool) -> Markup:
    """Return links to the parts of the page, where there are several."""
    parts = [(slug(metric), metrics.title(metric)) for metric in shown]
    if with_people:
        parts.append(("people", people.TITLE))
    if len(parts) < 2:
        return Markup()
    links = (tag("a", words, href=f"#{part}") for part, words in parts)
    return tag("nav", *links, class_="methods", aria_label="On this page")


def _facts_line(view: RunResult, shot: GeneratedPicture) -> Markup:
    tile = run_pictures.tile(view, shot)
    rows = [
        ("model", shot.model),
        ("seed", "" if tile.seed is None else str(tile.seed)),
        ("time", cards.seconds(tile.seconds)),
        ("SHA-256", shot.image or ""),
    ]
    facts = " · ".join(f"{name} {value}" for name, value in rows if value)
    return tag("p", facts, class_="soft", style="overflow-wrap: anywhere")


# --- metric by metric
# --------------------------------------------------------------------------------------------------


def metrics_to_show(view: RunResult, shot: GeneratedPicture) -> Iterator[str]:
    """Yield the metrics that have something to show of the picture, those asked for first.

    Without any, the first that was asked for.
    """
    shown = dict.fromkeys(
        evaluation.metric
        for evaluation in view.evaluations
        if evaluation.generation == shot.generation
        and (evaluation.report.verdicts or evaluation.report.evidence is not None)
    )
    requested = [name for name in view.request.metrics if name in shown]
    others = [name for name in shown if name not in view.request.metrics]
    yield from [*requested, *others] or [run_pictures.primary(view)]


def section(
    services: Services,
    view: RunResult,
    shot: GeneratedPicture,
    metric: str,
    people_answer: bool = True,
) -> Markup:
    """Return what one metric says, as the dashboard shows it."""
    tile = with_truth(services, run_pictures.tile(view, shot, metric=metric), people_answer)
    with file_urls(frame.image_address(1)):
        exhibits = _exhibits(services, view, shot, metric, people_answer)
        shown = viewer([replace(each, key=f"{each.key}.{metric}") for each in exhibits])
    return tag(
        "section",
        tag("h2", metrics.title(metric)),
        truth_bar(tile.errors, tile.truths),
        tag("div", shown, data_viewer=True),
        class_="section",
        id=slug(metric),
    )


def _exhibits(
    services: Services,
    view: RunResult,
    shot: GeneratedPicture,
    metric: str,
    people_answer: bool,
) -> list[Exhibit]:
    exhibits = [exhibit(services, view, shot, metric, people=people_answer)]
    for concept in run_pictures.compared_concepts(view, metric):
        reference = factualbench.reference(concept, view.run, shot.generation)
        if reference.path and not reference.path.exists():
            reference = replace(reference, path=None)
        exhibits.append(reference)
    return exhibits


def _others(view: RunResult, shot: GeneratedPicture, shown: list[str]) -> Markup:
    """Return the scores of metrics that rest on nothing that could be shown."""
    rows = [
        (metrics.title(e.metric), score_with_counts(e.report.score))
        for e in view.evaluations
        if e.generation == shot.generation and e.metric not in shown
    ]
    if not rows:
        return Markup()
    panel = tag("div", fact_table(rows), class_="panel")
    return tag("section", tag("h2", "Other scores"), panel, class_="section")
