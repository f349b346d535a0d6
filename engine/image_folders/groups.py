"""Groups the images of a folder by their prompts, so that those of a prompt are judged together."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from hallascope.data.concepts import FactualPrompt
from hallascope.data.models.services import find
from hallascope.data.records import QuestionSet
from hallascope.engine.errors import BadImage, BadRequest, HallaScopeError, StoreError
from hallascope.engine.events import UPLOADED, EvaluateRequest, ImageOrigin
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    UnmatchedFile,
)
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.run import preparation
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.run.validation import checked_prompt

T = TypeVar("T")
LARGEST_GROUP = 32  # images of a prompt that are judged in one run
AHEAD = 8  # images that are begun before the one that is grouped


@dataclass(frozen=True)
class OriginalImage:
    """Holds the file of an image, and where it comes from."""

    path: Path
    origin: ImageOrigin


TakenImage = Callable[[], OriginalImage]  # waits until an image is there


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


def group_images(
    entries: Iterable[FolderEntry],
    take: Callable[[FolderImage], TakenImage],
    leave_out: Callable[[UnmatchedFile], None],
) -> Iterator[PromptGroup]:
    """Yield the images that `take` begins, those of a prompt together.

    What has no prompt, or for which `take` or what it returns raises BadRequest, goes to
    `leave_out`. AHEAD images are begun before one is waited for.
    """

    def begin(entry: FolderEntry) -> tuple[FolderImage, TakenImage] | UnmatchedFile:
        if isinstance(entry, UnmatchedFile):
            return entry
        try:
            image = replace(entry, prompt=checked_prompt(entry.prompt))
            return image, take(image)
        except BadRequest as problem:
            return _left_out(entry, problem)

    group: PromptGroup | None = None
    for begun in _look_ahead(map(begin, entries)):
        if isinstance(begun, UnmatchedFile):
            leave_out(begun)
            continue
        image, wait = begun
        try:
            original = wait()
        except BadRequest as problem:
            leave_out(_left_out(image, problem))
            continue
        if group and not group.takes(image):
            yield group
            group = None
        group = group or PromptGroup(image.prompt, image.factual, image.questions)
        group.images.append(original)
    if group:
        yield group


def prepare_group(
    group: PromptGroup,
    template: EvaluateRequest,
    prepare: Callable[[EvaluateRequest], PreparedRun],
) -> tuple[PreparedRun, str]:
    """Return the run of a group, and why its images are not judged: "" where they are.

    Images that cannot be judged have a run that only keeps them. Raises StoreError.
    """
    request = group.request(template)
    try:
        prepared = prepare(request)
    except StoreError:
        raise
    except HallaScopeError as error:
        return prepare(replace(request, metrics=(), judge=None, writer=None)), str(error)
    return prepared, "" if prepared.metrics or not template.metrics else prepared.notice or ""


def _left_out(image: FolderImage, problem: BadRequest) -> UnmatchedFile:
    return UnmatchedFile(image.name, str(problem).rstrip("."))


def _look_ahead(items: Iterable[T]) -> Iterator[T]:
    waiting: deque[T] = deque()
    for item in items:
        waiting.append(item)
        if len(waiting) > AHEAD:
            yield waiting.popleft()
    yield from waiting


class OriginReader:
    """Says of each image of a folder which model made it, and refuses one that comes twice.

    `name` is the model of all images; where it is "" each has the name that the layout gives it.
    """

    def __init__(
        self, registry: ModelRegistry, opened: OpenedImages, name: str, allow_registered: bool
    ) -> None:
        """Check the names that are known before an image is read. Raises BadRequest."""
        self.name = choose_name(opened, name)
        self._registry = registry
        self._layout = opened.layout
        self._allow_registered = allow_registered
        self._seen: set[str] = set()  # slots
        self._counted: set[str] = set()  # the same without numbers of samples
        if self.name:
            self.name = check_model_name(registry, self.name, allow_registered)
        else:
            for model in opened.models:
                check_model_name(registry, model, allow_registered)

    def read(self, image: FolderImage) -> tuple[ImageOrigin, str]:
        """Return where an image comes from, by the bytes of its file, and the id of its slot.

        Raises BadRequest where it cannot be used: its model's name is taken, its file cannot be
        read, or it came before.
        """
        model = self.name or check_model_name(
            self._registry, image.model or "", self._allow_registered
        )
        origin = ImageOrigin(
            model=model,
            seed=image.sample,
            file=image.name,
            sha256=_hash_file(image.path),
            layout=self._layout,
        )
        slot = preparation.origin_id(image.prompt, origin)
        unnumbered = preparation.origin_id(image.prompt, replace(origin, seed=0))
        if slot in self._seen or (image.counted and unnumbered in self._counted):
            raise BadRequest("The same image came before with the same prompt; it counts once.")
        self._seen.add(slot)
        self._counted.add(unnumbered)
        return origin, slot


def _hash_file(path: Path) -> str:
    """Return the SHA-256 of a file. Raises BadImage where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadImage(
            f"The file {path.name!r} cannot be read ({error.strerror or error})."
        ) from error


LONGEST_NAME = 100
_KEPT_NAMES = (UPLOADED, "brought", "none")  # names that mean something else here


class UnclearModel(BadRequest):
    """Raised where it is not clear under which model's name images are to be stored.

    `remedy` is advice for the command line.
    """

    def __init__(self, sentence: str, remedy: str) -> None:
        super().__init__(sentence)
        self.remedy = remedy


def check_model_name(registry: ModelRegistry, name: str, allow_registered: bool = False) -> str:
    """Return the name on one line.

    Raises BadRequest where it is empty, too long or cannot be shown, and without
    `allow_registered` UnclearModel where it is that of a model which HallaScope can run: images
    made elsewhere would be averaged with those made here.
    """
    name = " ".join(name.split())
    if not name or not name.isprintable():
        raise BadRequest("The name of the model is empty or cannot be shown: give one in letters.")
    if len(name) > LONGEST_NAME:
        raise BadRequest(
            f"The name of the model has {len(name)} characters: give one of at most {LONGEST_NAME}."
        )
    if name.casefold() in _KEPT_NAMES:
        raise BadRequest(f"The name {name!r} stands for something else here: give another.")
    if "," in name:
        raise BadRequest(
            f"The name {name!r} has a comma, which separates names in commands: leave it out."
        )
    if not allow_registered and find(registry.specs, name):
        other = f"{name.rpartition('/')[2]}-elsewhere"
        raise UnclearModel(
            f"{name!r} is a model that HallaScope runs itself: give another name, such as"
            f" {other!r}.",
            "Or add --allow-registered, and the images count as its own.",
        )
    return name


def choose_name(opened: OpenedImages, name: str) -> str:
    """Return the one name of all images, "" where each has the name that the layout gives it.

    Raises UnclearModel where images would have no name, or several models would become one.
    """
    models = opened.models
    if name and len(models) > 1:
        listed = ", ".join(models[:6]) + (" ..." if len(models) > 6 else "")
        raise UnclearModel(
            f"The images are of {len(models)} models ({listed}), which never become one: give no"
            " name, and each keeps its own, or give the images of one.",
            "Leave --as out.",
        )
    if not name and opened.lacks_model:
        raise UnclearModel(
            f"The layout {opened.layout} does not say which model made the images: give its name.",
            "Add --as NAME.",
        )
    return name
