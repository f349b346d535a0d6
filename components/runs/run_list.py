"""Shows stored runs as a list with what a person can do with each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from hallascope.components.html.markup import join, tag
from hallascope.components.runs.thumbnail import thumbnail_image

MOST_PROMPTS = 20  # of a sweep, that are listed one by one
MOST_LISTED = 600  # runs that the list shows at once
MOST_NAMED = 4  # models that are named


@dataclass(frozen=True, kw_only=True)
class RunCard:
    """Holds a run or a sweep as the list shows it.

    `prompts` are pairs of a run's id and its prompt: one of a run, several of a sweep. `date` is in
    words, `scores` a metric each. `thumbnail` is None where no image is there.
    """

    id: str
    name: str
    is_sweep: bool
    is_pinned: bool
    date: str
    state: str
    prompts: Sequence[tuple[str, str]]
    models: Sequence[str]
    judges: Sequence[str]
    images: int
    thumbnail: Path | None
    scores: Sequence[str]


def list_html(cards: Sequence[RunCard], total: int, empty: str) -> Markup:
    """Return the list, with a button for more where there are more in all (`total`).

    `empty` is the sentence in its place where there is no run.
    """
    if not cards:
        return tag("p", empty, class_="runs-empty")
    items = tag("ul", *map(_card, cards), class_="run-list")
    if total <= len(cards):
        return items
    if len(cards) >= MOST_LISTED:
        return join(items, tag("p", "Search to find the others.", class_="soft"))
    more = tag("button", f"Show more ({total - len(cards):,})", type="button", class_="runs-more")
    return join(items, more)


def _card(card: RunCard) -> Markup:
    opened = card.prompts[0][0] if card.prompts else card.id
    name = tag("button", card.name, type="button", class_="run-name", data_open=opened)
    pinned = tag("span", "Pinned", class_="run-pinned") if card.is_pinned else Markup()
    return tag(
        "li",
        tag("div", thumbnail_image(card.thumbnail), class_="run-thumbnail"),
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


def _about(card: RunCard) -> str:
    kind = f"sweep of {len(card.prompts):,} prompts" if card.is_sweep else ""
    models = ", ".join(card.models[:MOST_NAMED]) or "no model"
    if len(card.models) > MOST_NAMED:
        models += f" and {len(card.models) - MOST_NAMED} more"
    judges = ", ".join(card.judges)
    parts = (
        card.date,
        kind,
        models,
        f"judge {judges}" if judges else "no judge",
        "1 image" if card.images == 1 else f"{card.images:,} images",
        "" if card.state == "finished" else card.state,
    )
    return " · ".join(filter(None, parts))


def _prompts(card: RunCard) -> Markup:
    """Return the prompts: that of a run where its name is another, and those of a sweep folded."""
    if not card.is_sweep:
        differs = card.prompts and card.prompts[0][1] != card.name
        return tag("p", card.prompts[0][1], class_="run-prompt") if differs else Markup()
    items = [
        tag("li", tag("button", prompt, type="button", class_="run-prompt-open", data_open=run))
        for run, prompt in card.prompts[:MOST_PROMPTS]
    ]
    if len(card.prompts) > MOST_PROMPTS:
        items.append(tag("li", f"and {len(card.prompts) - MOST_PROMPTS:,} more", class_="soft"))
    count = f"{len(card.prompts):,} prompts"
    return tag("details", tag("summary", count), tag("ul", *items), class_="run-prompts")


def _scores(scores: Sequence[str]) -> Markup:
    if not scores:
        return Markup()
    chips = (tag("li", score, class_="score-chip") for score in scores)
    return tag("ul", *chips, class_="score-chips", aria_label="Scores")


def _actions(card: RunCard) -> Markup:
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
        type="button",
        class_="run-action",
        data_do=name,
        data_value=value.lower(),
        aria_label=f"{words} {run}",
    )
