"""Shows what is behind a bar, a prompt or a picture that was picked on the Leaderboard tab."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.markup import join, tag
from hallascope.engine.leaderboard.demo import LeaderboardSource
from hallascope.engine.leaderboard.drilldown import (
    DrilldownEvaluation,
    disagreements,
    furthest,
    prompt_evaluations,
    prompt_page,
)
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.leaderboard.redraw import redraw_at_once, redraw_picture
from hallascope.engine.services import Services
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import lists
from hallascope.pages.leaderboard.choice import LeaderboardChoice
from hallascope.pages.leaderboard.view import SIZE, board_source
from hallascope.pages.shared.evidence.exhibits import exhibit
from hallascope.pages.shared.run_pictures import short_name

PROMPTS = 10  # on a page
REDRAWN = (
    "Redrawn from the prompt and the seed. For the evidence of every question, "
    "run the prompt on the Evaluate tab."
)
GONE = "This image is not stored here."
# the tab in which the evidence of a metric stands beside that of the other images of its run: the
# I-HallA tab takes any metric of questions, the other tabs run one metric each
_TABS = {"fig": "fig", "scene-graph": "scene_graph", "factualbench": "factualbench"}
_QUESTIONS_TAB = "ihalla"
_ANY_TAB = "evaluate"


class Pick(NamedTuple):
    """Names what was picked; None where nothing was.

    `prompt` is its words, `picture` the id of its place.
    """

    model: str | None = None
    group: str = ""
    page: int = 0
    prompt: str | None = None
    picture: str | None = None


def pick(sent: object) -> Pick:
    """Return the pick that the page sends; impossible values are ignored."""
    values = sent if isinstance(sent, Mapping) else {}
    page = str(values.get("page"))
    texts: dict[str, Any] = {
        name: value
        for name in Pick._fields
        if isinstance(value := values.get(name), str) and name != "page"
    }
    return Pick(**texts, page=int(page) if page.isdecimal() and len(page) < 7 else 0)


def _settled(source: LeaderboardSource, choice: LeaderboardChoice) -> LeaderboardChoice:
    return board_choice.resolve_choice(
        choice, leaderboard_options(source.store, choice.metric, choice.run)
    )


# --- behind a bar ---------------------------------------------------------------------------------


def prompts(services: Services, choice: LeaderboardChoice, picked: Pick) -> Markup:
    """Return the prompts behind a bar, worst first; "" without a bar. Raises HallaScopeError.

    There is nothing behind published numbers.
    """
    if picked.model is None or choice.view == "apart" or choice.results == board_choice.PUBLISHED:
        return Markup()
    ranked = board_source(services, choice)
    query = _settled(ranked, choice).query
    page = prompt_page(
        store=ranked.store,
        query=query,
        model=picked.model,
        group=picked.group,
        page=picked.page,
        size=PROMPTS,
    )
    named = " · ".join(filter(None, (short_name(picked.model), picked.group)))
    pictures = {
        prompt.prompt: _pictures(
            services,
            ranked,
            picked.model,
            prompt.prompt,
            prompt_evaluations(ranked.store, query, picked.model, prompt.prompt, picked.group),
        )
        for prompt in page.items
    }
    return lists.prompts(f"Behind {named}", page, pictures, redrawn=ranked.demo)


def _pictures(
    services: Services,
    ranked: LeaderboardSource,
    model: str,
    prompt: str,
    evaluations: Sequence[DrilldownEvaluation],
) -> list[DrilldownEvaluation]:
    """Return one evaluation of each picture.

    Pictures of the reference are drawn again where that takes a moment.
    """
    # the worst come first, so that of several trials of a picture the worst stays
    worst = {each.generation: each for each in reversed(evaluations) if each.image or ranked.demo}
    if not ranked.demo:
        return list(worst.values())
    return [
        replace(each, thumbnail=redraw_at_once(services, model, prompt, each.seed))
        for each in worst.values()
    ]


# --- evidence -------------------------------------------------------------------------------------


def evidence(services: Services, wanted: LeaderboardChoice, picked: Pick) -> Markup:
    """Return the evidence of the picked picture, else of the worst of the prompt.

    Raises HallaScopeError.
    """
    ranked = board_source(services, wanted)
    choice = _settled(ranked, wanted)
    if choice.results == board_choice.PUBLISHED:
        return viewer(())
    if choice.view == "apart":
        return _of_methods(services, ranked, choice, picked) if picked.picture else viewer(())
    if picked.model is None or picked.prompt is None:
        return viewer(())
    if ranked.demo:
        return _redrawn(
            services=services,
            ranked=ranked,
            choice=choice,
            model=picked.model,
            prompt=picked.prompt,
            group=picked.group,
        )
    evaluations = prompt_evaluations(
        ranked.store, choice.query, picked.model, picked.prompt, picked.group
    )
    shown = next(
        (each for each in evaluations if each.generation == picked.picture),
        next(iter(evaluations), None),
    )
    if shown is None:
        return _sentence(GONE)
    shown_exhibit = _exhibit(services, shown.run, shown.generation, choice.metric)
    return _viewer_html([shown_exhibit], shown.run, shown.generation, choice.metric)


def _redrawn(
    services: Services,
    ranked: LeaderboardSource,
    choice: LeaderboardChoice,
    model: str,
    prompt: str,
    *,
    group: str,
) -> Markup:
    """Return the shipped pictures of a prompt, drawn again. Raises HallaScopeError."""
    by_seed = {
        each.seed: each
        for each in prompt_evaluations(ranked.store, choice.query, model, prompt, group)
    }
    images = [
        lists.redrawn_picture(
            redraw_picture(services, model, prompt, seed),
            prompt,
            short_name(model),
            seed,
            {"score": each.value},
        )
        for seed, each in by_seed.items()
    ]
    return join(*images, _sentence(REDRAWN)) if images else _sentence(GONE)


def _of_methods(
    services: Services, ranked: LeaderboardSource, choice: LeaderboardChoice, picked: Pick
) -> Markup:
    """Return what the two methods say that are furthest apart about a picture.

    A picture of the reference is drawn again. Raises HallaScopeError.
    """
    page_items = disagreements(ranked.store, choice.methods, page=picked.page, size=SIZE).items
    disagreement = next((each for each in page_items if each.generation == picked.picture), None)
    if disagreement is None:
        return _sentence(GONE)
    methods = furthest(disagreement.ranks)
    if ranked.demo:
        image = lists.redrawn_picture(
            redraw_picture(services, disagreement.model, disagreement.prompt, disagreement.seed),
            disagreement.prompt,
            short_name(disagreement.model),
            disagreement.seed,
            {metrics.title(metric): disagreement.scores[metric] for metric in methods},
        )
        return join(image, _sentence(REDRAWN))
    exhibits = [
        _exhibit(
            services,
            disagreement.runs[metric],
            disagreement.generation,
            metric,
            metrics.title(metric),
        )
        for metric in methods
    ]
    return _viewer_html(
        exhibits, disagreement.runs[methods[0]], disagreement.generation, methods[0]
    )


def _exhibit(
    services: Services, run: str, generation: str, metric: str, method: str = ""
) -> Exhibit:
    view = services.view(run)
    shot = next(each for each in view.shots if each.generation == generation)
    shown = exhibit(services, view, shot, metric, method)
    if method and method not in shown.name:
        return replace(shown, name=f"{shown.name}, {method}")
    return shown


def _viewer_html(exhibits: Sequence[Exhibit], run: str, generation: str, metric: str) -> Markup:
    """Return the viewer with a link to the whole run above it."""
    default = _QUESTIONS_TAB if metrics.presentation(metric) == "questions" else _ANY_TAB
    tab = _TABS.get(metric, default)
    address = f"?{urlencode({'tab': tab, 'run': run, 'image': generation})}"
    link = tag("a", "All images of this run", href=address)
    return tag("p", link, class_="where") + viewer(exhibits)


def _sentence(words: str) -> Markup:
    return tag("p", words, class_="soft where") + viewer(())


def event_pick(event: Any) -> Pick:
    """Return what an event of the page says was picked."""
    return pick({name: getattr(event, name, None) for name in Pick._fields})


def event_choices(event: Any) -> object:
    """Return what an event of the page says the address names; None where it says nothing."""
    return getattr(event, "choices", None)
