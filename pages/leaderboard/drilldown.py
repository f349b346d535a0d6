"""From a bar, prompt or picture that was picked on the Leaderboard tab to what lies behind it.

Tested without Gradio.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from hallascope import metrics
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.markup import text
from hallascope.components.leaderboard import drilldown as lists
from hallascope.components.leaderboard.drilldown import Pagination, Prompt, PromptPicture
from hallascope.engine.leaderboard.demo import LeaderboardSource, source
from hallascope.engine.leaderboard.disagreements import disagreements, furthest
from hallascope.engine.leaderboard.drilldown import (
    DrilldownEvaluation,
    PromptScore,
    pictures,
    prompt_page,
)
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.leaderboard.redraw import redrawn
from hallascope.engine.services import Services
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard.choice import LeaderboardChoice
from hallascope.pages.leaderboard.view import SIZE, existing_file
from hallascope.pages.shared.exhibits import exhibit
from hallascope.pages.shared.run_progress import short_name

PROMPTS = 10  # on a page
NO_PICTURES = (
    "The shipped results come without their pictures here: pick a prompt behind a bar to see it"
    " drawn again."
)
REDRAWN = (
    "Redrawn: the model drew this again from the prompt and the seed. The score is the one that"
    " ships; run the prompt on the Explore tab to see the evidence of every question."
)
GONE = "This picture is not stored here."
# the tab in which the evidence of a metric stands beside that of the other images of its run: the
# I-HallA tab takes any metric of questions, the other tabs run one metric each
_TABS = {"fig": "fig", "scene-graph": "scene_graph", "factualbench": "factualbench"}
_QUESTIONS_TAB = "ihalla"
_ANY_TAB = "explore"


class Pick(NamedTuple):
    """What was picked; None where nothing was.

    `prompt` is its words, `picture` the id of its place.
    """

    model: str | None = None
    group: str = ""
    page: int = 0
    prompt: str | None = None
    picture: str | None = None


def pick(said: object) -> Pick:
    """What the page tells of a pick; what cannot be is as if it had not been said."""
    told = said if isinstance(said, Mapping) else {}
    model, group, page, prompt, picture = (told.get(name) for name in Pick._fields)
    number = int(str(page)) if str(page).isdecimal() and len(str(page)) < 7 else 0
    return Pick(
        _text_or_none(model),
        _text_or_none(group) or "",
        number,
        _text_or_none(prompt),
        _text_or_none(picture),
    )


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _settled(of: LeaderboardSource, wanted: LeaderboardChoice) -> LeaderboardChoice:
    return board_choice.resolve_choice(wanted, leaderboard_options(of.store, wanted.metric))


# --- behind a bar
# --------------------------------------------------------------------------------------------------


def prompts(services: Services, wanted: LeaderboardChoice, picked: Pick) -> str:
    """The prompts behind a bar, worst first; "" where none is picked. Raises HallaScopeError."""
    if picked.model is None or wanted.view == "apart":
        return ""
    of = source(services.store, shipped=wanted.shipped)
    query = _settled(of, wanted).query
    found = prompt_page(
        store=of.store,
        query=query,
        model=picked.model,
        group=picked.group,
        page=picked.page,
        size=PROMPTS,
    )
    named = " · ".join(filter(None, (short_name(picked.model), picked.group)))
    rows = [
        _prompt(one, pictures(of.store, query, picked.model, one.prompt, picked.group))
        for one in found.items
    ]
    sheet = Pagination(found.page, -(-found.total // PROMPTS), found.total)
    return lists.prompts(f"Behind {named}", rows, sheet, PROMPTS)


def _prompt(one: PromptScore, seen: Sequence[DrilldownEvaluation]) -> Prompt:
    own = {
        each.generation: each for each in reversed(seen) if each.image
    }.values()  # of several trials the worst
    return Prompt(
        one.prompt,
        one.value,
        _count_text(one),
        [PromptPicture(each.generation, existing_file(each.thumbnail), each.value) for each in own],
    )


def _count_text(one: PromptScore) -> str:
    left_out = f", {one.unanswered:,} left out" if one.unanswered else ""
    many = f"{one.pictures:,} {'picture' if one.pictures == 1 else 'pictures'}"
    return f"{many}, {one.answered:,} answered{left_out}"


# --- evidence
# --------------------------------------------------------------------------------------------------


def evidence(services: Services, wanted: LeaderboardChoice, picked: Pick) -> str:
    """The evidence of the picture that is picked, else of the worst of the prompt.

    Of nothing where nothing is. Raises HallaScopeError.
    """
    of = source(services.store, shipped=wanted.shipped)
    choice = _settled(of, wanted)
    if choice.view == "apart":
        return _of_methods(services, of, choice, picked) if picked.picture else viewer(())
    if picked.model is None or picked.prompt is None:
        return viewer(())
    if of.demo:
        return _redrawn(
            services=services,
            of=of,
            choice=choice,
            model=picked.model,
            prompt=picked.prompt,
            group=picked.group,
        )
    seen = pictures(of.store, choice.query, picked.model, picked.prompt, picked.group)
    one = next((each for each in seen if each.generation == picked.picture), next(iter(seen), None))
    return (
        _viewer_html(
            [_exhibit(services, one.run, one.generation, choice.metric)],
            one.run,
            one.generation,
            choice.metric,
        )
        if one
        else _sentence(GONE)
    )


def _redrawn(
    services: Services,
    of: LeaderboardSource,
    choice: LeaderboardChoice,
    model: str,
    prompt: str,
    *,
    group: str,
) -> str:
    """The pictures of a prompt in the numbers that ship, drawn again. Raises HallaScopeError."""
    seen = {one.seed: one for one in pictures(of.store, choice.query, model, prompt, group)}
    drawn = [
        lists.redrawn(
            redrawn(services, model, prompt, seed),
            prompt,
            short_name(model),
            seed,
            seen[seed].value,
        )
        for seed in seen
    ]
    return f"{''.join(drawn)}{_sentence(REDRAWN)}" if drawn else _sentence(GONE)


def _of_methods(
    services: Services, of: LeaderboardSource, choice: LeaderboardChoice, picked: Pick
) -> str:
    """What the two methods say that are furthest apart about a picture."""
    found = disagreements(of.store, choice.methods, page=picked.page, size=SIZE).items
    one = next((each for each in found if each.generation == picked.picture), None)
    if one is None or of.demo:
        return _sentence(NO_PICTURES if of.demo else GONE)
    methods = furthest(one.ranks)
    seen = [
        _exhibit(services, one.runs[metric], one.generation, metric, metrics.title(metric))
        for metric in methods
    ]
    return _viewer_html(seen, one.runs[methods[0]], one.generation, methods[0])


def _exhibit(services: Services, run: str, generation: str, metric: str, who: str = "") -> Exhibit:
    view = services.view(run)
    shot = next(one for one in view.shots if one.generation == generation)
    found = exhibit(services, view, shot, metric, who)
    return replace(found, name=f"{found.name}, {who}") if who and who not in found.name else found


def _viewer_html(exhibits: Sequence[Exhibit], run: str, generation: str, metric: str) -> str:
    """The viewer, and above it the way to the whole run."""
    rest = _QUESTIONS_TAB if metrics.presentation(metric) == "questions" else _ANY_TAB
    tab = _TABS.get(metric, rest)
    address = f"?{urlencode({'tab': tab, 'run': run, 'image': generation})}"
    return (
        f'<p class="where"><a href="{text(address)}">All pictures of this'
        f" run</a></p>{viewer(exhibits)}"
    )


def _sentence(words: str) -> str:
    return f'<p class="soft where">{text(words)}</p>{viewer(())}'


def event_pick(event: Any) -> Pick:
    """What an event of the page says was picked."""
    return pick(getattr(event, "_data", None))
