"""Counts what a folder of images would bring, and stores nothing."""

from collections import Counter
from dataclasses import dataclass, field

from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.image_folders.model_names import check_model_name, choose_name
from hallascope.engine.image_folders.records import UnmatchedFile
from hallascope.engine.models.registry import ModelRegistry


@dataclass
class MatchPreview:
    """Counts the images that are matched by model, and their prompts; names what is left out.

    An image that is matched may still be refused when it is opened.
    """

    images: Counter[str] = field(default_factory=Counter)
    prompts: int = 0
    unmatched: list[UnmatchedFile] = field(default_factory=list)


def preview_images(
    registry: ModelRegistry, opened: OpenedImages, name: str = "", allow_registered: bool = False
) -> MatchPreview:
    """Match all images with their prompts, without opening one.

    Raises BadRequest where the model's name cannot stand, or the folder cannot be read.
    """
    chosen = choose_name(opened, name)
    for model in [chosen] if chosen else opened.folder.models:
        check_model_name(registry, model, allow_registered)
    preview = MatchPreview()
    prompts: set[str] = set()
    for entry in opened.folder.entries:
        if isinstance(entry, UnmatchedFile):
            preview.unmatched.append(entry)
        else:
            preview.images[chosen or entry.model or ""] += 1
            prompts.add(entry.prompt)
    preview.prompts = len(prompts)
    return preview
