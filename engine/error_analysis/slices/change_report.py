"""Writes what changed between two runs: Markdown for a pull request, or a page with thumbnails."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from hallascope.engine.documents.html_page import html_page, html_table
from hallascope.engine.documents.markdown import escape_markdown, markdown_table
from hallascope.engine.error_analysis.gallery import read_gallery_images
from hallascope.engine.error_analysis.slices.run_changes import (
    CHANGES,
    ImageChange,
    RunChanges,
    SliceChange,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.store import Store
from hallascope.metrics.statistics.intervals import interval_text

HEADS = ("Slice", "First run", "Second run", "Difference", "95 % interval", "p", "Change", "Images")
MOST_SLICES = 20  # in a report
MOST_IMAGES = 24  # of those that got worse, and of those that got better
METHOD = (
    "Errors are shares of wrong answers, 0 to 1; each prompt counts once. A difference is the"
    " second minus the first over paired images, below 0 where it is better. p is of a test by sign"
    " flips over prompts, corrected by Holm's method for all slices."
)

_STYLE = Markup("""\
body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
th:first-child { text-align: left; }
tr { border-top: 1px solid #8888; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem;
  padding: 0; list-style: none; }
figure { margin: 0; display: flex; flex-wrap: wrap; gap: .25rem; }
img { width: calc(50% - .125rem); aspect-ratio: 1; object-fit: contain; }
""")
_BODY = Markup("""\
<p><strong>{sentence}</strong></p>
<p>First run: {one}. Second run: {other}. {unpaired}</p>
<div class="wide" tabindex="0" role="region" aria-label="Changes by slice">{table}</div>
<p>{method}</p>
{images}""")
_SECTION = Markup("<h2>{}</h2>\n<ul>\n{}</ul>\n")
_ITEM = Markup("<li><figure>{}<figcaption>{}</figcaption></figure></li>\n")
_IMAGE = Markup('<img src="data:image/webp;base64,{}" alt="{}">')


def write_changes(changes: RunChanges, file: Path, store: Store) -> None:
    """Write a report into a file: Markdown (.md) or a page with thumbnails (.html).

    Raises BadRequest where the name ends otherwise, or the file cannot be written.
    """
    match file.suffix.lower():
        case ".md":
            text = markdown_report(changes)
        case ".html":
            text = html_report(changes, read_thumbnails(store, changes))
        case _:
            raise BadRequest(
                f"{str(file)!r} is not a report: give a name that ends in .md or .html."
            )
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            f"The report cannot be written into {str(file)!r} ({error.strerror}): choose another"
            " place."
        ) from error


def change_cells(change: SliceChange) -> list[str]:
    """Return the cells of a slice beneath `HEADS`."""
    interval = "-"
    if change.low is not None and change.high is not None:
        interval = interval_text(change.low, change.high)
    return [
        change.name,
        f"{change.error_rates[0]:.3f}",
        f"{change.error_rates[1]:.3f}",
        f"{change.difference:+.3f}",
        interval,
        "-" if change.corrected_p is None else f"{change.corrected_p:.2g}",
        change.verdict,
        f"{change.images:,}: {change.counts[0]:,} better, {change.counts[1]:,} worse",
    ]


def markdown_report(changes: RunChanges) -> str:
    """Return the report as Markdown that GitHub shows; all names are escaped."""
    lines = [
        f"## {_title(changes)}",
        "",
        f"**{changes.sentence}**",
        "",
        f"First run: {escape_markdown(changes.one.name)} (`{changes.one.id}`). Second run:"
        f" {escape_markdown(changes.other.name)} (`{changes.other.id}`). {unpaired_text(changes)}",
        "",
        *markdown_table(HEADS, map(change_cells, _shown(changes))),
        "",
        METHOD,
    ]
    for change in ("worse", "better"):
        images = images_of(changes, change)
        if images:
            lines += ["", f"### {_images_title(changes, change)}", ""]
            lines += [f"- {escape_markdown(image_text(image))}" for image in images[:MOST_IMAGES]]
    return "\n".join([*lines, ""])


def html_report(changes: RunChanges, thumbnails: Mapping[int, Path]) -> str:
    """Return the report as one page that needs no other file; every text is escaped."""
    cells = pd.DataFrame([change_cells(each) for each in _shown(changes)], columns=list(HEADS))
    table = cells.set_index(HEADS[0]).rename_axis(columns=HEADS[0]).rename_axis(index=None)
    sections = [
        _SECTION.format(
            _images_title(changes, change),
            Markup().join(_item(image, thumbnails) for image in images[:MOST_IMAGES]),
        )
        for change in ("worse", "better")
        if (images := images_of(changes, change))
    ]
    body = _BODY.format(
        sentence=changes.sentence,
        one=f"{changes.one.name} ({changes.one.id})",
        other=f"{changes.other.name} ({changes.other.id})",
        unpaired=unpaired_text(changes),
        table=html_table(table),
        method=METHOD,
        images=Markup().join(sections),
    )
    return html_page(_title(changes), body, _STYLE)


def changes_document(changes: RunChanges) -> dict[str, Any]:
    """Return the comparison as a JSON document, without images that are unchanged."""
    return {
        "runs": [changes.one.id, changes.other.id],
        "metric": changes.metric,
        "sentence": changes.sentence,
        "is_worse": changes.is_worse,
        "whole": _change_document(changes.whole),
        "slices": [_change_document(each) for each in changes.slices],
        "images": [{**image._asdict(), "change": image.change} for image in changes.images],
        "unpaired": list(changes.unpaired),
        "left_out": list(changes.left_out),
    }


def read_thumbnails(store: Store, changes: RunChanges) -> dict[int, Path]:
    """Return the thumbnails of the images that a report shows, by evaluation."""
    wanted = [
        evaluation
        for change in ("worse", "better")
        for image in images_of(changes, change)[:MOST_IMAGES]
        for evaluation in image.evaluations
    ]
    return {
        image.evaluation: thumbnail
        for image in read_gallery_images(store, wanted)
        if (thumbnail := store.images.render_thumbnail(image.image))
    }


def images_of(changes: RunChanges, change: str) -> list[ImageChange]:
    """Return the images that got better or worse, the largest change first."""
    images = [image for image in changes.images if image.change == change]
    return sorted(images, key=lambda image: -abs(image.errors[1] - image.errors[0]))


def image_text(image: ImageChange) -> str:
    """Return an image in words: prompt, model, seed and its error in each run."""
    models = " and ".join(dict.fromkeys(image.models))
    return (
        f"{image.prompt}, {models}, seed {image.seed}: error {image.errors[0]:.2f} to"
        f" {image.errors[1]:.2f}"
    )


def unpaired_text(changes: RunChanges) -> str:
    """Return in words how many images are in no pair, and what was left out of each run."""
    one, other = changes.unpaired
    first, second = changes.left_out
    return (
        f"Not paired: {one:,} images of the first {changes.kind}, {other:,} of the second. Left"
        f" out, without an answer: {first:,} of the first {changes.kind}, {second:,} of the second."
    )


def _title(changes: RunChanges) -> str:
    return f"Two runs by {changes.metric}, image by image"


def _images_title(changes: RunChanges, change: str) -> str:
    return f"Images that got {change} ({len(images_of(changes, change)):,})"


def _shown(changes: RunChanges) -> Sequence[SliceChange]:
    return (changes.whole, *changes.slices[:MOST_SLICES])


def _change_document(change: SliceChange) -> dict[str, Any]:
    counts: dict[str, Any] = dict(zip(CHANGES, change.counts, strict=True))
    document = asdict(change) | {
        "name": change.name,
        "conditions": [condition._asdict() for condition in change.conditions],
        "verdict": change.verdict,
        **counts,
    }
    del document["counts"]
    return document


def _item(image: ImageChange, thumbnails: Mapping[int, Path]) -> Markup:
    shown = [
        _IMAGE.format(
            base64.b64encode(thumbnails[evaluation].read_bytes()).decode(),
            f"{side} run, {model}: {image.prompt}",
        )
        for side, model, evaluation in zip(
            ("First", "Second"), image.models, image.evaluations, strict=True
        )
        if evaluation in thumbnails
    ]
    return _ITEM.format(Markup().join(shown), image_text(image))
