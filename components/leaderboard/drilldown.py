"""Shows what lies behind a bar, the worst prompts first, and where methods disagree."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

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

# pixels
_THUMBNAIL = 72
_REDRAWN = 360


class PromptPicture(NamedTuple):
    """Holds a picture by its place; `value` is its own score, None where nothing was answered.

    `undrawn`: there is no file yet, and the picture is drawn where it is picked.
    """

    key: str
    path: Path | None
    value: float | None
    undrawn: bool = False


class Prompt(NamedTuple):
    """Holds a prompt with what it adds to the mean, what that rests on, and its pictures."""

    words: str
    value: float | None
    about: str
    pictures: Sequence[PromptPicture]


class Pagination(NamedTuple):
    """Is a page of a list: its number from 0, how many there are, and how many entries in all."""

    page: int
    pages: int
    total: int


def prompts(title: str, rows: Sequence[Prompt], sheet: Pagination, size: int) -> Markup:
    """Return the prompts behind a bar, `size` a page.

    A prompt and each of its pictures lead to the evidence.
    """
    if not rows:
        return panel(title, soft_line("No answers here."), class_="behind")
    count = f"{sheet.total:,} {'prompt' if sheet.total == 1 else 'prompts'}, the worst first"
    start = sheet.page * size + 1
    return tag(
        "section",
        tag("h2", f"{title} ", tag("span", count, class_="which")),
        tag("ol", *map(_prompt, rows), class_="behind-list", start=start),
        _page_buttons(sheet),
        class_="panel behind",
    )


def _prompt(prompt: Prompt) -> Markup:
    button = tag("button", prompt.words, class_="lead-button", **_pick({"prompt": prompt.words}))
    value = "–" if prompt.value is None else f"{prompt.value:.2f}"
    return tag(
        "li",
        tag(
            "span",
            *(_thumbnail(prompt, picture) for picture in prompt.pictures),
            class_="thumbnails",
        ),
        tag("span", button, tag("span", prompt.about, class_="about"), class_="told"),
        tag("span", bar(prompt.value), tag("span", value, class_="n"), class_="value"),
    )


def _thumbnail(prompt: Prompt, picture: PromptPicture) -> Markup:
    value = "no answers" if picture.value is None else f"{picture.value:.2f}"
    shown = _small_image(picture.path, f"{prompt.words}: {value}")
    name = f"Image of {prompt.words}: {value}"
    if picture.undrawn:
        shown = tag("span", "Draw", class_="blank")
        name = f"Draw the image of {prompt.words} again: {value}"
    return tag(
        "button",
        shown,
        class_="prompt-thumbnail",
        **_pick({"prompt": prompt.words, "picture": picture.key}),
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


def _page_buttons(sheet: Pagination) -> Markup:
    """Return the buttons that turn the page, where there are several."""
    if sheet.pages < 2:
        return Markup()
    place = f"{sheet.page + 1:,} of {sheet.pages:,}"
    return tag(
        "div",
        _page_button("Previous", sheet.page - 1, enabled=sheet.page > 0),
        tag("span", place, class_="soft"),
        _page_button("Next", sheet.page + 1, enabled=sheet.page + 1 < sheet.pages),
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


class DisagreementRow(NamedTuple):
    """Holds a picture that several methods scored in [0, 1], and how far they are apart.

    Scores are by title. `ends`: the titles of those that put it lowest and highest among all
    pictures.
    """

    key: str
    prompt: str
    model: str
    path: Path | None
    scores: Mapping[str, float | None]
    difference: float
    ends: tuple[str, str] = ("", "")


def disagreements(
    rows: Sequence[DisagreementRow], methods: Sequence[str], sheet: Pagination, about: str
) -> Markup:
    """Return pictures with the score of every method, those first of which they disagree most.

    A picture leads to its evidence.
    """
    title = "Metric disagreement"
    if not rows:
        sentence = (
            "No image has scores of two metrics yet. Evaluate with several metrics to see where"
            " they disagree."
        )
        return panel(title, soft_line(sentence), class_="behind")
    count = f"{sheet.total:,} {'image' if sheet.total == 1 else 'images'}"
    heads = ("image", *methods, "disagreement")
    lines = (_disagreement(row, methods) for row in rows)
    table = html_table(heads, lines)
    return tag(
        "section",
        tag("h2", f"{title} ", tag("span", count, class_="which")),
        soft_line(about),
        scroll_region(table, title),
        _page_buttons(sheet),
        class_="panel behind disagreements",
    )


def _disagreement(row: DisagreementRow, methods: Sequence[str]) -> Markup:
    names = tag(
        "span", tag("span", row.prompt, class_="called"), tag("span", row.model, class_="about")
    )
    button = tag(
        "button",
        _small_image(row.path, ""),
        names,
        class_="lead-button with-picture",
        **_pick({"picture": row.key}, keeps=("page",)),
    )
    difference = tag("span", f"{row.difference:.2f}", class_="n")
    return table_row(
        button,
        *(_score_cell(name, row) for name in methods),
        tag("td", difference, class_="value apart", data_of="disagreement"),
    )


def _score_cell(method: str, row: DisagreementRow) -> Markup:
    """Return the score of a method.

    Words say which methods put the picture lowest and highest, as these two are compared.
    """
    value = row.scores.get(method)
    score = tag("span", "–" if value is None else f"{value:.2f}", class_="n")
    if value is not None:
        score = join(score, bar(value))
    end = dict(zip(row.ends, ("lowest place", "highest place"), strict=True)).get(method, "")
    return tag("td", score, side_note(end), class_="value", data_of=method)
