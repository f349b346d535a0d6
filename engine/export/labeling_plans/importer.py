"""Takes in a labeling plan that was exported elsewhere, with its labels.

What is here already and is as new stays; doing it again changes nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from sqlmodel import col, select

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import LETTERS, Letter, Question, Report
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import json_lines
from hallascope.engine.export.importer import ImportSummary, import_runs
from hallascope.engine.export.labeling_plans.content import read_reports
from hallascope.engine.export.labeling_plans.plan_file import (
    FILE,
    SharedPlan,
    UnusablePlan,
    parse_plan,
)
from hallascope.engine.labeling.plans import LabelingPlan
from hallascope.engine.services import Services
from hallascope.engine.storage.database import chunked
from hallascope.engine.storage.people.labeling import LabelingRecord, PlannedImage
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, Rating, RatingSubject
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow

_LARGEST = 256 * 2**20  # bytes of a plan's file; one of 100,000 images has 40 MB
_LEEWAY = 1e-5  # seconds by which a time may differ after it was written and read


@dataclass(frozen=True, kw_only=True)
class PlanImportSummary:
    """Counts what came in.

    `labels` are images that a rater labeled or skipped and that are new here, `there` those that
    were here already. `without_file` images of the plan have no file here, and cannot be shown to
    raters. `runs` counts the runs that came along, None where none did.
    """

    plan: str
    images: int
    labels: int
    there: int
    without_file: int
    runs: ImportSummary | None


def import_plan(services: Services, folder: Path) -> PlanImportSummary:
    """Keep a plan that `export_plan` wrote, its labels, and the runs that came along.

    Raises BadRequest where the folder holds no such plan, another plan of the same id is here, or
    the judge did not judge the plan's images here.
    """
    store = services.store
    shared = _read_plan(folder)
    runs = None
    if (folder / json_lines.FILE).is_file():
        runs = import_runs(store, folder)
    plan = _with_own_evaluations(store, shared.plan)
    _require_same_plan(store, plan)
    reports = read_reports(store, [image.evaluation for image in plan.images])
    new = _new_records(store, shared)
    ratings = _ratings(plan, new, reports)
    plan = store.labeling.keep_plan(plan)
    store.ratings.keep_newer(ratings, _LEEWAY)
    _remove_skipped(store, plan, new)
    store.labeling.keep_records(plan.id, new)
    return PlanImportSummary(
        plan=plan.id,
        images=len(plan.images),
        labels=len(new),
        there=len(shared.records) - len(new),
        without_file=sum(store.picture(image.image) is None for image in plan.images),
        runs=runs,
    )


def _read_plan(folder: Path) -> SharedPlan:
    """Return the plan of a folder, or of the file itself. Raises BadRequest."""
    path = folder / FILE if folder.is_dir() else folder
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= _LARGEST else b""
    except OSError as error:
        raise BadRequest(
            f"{str(path)!r} cannot be read ({error.strerror or error}): name the folder that"
            " `hallascope label export` wrote."
        ) from error
    if size > _LARGEST:
        raise BadRequest(
            f"{str(path)!r} has more than {_LARGEST // 2**20} MB, and no plan is that large: name"
            " the folder that `hallascope label export` wrote."
        )
    try:
        return parse_plan(content)
    except UnusablePlan as problem:
        raise BadRequest(
            f"{str(path)!r} {problem}: export the plan again with `hallascope label export`."
        ) from problem


# --- the plan ---


def _with_own_evaluations(store: Store, plan: LabelingPlan) -> LabelingPlan:
    """Return the plan with the numbers that its evaluations have in this store."""
    numbers = _read_numbers(store, plan)
    missing = sum((image.item, image.image) not in numbers for image in plan.images)
    if missing:
        raise BadRequest(
            f"{missing:,} of the {len(plan.images):,} images of the plan {plan.id} are not judged"
            f" by {plan.judge} in this store: export the plan with its runs, or take in the runs"
            " first with `hallascope import`."
        )
    images = tuple(
        replace(image, evaluation=numbers[image.item, image.image]) for image in plan.images
    )
    return replace(plan, images=images)


def _read_numbers(store: Store, plan: LabelingPlan) -> dict[tuple[str, str], int]:
    """Return by item and image the number of the evaluation that the plan is about."""
    numbers: dict[tuple[str, str], int] = {}
    generations = sorted({image.item.partition(":")[2] for image in plan.images})
    with store.database.read_transaction() as session:
        for chunk in chunked(generations):
            query = select(
                EvaluationRow.id,
                EvaluationRow.run,
                EvaluationRow.generation,
                EvaluationRow.image,
            ).where(
                col(EvaluationRow.generation).in_(chunk),
                EvaluationRow.metric == IHALLA,
                EvaluationRow.judge == plan.judge,
                EvaluationRow.trial == 0,
            )
            for number, run, generation, image in session.exec(query).all():
                numbers[f"{run}:{generation}", image] = number or 0
    return numbers


def _require_same_plan(store: Store, plan: LabelingPlan) -> None:
    """Raise BadRequest where another plan of this id is stored."""
    stored = next((one for one in store.labeling.plans(plan.id) if one.id == plan.id), None)
    if stored is not None and replace(plan, created=stored.created) != stored:
        raise BadRequest(
            f"Another plan with the id {plan.id} is stored here: import this one into another"
            " store (HALLASCOPE_HOME)."
        )


# --- its labels ---


def _new_records(store: Store, shared: SharedPlan) -> list[LabelingRecord]:
    """Return what raters did that is not here, or that is newer than what they did here.

    A rater whose labels are here under another name, as a pseudonym is, has that name.
    """
    stored = store.labeling.records(shared.plan.id)
    names = _names_here(stored, shared.records)
    times = {(record.rater, record.item): record.created for record in stored}
    new: dict[tuple[str, str], LabelingRecord] = {}
    for record in shared.records:
        rater = names.get(record.rater, record.rater)
        if record.created > times.get((rater, record.item), 0.0) + _LEEWAY:
            new[rater, record.item] = replace(record, rater=rater)
    return list(new.values())


def _names_here(
    stored: Iterable[LabelingRecord], records: Iterable[LabelingRecord]
) -> dict[str, str]:
    """Return by name in an export the rater here who gave one of the same labels."""
    known = {_content(record): record.rater for record in stored}
    names: dict[str, str] = {}
    for record in records:
        if rater := known.get(_content(record)):
            names.setdefault(record.rater, rater)
    return names


def _content(record: LabelingRecord) -> tuple[object, ...]:
    """Return what makes two records the same, whoever is named in them."""
    return record.item, record.state, record.answers, round(record.created, 4)


def _ratings(
    plan: LabelingPlan, records: Iterable[LabelingRecord], reports: Mapping[int, Report]
) -> list[Rating]:
    """Return the labels of images as the store keeps answers. Raises BadRequest."""
    images = plan.by_item
    ratings = []
    for record in records:
        image = images[record.item]
        questions = _questions(reports.get(image.evaluation))
        for answer in record.answers:
            question = questions.get(answer.question)
            value = _answer_text(question, answer.mark)
            if value is None:
                raise BadRequest(
                    f"The plan {plan.id} holds an answer {answer.mark} to"
                    f" {_shorten(answer.question)!r}, which {plan.judge} was not asked in this"
                    f" store about {record.item}: take in the runs of that plan."
                )
            subject = _subject(image, answer.question, record.rater)
            ratings.append(Rating(subject, value, round(record.created, 6)))
    return ratings


def _subject(image: PlannedImage, question: str, rater: str) -> RatingSubject:
    return RatingSubject(image.image, IHALLA, image.prompt, f"{QUESTION}{question}", rater)


def _questions(report: Report | None) -> Mapping[str, Question]:
    verdicts = report.verdicts if report else ()
    return {verdict.question.text: verdict.question for verdict in verdicts}


def _answer_text(question: Question | None, mark: str) -> str | None:
    """Return a mark in words, None where the question has no such choice."""
    if question is None:
        return None
    if mark == CANNOT_BE_TOLD:
        return CANNOT_BE_TOLD
    number = LETTERS.index(cast("Letter", mark))
    return question.choices[number] if number < len(question.choices) else None


def _remove_skipped(store: Store, plan: LabelingPlan, records: Iterable[LabelingRecord]) -> None:
    """Remove the answers that a rater gave here to an image that they have skipped since."""
    images = plan.by_item
    skipped = {(record.rater, record.item) for record in records if record.state == "skipped"}
    for stored in store.labeling.records(plan.id) if skipped else []:
        image = images.get(stored.item)
        if image and (stored.rater, stored.item) in skipped:
            for answer in stored.answers:
                store.ratings.remove(_subject(image, answer.question, stored.rater))


def _shorten(text: str) -> str:
    return " ".join(text.split())[:80]
