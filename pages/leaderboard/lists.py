"""Shows what lies behind a bar, the worst prompts first, and where methods disagree."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.markup import (
    bar,
    html_table,
    image,
    join,
    panel,
    scroll_region,
    side_note,
    soft_line,
    table_row,
    tag,
    to_json,
)
from hallascope.data.nouns import count_noun
from hallascope.engine.leaderboard.drilldown import (
    DrilldownEvaluation,
    MethodDisagreement,
    Page,
    PromptScore,
    furthest,
)
from hallascope.pages.shared.run_pictures import short_name

# pixels
_THUMBNAIL = 72
_REDRAWN = 360


def prompts(
    title: str,
    page: Page[PromptScore],
    pictures: Mapping[str, Sequence[DrilldownEvaluation]],
    *,
    redrawn: bool,
) -> Markup:
    """Return the prompts behind a bar, each with its pictures.

    A prompt and each of its pictures lead to the evidence. `redrawn`: a picture without a file is
    drawn where it is picked.
    """
    if not page.items:
        return panel(title, soft_line("No answers here."), class_="behind")
    count = f"{count_noun(page.total, 'prompt')}, the worst first"
    lines = (_prompt(prompt, pictures[prompt.prompt], redrawn) for prompt in page.items)
    return tag(
        "section",
        tag("h2", f"{title} ", tag("span", count, class_="which")),
        tag("ol", *lines, class_="behind-list", start=page.page * page.size + 1),
        _page_buttons(page),
        class_="panel behind",
    )


def _prompt(prompt: PromptScore, pictures: Sequence[DrilldownEvaluation], redrawn: bool) -> Markup:
    words = prompt.prompt
    button = tag("button", words, class_="lead-button", **_pick({"prompt": words}))
    value = "–" if prompt.value is None else f"{prompt.value:.2f}"
    left_out = f", {prompt.unanswered:,} left out" if prompt.unanswered else ""
    about = f"{count_noun(prompt.pictures, 'image')}, {prompt.answered:,} answered{left_out}"
    thumbnails = (_thumbnail(words, picture, redrawn) for picture in pictures)
    return tag(
        "li",
        tag("span", *thumbnails, class_="thumbnails"),
        tag("span", button, tag("span", about, class_="about"), class_="told"),
        tag("span", bar(prompt.value), tag("span", value, class_="n"), class_="value"),
    )


def _thumbnail(prompt: str, picture: DrilldownEvaluation, redrawn: bool) -> Markup:
    value = "no answers" if picture.value is None else f"{picture.value:.2f}"
    shown = _small_image(picture.thumbnail, f"{prompt}: {value}")
    name = f"Image of {prompt}: {value}"
    if redrawn and picture.thumbnail is None:
        shown = tag("span", "Draw", class_="blank")
        name = f"Draw the image of {prompt} again: {value}"
    return tag(
        "button",
        shown,
        class_="prompt-thumbnail",
        **_pick({"prompt": prompt, "picture": picture.generation}),
        aria_label=name,
        title=value,
    )


def _small_image(path: Path | None, alt: str) -> Markup:
    return image(path, alt, _THUMBNAIL) if path else tag("span", class_="blank")


def redrawn_picture(
    path: Path, prompt: str, model: str, seed: int, scores: Mapping[str, float | None]
) -> Markup:
    """Return a picture that was drawn again, with its model, prompt, seed and scores by name."""
    words = (
        f"no {name}" if value is None else f"{name} {value:.2f}" for name, value in scores.items()
    )
    return tag(
        "figure",
        image(path, f"{prompt}, drawn again by {model}", _REDRAWN),
        tag("figcaption", " · ".join([f"{model}: {prompt}", f"seed {seed}", *words])),
        class_="redrawn",
    )


def _pick(
    pick: Mapping[str, object], keeps: Sequence[str] = ("model", "group", "page")
) -> dict[str, str]:
    """Return the attributes of a button that picks; `keeps`: what of the last pick stays."""
    return {
        "data_pick": to_json(pick),
        "data_keeps": to_json(list(keeps)),
        "aria_pressed": "false",
    }


def _page_buttons(shown: Page[Any]) -> Markup:
    """Return the buttons that turn the page, where there are several."""
    page, pages = shown.page, -(-shown.total // shown.size)
    if pages < 2:
        return Markup()
    return tag(
        "div",
        _page_button("Previous", page - 1, enabled=page > 0),
        tag("span", f"{page + 1:,} of {pages:,}", class_="soft"),
        _page_button("Next", page + 1, enabled=page + 1 < pages),
        class_="turning",
    )


def _page_button(words: str, page: int, *, enabled: bool) -> Markup:
    return tag(
        "button",
        words,
        class_="turn",
        data_event="submit",
        data_pick=to_json({"page": page}),
        data_keeps=to_json(["model", "group"]),
        disabled=not enabled,
    )


# --- where methods disagree ---


def disagreements(page: Page[MethodDisagreement], about: str) -> Markup:
    """Return pictures with the score of every method, those first of which they disagree most.

    A picture leads to its evidence.
    """
    title = "Metric disagreement"
    if not page.items:
        sentence = (
            "No image has scores of two metrics yet. Evaluate with several metrics to see where"
            " they disagree."
        )
        return panel(title, soft_line(sentence), class_="behind")
    methods = list(dict.fromkeys(metric for row in page.items for metric in row.scores))
    heads = ("image", *map(metrics.title, methods), "disagreement")
    table = html_table(heads, (_disagreement(row, methods) for row in page.items))
    count = count_noun(page.total, "image")
    return tag(
        "section",
        tag("h2", f"{title} ", tag("span", count, class_="which")),
        soft_line(about),
        scroll_region(table, title),
        _page_buttons(page),
        class_="panel behind disagreements",
    )


def _disagreement(row: MethodDisagreement, methods: Sequence[str]) -> Markup:
    model = tag("span", short_name(row.model), class_="about")
    button = tag(
        "button",
        _small_image(row.thumbnail, ""),
        tag("span", tag("span", row.prompt, class_="called"), model),
        class_="lead-button with-picture",
        **_pick({"picture": row.generation}, keeps=("page",)),
    )
    difference = tag("span", f"{row.value:.2f}", class_="n")
    return table_row(
        button,
        *(_score_cell(metric, row) for metric in methods),
        tag("td", difference, class_="value apart", data_of="disagreement"),
    )


def _score_cell(metric: str, row: MethodDisagreement) -> Markup:
    """Return the score of a method.

    Words say which methods put the picture lowest and highest, as these two are compared.
    """
    value = row.scores.get(metric)
    score = tag("span", "–" if value is None else f"{value:.2f}", class_="n")
    if value is not None:
        score = join(score, bar(value))
    ends = dict(zip(furthest(row.ranks), ("lowest place", "highest place"), strict=True))
    return tag(
        "td", score, side_note(ends.get(metric, "")), class_="value", data_of=metrics.title(metric)
    )
