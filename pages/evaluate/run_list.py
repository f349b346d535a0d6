"""Shows stored runs as a list with what a person can do with each."""

from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.markup import join, soft_line, tag
from hallascope.components.runs.thumbnail import thumbnail_image
from hallascope.components.tiles.scores import number_text
from hallascope.data.nouns import count_noun
from hallascope.engine.events import UPLOADED
from hallascope.engine.storage.catalog import ListedRun, MeanScore
from hallascope.engine.storage.images import ImageStore

MAX_SCORES = 4  # metrics of a run that the list shows
MOST_PROMPTS = 20  # of a sweep, that are listed one by one
MOST_LISTED = 600  # runs that the list shows at once
MOST_NAMED = 4  # models that are named


def list_html(runs: Sequence[ListedRun], images: ImageStore, total: int, empty: str) -> Markup:
    """Return the list, with a button for more where there are more in all (`total`).

    `empty` is the sentence in its place where there is no run.
    """
    if not runs:
        return tag("p", empty, class_="runs-empty")
    items = tag("ul", *(_card(run, images) for run in runs), class_="run-list")
    if total <= len(runs):
        return items
    if len(runs) >= MOST_LISTED:
        return join(items, soft_line("Search to find the others."))
    more = tag("button", f"Show more ({total - len(runs):,})", class_="runs-more")
    return join(items, more)


def _card(card: ListedRun, images: ImageStore) -> Markup:
    opened = card.runs[0].run if card.runs else card.id
    thumbnail = images.thumbnail(card.image) if card.image else None
    name = tag("button", card.name, class_="run-name", data_open=opened)
    pinned = tag("span", "Pinned", class_="run-pinned") if card.is_pinned else Markup()
    return tag(
        "li",
        tag("div", thumbnail_image(thumbnail), class_="run-thumbnail"),
        tag(
            "div",
            tag("h3", name, " ", pinned),
            tag("p", _about(card), class_="about"),
            _prompts(card),
            _scores(card.scores),
            class_="run-about",
        ),
        _actions(card),
        class_="run-card",
        data_run=card.id,
        data_name=card.name,
    )


def _about(card: ListedRun) -> str:
    kind = f"sweep of {len(card.runs):,} prompts" if card.is_sweep else ""
    names = ["your own image" if model == UPLOADED else model for model in card.models]
    models = ", ".join(names[:MOST_NAMED]) or "no model"
    if len(card.models) > MOST_NAMED:
        models += f" and {len(card.models) - MOST_NAMED} more"
    judges = ", ".join(card.judges)
    parts = (
        f"{datetime.fromtimestamp(card.created, UTC):%Y-%m-%d %H:%M} UTC",
        kind,
        models,
        f"judge {judges}" if judges else "no judge",
        count_noun(card.images, "image"),
        "" if card.state == "finished" else card.state,
    )
    return " · ".join(filter(None, parts))


def _prompts(card: ListedRun) -> Markup:
    """Return the prompts: that of a run where its name is another, and those of a sweep folded."""
    if not card.is_sweep:
        differs = card.runs and card.runs[0].prompt != card.name
        return tag("p", card.runs[0].prompt, class_="run-prompt") if differs else Markup()
    items = [
        tag("li", tag("button", prompt, class_="run-prompt-open", data_open=run))
        for run, prompt in card.runs[:MOST_PROMPTS]
    ]
    if len(card.runs) > MOST_PROMPTS:
        items.append(tag("li", f"and {len(card.runs) - MOST_PROMPTS:,} more", class_="soft"))
    count = f"{len(card.runs):,} prompts"
    return tag("details", tag("summary", count), tag("ul", *items), class_="run-prompts")


def _scores(scores: Sequence[MeanScore]) -> Markup:
    if not scores:
        return Markup()
    chips = (tag("li", _score_words(score), class_="score-chip") for score in scores[:MAX_SCORES])
    return tag("ul", *chips, class_="score-chips", aria_label="Scores")


def _score_words(score: MeanScore) -> str:
    """Return a mean score with what it rests on: "I-HallA 0.50 (4 images, 2 left out)"."""
    found = metrics.find(score.metric)
    basis = count_noun(score.n, "image")
    if score.left_out:
        basis += f", {score.left_out:,} left out"
    title = found.title if found else score.metric
    return f"{title} {number_text(score.value)} ({basis})"


def _actions(card: ListedRun) -> Markup:
    choose = tag(
        "label",
        tag("input", type="checkbox", class_="run-choose", value=card.id),
        "Compare",
        class_="run-choose-label",
    )
    actions = (
        _action("pin", "Unpin" if card.is_pinned else "Pin", card.name, str(not card.is_pinned)),
        _action("rename", "Rename", card.name),
        _action("delete", "Delete", card.name),
    )
    return tag("div", choose, *actions, class_="run-actions")


def _action(name: str, words: str, run: str, value: str = "") -> Markup:
    return tag(
        "button",
        words,
        class_="run-action",
        data_do=name,
        data_value=value.lower(),
        aria_label=f"{words} {run}",
    )
