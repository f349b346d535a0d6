"""Draws judged images as tiles, with their prompt and the questions that failed."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.markup import file_url, tag, to_json
from hallascope.components.html.signs import SIGNS, verdict_strip
from hallascope.components.tiles.scores import value_text
from hallascope.engine.error_analysis.gallery import GalleryImage
from hallascope.pages.shared.run_pictures import short_name

KEYS = (
    "Arrow keys move. Enter opens the evidence; J and K open the next and the "
    "previous image. Space selects, Shift selects a range, T tags the selected "
    "images."
)
MOST_SIGNS = 12  # answers below an image


def image_caption(image: GalleryImage) -> Markup:
    """Return what stands beside the evidence: the prompt, and which questions failed."""
    failed = failed_text(image)
    return tag(
        "div",
        tag("p", image.prompt, class_="caption-prompt", title=image.prompt),
        tag("p", failed, class_="caption-failed", title=failed) if failed else "",
        class_="image-caption",
    )


def thumbnail(image: GalleryImage) -> Markup:
    """Return the image in small, or words where its file is not here."""
    if not image.thumbnail:
        return tag("span", "not kept here", class_="tile-missing")
    source = file_url(image.thumbnail)
    return tag("img", src=source, alt="", loading="lazy", draggable="false")


def tile(
    image: GalleryImage,
    elem_id: str,
    where: str,
    note: str = "",
    changed: frozenset[str] = frozenset(),
) -> Markup:
    """Return one image; `changed` are the subjects of the answers that are marked.

    `note` says what else there is: how many images stand here, or what changed.
    """
    failed = failed_text(image)
    strip = verdict_strip(
        [(answer.subject, answer.state) for answer in image.answers[:MOST_SIGNS]],
        marks=[
            tag("span", class_="sign-changed") if answer.subject in changed else Markup()
            for answer in image.answers
        ],
    )
    tags = " · ".join(image.tags)
    said = (f"{where}: {verdict_text(image)}", note, tags, image.prompt, failed)
    score = value_text(image.value, metrics.presentation(image.metric))
    return tag(
        "div",
        tag("span", thumbnail(image), class_="tile-frame"),
        tag("div", strip, class_="tile-strip", aria_hidden="true"),
        tag("span", image.prompt, class_="tile-prompt", title=image.prompt),
        tag("span", failed, class_="tile-failed", title=failed) if failed else "",
        tag(
            "span",
            tag("span", short_name(image.model), class_="tile-model"),
            tag("span", score, class_="tile-score"),
            class_="tile-line",
        ),
        tag("span", note, class_="tile-note") if note else "",
        tag("span", tags, class_="tile-tags"),
        tag("span", class_="tile-check", data_check=True),
        class_="tile changed" if changed else "tile",
        role="option",
        id=f"{elem_id}-image-{image.evaluation}",
        aria_selected="false",
        aria_label=". ".join(filter(None, said)),
        data_evaluation=image.evaluation,
        data_run=image.run,
        data_key=image.generation,
    )


def tile_page(
    title: str,
    tiles: Markup,
    evaluations: Sequence[int],
    words: str,
    turns: range,
    address: Mapping[str, str] | None = None,
) -> Markup:
    """Return a page of tiles; `evaluations` are those of all pages, and `words` say what is shown.

    `turns` are the numbers of this page and of the one behind the last. `address` is what the
    address says of the choice.
    """
    page = turns.start
    steps = (("Previous", page - 1), ("Next", page + 1))
    actions = (("Tag", "tag"), ("Select all", "all"), ("Clear selection", "clear"))
    size = tag("input", type="range", min=90, max=380, value=150, data_size=True)
    tools = (
        tag("label", "Size", size, class_="tile-size"),
        *(tag("button", name, data_do=action, hidden=True) for name, action in actions),
        *(tag("button", name, data_page=step) for name, step in steps if 0 <= step < turns.stop),
    )
    return tag(
        "section",
        tag("h2", title, class_="gallery-title") if title else "",
        tag(
            "div",
            tag("p", words, class_="gallery-count", role="status"),
            tag("div", *tools, class_="gallery-tools"),
            class_="gallery-head",
        ),
        tag(
            "div",
            tiles,
            class_="tiles",
            role="listbox",
            tabindex="0",
            aria_multiselectable="true",
            aria_label=title or "Images by row and column",
        ),
        tag("p", KEYS, class_="gallery-keys soft"),
        class_="gallery",
        data_all=to_json(list(evaluations)),
        data_words=words,
        data_address=to_json(address) if address else None,
    )


def failed_text(image: GalleryImage) -> str:
    """Return the questions that failed, each with the judge's answer; "" where none did."""
    return " · ".join(
        f"{answer.subject} Judge: {answer.observed}" if answer.observed else answer.subject
        for answer in image.answers
        if SIGNS[answer.state].kind == "incorrect"
    )


def verdict_text(image: GalleryImage) -> str:
    """Return in words how many answers are wrong and how many are missing."""
    if not image.answers:
        return value_text(image.value, metrics.presentation(image.metric))
    kinds = [SIGNS[answer.state].kind for answer in image.answers]
    words = f"{kinds.count('incorrect')} of {len(kinds)} wrong"
    left_out = kinds.count("left-out")
    return f"{words}, {left_out} not answered" if left_out else words
