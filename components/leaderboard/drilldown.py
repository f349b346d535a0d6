"""Shows what lies behind a bar: its prompts with pictures, the worst first.

It also shows pictures on which methods disagree.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.components.html.markup import bar, data, image, text

_THUMBNAIL, _REDRAWN = 72, 360  # pixels


class PromptPicture(NamedTuple):
    """A picture by its place; `value` is its own score, None where nothing was answered."""

    key: str
    path: Path | None
    value: float | None


class Prompt(NamedTuple):
    """A prompt with what it adds to the mean, what that rests on in words, and its pictures."""

    words: str
    value: float | None
    about: str
    pictures: Sequence[PromptPicture]


class Pagination(NamedTuple):
    """A page of a list: its number from 0, how many there are, and how many entries in all."""

    page: int
    pages: int
    total: int


def prompts(title: str, found: Sequence[Prompt], sheet: Pagination, size: int) -> str:
    """The prompts behind a bar, `size` a page.

    A prompt and each of its pictures lead to the evidence.
    """
    if not found:
        return (
            f'<section class="panel behind"><h2>{text(title)}</h2><p class="soft">Nothing was'
            " counted here.</p></section>"
        )
    many = f"{sheet.total:,} {'prompt' if sheet.total == 1 else 'prompts'}, the worst first"
    lines = "".join(map(_prompt, found))
    return (
        f'<section class="panel behind"><h2>{text(title)} <span class="which">{many}</span></h2><ol'
        f' class="behind-list" start="{sheet.page * size + 1}">{lines}</ol>{_turn(sheet)}</section>'
    )


def _prompt(one: Prompt) -> str:
    value = "–" if one.value is None else f"{one.value:.2f}"
    thumbnails = "".join(_thumbnail(one, picture) for picture in one.pictures)
    return (
        f'<li><span class="thumbnails">{thumbnails}</span>'
        '<span class="told"><button type="button" class="lead-button"'
        f" {_pick({'prompt': one.words})}>{text(one.words)}</button>"
        f'<span class="about">{text(one.about)}</span></span>'
        f'<span class="value">{bar(one.value)}<span class="n">{value}</span></span></li>'
    )


def _thumbnail(one: Prompt, picture: PromptPicture) -> str:
    value = "nothing answered" if picture.value is None else f"{picture.value:.2f}"
    shown = (
        image(picture.path, f"{one.words}: {value}", _THUMBNAIL)
        if picture.path
        else '<span class="blank"></span>'
    )
    return (
        '<button type="button" class="thumbnail"'
        f" {_pick({'prompt': one.words, 'picture': picture.key})}"
        f' aria-label="{text(f"Picture of {one.words}: {value}")}"'
        f' title="{text(value)}">{shown}</button>'
    )


def redrawn(path: Path, prompt: str, model: str, seed: int, value: float | None) -> str:
    """A picture that was drawn again, with whose it is and its score."""
    score = "no score" if value is None else f"score {value:.2f}"
    return (
        f'<figure class="redrawn">{image(path, f"{prompt}, drawn again by {model}", _REDRAWN)}'
        f"<figcaption>{text(model)}: {text(prompt)} · seed {seed} · {score}</figcaption></figure>"
    )


def _pick(pick: Mapping[str, object]) -> str:
    return (
        f'data-pick="{data(pick)}" data-keeps="{data(["model", "group", "page"])}"'
        ' aria-pressed="false"'
    )


def _turn(sheet: Pagination) -> str:
    """The buttons that turn the page, where there are several."""
    if sheet.pages < 2:
        return ""
    ways = (
        ("Before", sheet.page - 1, sheet.page > 0),
        ("Next", sheet.page + 1, sheet.page + 1 < sheet.pages),
    )
    before, after = (
        f'<button type="button" class="turn" data-event="submit" data-pick="{data({"page": page})}"'
        f' data-keeps="{data(["model", "group"])}"{"" if able else " disabled"}>{words}</button>'
        for words, page, able in ways
    )
    return (
        f'<div class="turning">{before}<span class="soft">{sheet.page + 1:,} of'
        f" {sheet.pages:,}</span>{after}</div>"
    )


# --- where methods disagree
# --------------------------------------------------------------------------------------------------


class DisagreementRow(NamedTuple):
    """Holds a picture that several methods scored in [0, 1], and how far they are apart.

    Scores are by title.

    `ends`: the titles of those that put it lowest and highest among all pictures.
    """

    key: str
    prompt: str
    model: str
    path: Path | None
    scores: Mapping[str, float | None]
    difference: float
    ends: tuple[str, str] = ("", "")


def disagreements(
    found: Sequence[DisagreementRow], methods: Sequence[str], sheet: Pagination, about: str
) -> str:
    """Pictures with the score of every method, those first of which they disagree most.

    A picture leads to its evidence.
    """
    if not found:
        said = (
            "No picture here was scored by two methods yet: evaluate with several metrics, and"
            " those that disagree stand here."
        )
        return (
            '<section class="panel behind"><h2>Where methods disagree</h2><p'
            f' class="soft">{said}</p></section>'
        )
    many = f"{sheet.total:,} {'picture' if sheet.total == 1 else 'pictures'}"
    heads = "".join(f'<th scope="col">{text(name)}</th>' for name in ("picture", *methods, "apart"))
    lines = "".join(_apart(one, methods) for one in found)
    return (
        '<section class="panel behind disagreements"><h2>Where methods disagree <span'
        f' class="which">{many}</span></h2>'
        f'<p class="soft">{text(about)}</p><div class="scroll" tabindex="0" role="region"'
        ' aria-label="Where methods disagree"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
        f"{_turn(sheet)}</section>"
    )


def _apart(one: DisagreementRow, methods: Sequence[str]) -> str:
    shown = image(one.path, "", _THUMBNAIL) if one.path else '<span class="blank"></span>'
    cells = "".join(_score(name, one) for name in methods)
    pick = (
        f'data-pick="{data({"picture": one.key})}" data-keeps="{data(["page"])}"'
        ' aria-pressed="false"'
    )
    return (
        '<tr><th scope="row"><button type="button" class="lead-button with-picture"'
        f' {pick}>{shown}<span><span class="called">{text(one.prompt)}</span><span'
        f' class="about">{text(one.model)}</span></span></button></th>{cells}<td class="value'
        f' apart" data-of="apart"><span class="n">{one.difference:.2f}</span></td></tr>'
    )


def _score(method: str, one: DisagreementRow) -> str:
    """What a method says.

    In words which put the picture lowest and highest, as these two are held against each other.
    """
    value = one.scores.get(method)
    end = dict(zip(one.ends, ("lowest place", "highest place"), strict=True)).get(method, "")
    said = (
        '<span class="n">–</span>'
        if value is None
        else f'<span class="n">{value:.2f}</span>{bar(value)}'
    )
    note = f'<span class="about">{end}</span>' if end else ""
    return f'<td class="value" data-of="{text(method)}">{said}{note}</td>'
