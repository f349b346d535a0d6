"""Counts what a folder of images would bring, and what judging it would take; stores nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from hallascope.data.records import QuestionSet
from hallascope.engine.errors import NoQuestions
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.groups import (
    OriginalImage,
    OriginReader,
    PromptGroup,
    TakenImage,
    group_images,
    prepare_group,
)
from hallascope.engine.image_folders.judging import check_template
from hallascope.engine.image_folders.records import FolderImage, OpenedImages, UnmatchedFile
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.unreviewed import likely_question_requests, likely_questions
from hallascope.engine.run.estimate import NOT_YET
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.services import Services
from hallascope.engine.sweep.forecast import ForecastCounter, ForecastTotals


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
    preview = MatchPreview()
    counter = ForecastCounter(services, policy)
    prompts: set[str] = set()

    def take(image: FolderImage) -> TakenImage:
        origin, _ = origins.read(image)
        preview.images[origin.model] += 1
        on_image(preview.images.total())
        return lambda: OriginalImage(image.path, origin)

    for group in group_images(opened.entries, take, preview.unmatched.append):
        writing = counter if group.prompt not in prompts else None
        prepare = _preparation(services, policy, group, writing)
        prepared, reason = prepare_group(group, template, prepare)
        prompts.add(group.prompt)
        if reason:
            preview.not_judged.append((group.prompt, reason))
        preview.not_run |= dict.fromkeys(metric.sentence for metric in prepared.not_run)
        counter.add_item(prepared)
    preview.prompts = len(prompts)
    preview.new = counter.brought
    preview.evaluations = counter.evaluations
    preview.totals = counter.totals()
    return preview


def _preparation(
    services: Services, policy: SpendingPolicy, group: PromptGroup, writing: ForecastCounter | None
) -> Callable[[EvaluateRequest], PreparedRun]:
    """Return what prepares the run of a group without opening its images, or asking a writer.

    `writing` counts what a writer is asked for questions.
    """
    paths = {image.path for image in group.images}

    def prepare(request: EvaluateRequest) -> PreparedRun:
        writer = None
        if not group.questions and services.lacks_questions(request):
            writer = request.writer

        def find_questions(prompt: str) -> QuestionSet:
            try:
                return services.sets.for_prompt(prompt)
            except NoQuestions:
                if group.questions:
                    return group.questions
                if writer:
                    return likely_questions(prompt)
                raise

        prepared = services.prepare(
            request,
            policy,
            import_picture=lambda path: NOT_YET if path in paths else services.inspect(path),
            skip_unavailable=True,
            find_questions=find_questions,
        )
        if writer and writing:
            for asked in likely_question_requests(group.prompt):
                writing.add_request(writer, asked)
        return prepared

    return prepare
