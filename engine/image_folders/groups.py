"""Groups the images of a folder by their prompts, so that those of a prompt are judged together."""

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from hallascope.data.concepts import FactualPrompt
from hallascope.data.records import QuestionSet
from hallascope.engine.errors import BadImage
from hallascope.engine.events import EvaluateRequest, ImageOrigin
from hallascope.engine.image_folders.records import FolderImage

LARGEST_GROUP = 32  # images of a prompt that are judged in one run


@dataclass(frozen=True)
class OriginalImage:
    """Holds the file of an image, and where it comes from."""

    path: Path
    origin: ImageOrigin


@dataclass
class PromptGroup:
    """Holds images of one prompt that follow each other."""

    prompt: str
    factual: FactualPrompt | None
    questions: QuestionSet | None
    images: list[OriginalImage] = field(default_factory=list)

    def takes(self, image: FolderImage) -> bool:
        """Return whether an image belongs to the group, and there is room for it."""
        return (
            self.prompt == image.prompt
            and self.factual == image.factual
            and len(self.images) < LARGEST_GROUP
        )

    def request(self, template: EvaluateRequest) -> EvaluateRequest:
        """Return the request that has the images judged as the template says."""
        return replace(
            template,
            prompt=self.prompt,
            models=(),
            images=tuple(image.path for image in self.images),
            origins=tuple(image.origin for image in self.images),
            factual=self.factual,
        )


def read_origin(image: FolderImage, model: str, layout: str) -> ImageOrigin:
    """Return where an image comes from, by the bytes of its file.

    Raises BadImage where the file cannot be read.
    """
    return ImageOrigin(
        model=model,
        seed=image.sample,
        file=image.name,
        sha256=_hash_file(image.path),
        layout=layout,
    )


def _hash_file(path: Path) -> str:
    """Return the SHA-256 of a file. Raises BadImage where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadImage(
            f"The file {path.name!r} cannot be read ({error.strerror or error})."
        ) from error
