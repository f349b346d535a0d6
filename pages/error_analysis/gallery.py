"""Shows judged images by the ids of their evaluations, with the evidence behind each."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import gradio as gr
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hallascope import metrics
from hallascope.components.error_analysis.gallery import GalleryFunction
from hallascope.components.error_analysis.gallery import gallery as gallery_html
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import chosen, live
from hallascope.components.html.markup import file_url
from hallascope.components.html.signs import SIGNS
from hallascope.components.tiles.scores import value_text
from hallascope.data.error_tags import error_tag_groups
from hallascope.data.files.label_folder import clean_labeler_name
from hallascope.engine.error_analysis import tagging
from hallascope.engine.error_analysis.gallery import GalleryImage, read_gallery_images
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.image_tags import clean_tag
from hallascope.engine.services import Services
from hallascope.pages.shared.evidence import people_labels
from hallascope.pages.shared.evidence.handlers import evidence_handler, verdict_handler
from hallascope.pages.shared.run_pictures import short_name
from hallascope.pages.shared.visitor import services_of

MOST_AT_ONCE = 200  # images that the page asks for in one request
NOT_UNDERSTOOD = "This cannot be read: reload the page, and try again."


class ImagesRequest(BaseModel):
    """Asks for what is shown of judged images, by the ids of their evaluations."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    evaluations: list[int] = Field(max_length=MOST_AT_ONCE)


class TagsRequest(BaseModel):
    """Asks for the tags of judged images, by the ids of their evaluations."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    evaluations: list[int]


class TagChangeRequest(TagsRequest):
    """Asks to give images a tag, or to take it; `question`: that of the image, "" for none."""

    tag: str
    question: str = ""
    remove: bool = False
    rater: str = ""


class NoteRequest(TagsRequest):
    """Asks to keep a note on images; an empty one removes it."""

    note: str
    rater: str = ""


Sent = TypeVar("Sent", bound=BaseModel)


@dataclass(frozen=True)
class GalleryHandlers:
    """Answers what a gallery asks. Every method raises a HallaScopeError with one sentence."""

    services: Services

    def read_images(self, request: ImagesRequest) -> dict[str, Any]:
        images = read_gallery_images(self.services.store, request.evaluations)
        return {"images": [image_fields(image) for image in images]}

    def read_tag_choices(self, request: TagsRequest) -> dict[str, Any]:
        choices = tagging.read_tag_choices(self.services.store, request.evaluations)
        return {
            "images": choices.images,
            "counts": list(choices.counts.items()),
            "latest": list(choices.latest),
            "suggestions": [each._asdict() for each in choices.suggestions],
            "groups": [asdict(group) for group in error_tag_groups()],
            "questions": list(choices.questions.items()),
            "notes": [asdict(note) for note in choices.notes],
        }

    def change_tags(self, request: TagChangeRequest) -> dict[str, Any]:
        store = self.services.store
        ids, tag, question = request.evaluations, request.tag, request.question
        if request.remove:
            return {"number": tagging.untag_images(store, ids, tag, question)}
        rater = _clean_name(request.rater)
        return {
            "number": tagging.tag_images(store, ids, tag, rater, question),
            "tag": clean_tag(tag),
        }

    def keep_note(self, request: NoteRequest) -> dict[str, Any]:
        rater = _clean_name(request.rater)
        store = self.services.store
        return {"number": tagging.note_images(store, request.evaluations, request.note, rater)}


def build(services: Services, elem_id: str) -> gr.HTML:
    """Lay a gallery out, with the evidence viewer below it, and connect it.

    Its value is {"title": str, "evaluations": [int, ...]}: setting it shows these images, in this
    order, and None hides the gallery.
    """
    shown = gallery_html(server_functions(GalleryHandlers(services)), elem_id)
    evidence = live(
        "evidence/viewer",
        viewer(()),
        server_functions=people_labels.server_functions(services),
        elem_id=f"{elem_id}-evidence",
    )
    shown.select(evidence_handler(services), None, evidence, **chosen())
    shown.change(lambda: viewer(()), None, evidence, **chosen())
    evidence.submit(verdict_handler(services), None, None, **chosen())
    return shown


def server_functions(handlers: GalleryHandlers) -> Sequence[GalleryFunction]:
    """Return the functions that the gallery calls, under the names by which it does.

    Gradio takes no methods.
    """

    def own(asker: gr.Request) -> GalleryHandlers:
        return replace(handlers, services=services_of(handlers.services, asker))

    def read_images(sent: dict[str, Any]) -> dict[str, Any]:
        return result_or_sentence(handlers.read_images, ImagesRequest, sent)

    def read_tag_choices(sent: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_sentence(own(asker).read_tag_choices, TagsRequest, sent)

    def change_tags(sent: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_sentence(own(asker).change_tags, TagChangeRequest, sent)

    def keep_note(sent: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_sentence(own(asker).keep_note, NoteRequest, sent)

    return read_images, read_tag_choices, change_tags, keep_note


def result_or_sentence(
    handle: Callable[[Sent], dict[str, Any]], kind: type[Sent], sent: object
) -> dict[str, Any]:
    """Return what a handler returns; {"wrong": a sentence} where it cannot be done."""
    try:
        return handle(kind.model_validate(sent))
    except ValidationError:
        return {"wrong": NOT_UNDERSTOOD}
    except HallaScopeError as sentence:
        return {"wrong": str(sentence)}


def _clean_name(rater: str) -> str:
    """Return the name of a person, "" where none is given. Raises BadRequest."""
    return clean_labeler_name(rater) if rater.strip() else ""


def image_fields(image: GalleryImage) -> dict[str, Any]:
    """Return what the page shows of an image, as `image_details.js` reads it."""
    signs = [(SIGNS[answer.state], answer) for answer in image.answers]
    return {
        "id": image.evaluation,
        "run": image.run,
        "key": image.generation,
        "src": file_url(image.thumbnail) if image.thumbnail else None,
        "model": short_name(image.model),
        "prompt": image.prompt,
        "seed": image.seed,
        "score": value_text(image.value, metrics.presentation(image.metric)),
        "verdict": verdict_text(image),
        "answers": [(sign.kind, sign.word, answer.subject) for sign, answer in signs],
        "tags": list(image.tags),
    }


def verdict_text(image: GalleryImage) -> str:
    """Return in words how many answers are wrong and how many are missing."""
    if not image.answers:
        return value_text(image.value, metrics.presentation(image.metric))
    kinds = [SIGNS[answer.state].kind for answer in image.answers]
    words = f"{kinds.count('incorrect')} of {len(kinds)} wrong"
    left_out = kinds.count("left-out")
    return f"{words}, {left_out} not answered" if left_out else words
