"""Shows judged images by the ids of their evaluations, with the evidence behind each."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import CHOICE_EVENT, NO_PROGRESS, scripted_html
from hallascope.components.html.markup import join, tag
from hallascope.data.error_tags import error_tag_groups
from hallascope.data.files.label_folder import clean_labeler_name
from hallascope.data.nouns import count_noun
from hallascope.engine.error_analysis import tagging
from hallascope.engine.error_analysis.gallery import read_gallery_images
from hallascope.engine.image_tags import clean_tag
from hallascope.engine.services import Services
from hallascope.pages.errors.image_tiles import image_caption, tile, tile_page
from hallascope.pages.shared.evidence.handlers import evidence
from hallascope.pages.shared.evidence.people_labels import evidence_viewer
from hallascope.pages.shared.run_pictures import seeded_name, short_name
from hallascope.pages.shared.server_functions import one_sentence, server_functions

PER_PAGE = 120  # images


def read_tag_choices(services: Services, evaluations: list[int]) -> dict[str, Any]:
    """Return the tags of judged images, by the ids of their evaluations, and what is offered."""
    choices = tagging.read_tag_choices(services.store, evaluations)
    return {
        "images": choices.images,
        "counts": list(choices.counts.items()),
        "latest": list(choices.latest),
        "groups": [asdict(group) for group in error_tag_groups()],
        "questions": list(choices.questions.items()),
        "notes": [asdict(note) for note in choices.notes],
    }


def change_tags(
    services: Services,
    evaluations: list[int],
    tag: str,
    question: str = "",
    remove: bool = False,
    rater: str = "",
) -> dict[str, Any]:
    """Give images a tag, or take it; `question`: that of the image, "" for none."""
    store = services.store
    if remove:
        number = tagging.untag_images(store, evaluations, tag, question)
        words = f"“{tag}” removed from {count_noun(number, 'image')}"
    else:
        number = tagging.tag_images(store, evaluations, tag, _clean_name(rater), question)
        words = f"“{clean_tag(tag)}” added to {count_noun(number, 'image')}"
    images = read_gallery_images(store, evaluations)
    return {
        "words": words,
        "tags": {str(image.evaluation): " · ".join(image.tags) for image in images},
    }


def keep_note(
    services: Services, evaluations: list[int], note: str, rater: str = ""
) -> dict[str, Any]:
    """Keep a note on images; an empty one removes it."""
    number = tagging.note_images(services.store, evaluations, note, _clean_name(rater))
    kept = f"note kept on {count_noun(number, 'image')}"
    return {"words": kept if note.strip() else "note removed"}


def build(services: Services, elem_id: str) -> gr.State:
    """Lay a gallery out, with the evidence viewer below it, and connect it.

    The State that is returned holds {"title": str, "evaluations": [int, ...]}: setting it shows
    these images, in this order, and None hides the gallery.
    """
    shown = gr.State(None)

    def show(value: Any) -> tuple[Markup, Markup]:
        return page_html(services, value, 0, elem_id), viewer(())

    def turn(event: gr.EventData, value: Any) -> Markup:
        return page_html(services, value, int(event.page), elem_id)

    tiles, below = build_tiles(services, elem_id)
    shown.change(show, shown, [tiles, below], **NO_PROGRESS)
    tiles.submit(turn, shown, tiles, **CHOICE_EVENT)
    return shown


class GroupedImages(NamedTuple):
    """Holds what shows images group by group; each is an output of an event.

    `ids` holds the evaluations of the images by the words of a group; `choice` offers the groups,
    and `shown` is the State of the gallery.
    """

    ids: Any
    choice: Any
    shown: Any


def build_groups(
    services: Services, label: str, choice_id: str, gallery_id: str, title: str = "{}"
) -> GroupedImages:
    """Lay out a choice of groups, hidden while there are none, and the gallery of the chosen one.

    `title` is that of the gallery, with the words of the group in it.
    """
    ids = gr.State({})
    choice = gr.Radio([], label=label, visible=False, elem_id=choice_id)
    shown = build(services, gallery_id)

    def show(words: str, images: Mapping[str, list[int]]) -> Any:
        found = images.get(words)
        return {"title": title.format(words), "evaluations": found} if found else None

    choice.change(show, [choice, ids], shown, **NO_PROGRESS)
    return GroupedImages(ids, choice, shown)


def group_updates(ids: Mapping[str, list[int]]) -> GroupedImages:
    """Return the updates by which these groups are offered, and none is shown."""
    return GroupedImages(ids, gr.Radio(list(ids), value=None, visible=bool(ids)), None)


def build_tiles(services: Services, elem_id: str) -> tuple[gr.HTML, gr.HTML]:
    """Lay out the place of tiles and the evidence of the one that is opened, and connect both."""
    tiles = scripted_html(
        "errors/image_tiles",
        Markup(),
        server_functions=server_functions(services, read_tag_choices, change_tags, keep_note),
        elem_id=elem_id,
    )
    below = evidence_viewer(services, f"{elem_id}-evidence")

    def open_image(event: gr.EventData) -> Markup:
        with one_sentence():
            images = read_gallery_images(services.store, [int(event.evaluation)])
            captions = map(image_caption, images)
            return join(*captions, evidence(services, event.run, event.key))

    tiles.select(open_image, None, below, **CHOICE_EVENT)
    return tiles, below


def page_html(services: Services, value: Any, page: int, elem_id: str) -> Markup:
    """Return a page of the images that a gallery shows, which is empty where there are none."""
    ids = value["evaluations"] if value else []
    if not ids:
        return Markup()
    pages = -(-len(ids) // PER_PAGE)
    page = min(max(page, 0), pages - 1)
    first = page * PER_PAGE
    images = read_gallery_images(services.store, ids[first : first + PER_PAGE])
    words = count_noun(len(ids), "image")
    if pages > 1:
        words = f"{first + 1:,} to {first + len(images):,} of {words}"
    tiles = (
        tile(image, elem_id, seeded_name(short_name(image.model), image.model, image.seed))
        for image in images
    )
    shown = tag("div", *tiles, class_="tile-list")
    return tile_page(value["title"], shown, ids, words, range(page, pages))


def _clean_name(rater: str) -> str:
    """Return the name of a person, "" where none is given."""
    return clean_labeler_name(rater) if rater.strip() else ""
