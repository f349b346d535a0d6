"""Counts what a folder of images would bring, and what judging it would take; stores nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hallascope.backends.base import HallaScopeError
from hallascope.data.records import Picture, QuestionSet
from hallascope.engine.errors import NoQuestions, StoreError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.image_folders.groups import (
    OriginalImage,
    OriginReader,
    PromptGroup,
    TakenImage,
    group_images,
)
from hallascope.engine.image_folders.judging import check_template
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.unreviewed import likely_questions, likely_requests
from hallascope.engine.run.estimate import NOT_YET
from hallascope.engine.services import Services
from hallascope.engine.sweep.forecast import ForecastTotals, RequestCounter


@dataclass(kw_only=True)
class MatchPreview:
    """Counts the images that are matched by model, and their prompts; names what is left out.

    An image that is matched may still be refused when it is opened. `new` images are not stored
    yet; `evaluations` are those still to be made, and `totals` what they are likely to take.
    `not_judged` are prompts that cannot be judged, with the reason; `not_run` says which metrics
    cannot run here.
    """

    images: Counter[str] = field(default_factory=Counter)
    prompts: int = 0
    unmatched: list[UnmatchedFile] = field(default_factory=list)
    new: int = 0
    evaluations: int = 0
    totals: ForecastTotals = field(default_factory=ForecastTotals)
    not_judged: list[tuple[str, str]] = field(default_factory=list)
    not_run: dict[str, None] = field(default_factory=dict)


def preview_images(
    services: Services,
    opened: OpenedImages,
    template: EvaluateRequest,
    policy: SpendingPolicy,
    *,
    name: str = "",
    allow_registered: bool = False,
    on_image: Callable[[int], None] = lambda number: None,
) -> MatchPreview:
    """Match all images with their prompts without opening one, and count what is to be asked.

    `on_image` is given how many images were matched so far. Raises what `FolderJudging` raises:
    BadRequest, UnknownModel, Unavailable, StoreError.
    """
    origins = OriginReader(services.registry, opened, name, allow_registered)
    check_template(services, template, policy)
    counts = MatchPreview()

    def take(image: FolderImage) -> TakenImage:
        origin, _ = origins.read(image)
        counts.images[origin.model] += 1
        on_image(counts.images.total())
        return lambda: OriginalImage(image.path, origin)

    preview = _Preview(services, counts, template, policy)
    for group in group_images(opened.folder.entries, take, counts.unmatched.append):
        preview.count_group(group)
    return preview.close()


class _Preview:
    """Counts what is asked about the images of each prompt."""

    def __init__(
        self,
        services: Services,
        counts: MatchPreview,
        template: EvaluateRequest,
        policy: SpendingPolicy,
    ) -> None:
        self.counts = counts
        self._services = services
        self._template = template
        self._policy = policy
        self._counter = RequestCounter(services, policy)
        self._prompts: set[str] = set()

    def close(self) -> MatchPreview:
        """Return everything that was counted."""
        self.counts.prompts = len(self._prompts)
        self.counts.new = self._counter.brought
        self.counts.evaluations = self._counter.evaluations
        self.counts.totals = self._counter.totals()
        return self.counts

    def count_group(self, group: PromptGroup) -> None:
        """Count what is asked about the images of a prompt."""
        is_new_prompt = group.prompt not in self._prompts
        self._prompts.add(group.prompt)
        request = group.request(self._template)
        try:
            self._count_request(group, request, is_new_prompt)
        except StoreError:
            raise
        except HallaScopeError as error:
            self.counts.not_judged.append((group.prompt, str(error)))
            unjudged = replace(request, metrics=(), judge=None, writer=None)
            self._count_request(group, unjudged, is_new_prompt)

    def _count_request(
        self, group: PromptGroup, request: EvaluateRequest, is_new_prompt: bool
    ) -> None:
        writer = None if group.questions else request.writer
        lacks_questions = bool(writer) and self._services.lacks_questions(request)

        def find_questions(prompt: str) -> QuestionSet:
            try:
                return self._services.sets.for_prompt(prompt)
            except NoQuestions:
                if group.questions:
                    return group.questions
                if lacks_questions:
                    return likely_questions(prompt)
                raise

        prepared = self._services.prepare(
            request,
            self._policy,
            import_picture=self._find_picture(group),
            skip_unavailable=True,
            find_questions=find_questions,
        )
        if writer and lacks_questions and is_new_prompt:
            for asked in likely_requests(group.prompt):
                self._counter.add_request(writer, asked)
        if prepared.notice and not prepared.metrics and request.metrics:
            self.counts.not_judged.append((group.prompt, prepared.notice))
        self.counts.not_run |= dict.fromkeys(
            f"{metric.message} {metric.remedy}".rstrip() for metric in prepared.not_run
        )
        self._counter.add_item(prepared)

    def _find_picture(self, group: PromptGroup) -> Callable[[Path], Picture]:
        """Return what reads a file that is brought; the images of the group are not opened."""
        paths = {image.path for image in group.images}
        return lambda path: NOT_YET if path in paths else self._services.inspect(path)
