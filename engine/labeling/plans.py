"""Plans which images people label: a random sample of each model's prompts, in a fixed order.

The frame is all images whose I-HallA questions a judge answered; a model is a stratum of it. The
unit that is drawn is a prompt of a model, with all of its images and questions. Each prompt has a
permanent random number in (0, 1), a hash of seed and prompt (Ohlsson, Journal of Official
Statistics 14 (1998)), and the prompts of a stratum are taken in the order of their numbers: the
first n prompts are a simple random sample, for every n. The same prompt has the same number for all
models, so that models are compared on the same prompts.
"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import sqlalchemy as sa
from pydantic_core import to_json
from sqlmodel import col, select

from hallascope.engine.access.limits import PLAN_IMAGES
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan, PlannedImage, unknown_plan
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.engine.storage.scores import HELD_BACK, injected_knowledge, ranked_model
from hallascope.engine.storage.tables import (
    REPORT,
    EvaluationRow,
    Generation,
    ScoreRow,
    SweepItemRow,
)

MOST_RATERS = 5


def create_plan(
    services: Services,
    *,
    judge: str | None = None,
    models: Sequence[str] = (),
    run: str | None = None,
    raters_per_image: int = 1,
    seed: int = 0,
    title: str = "",
) -> LabelingPlan:
    """Plan what people label, keep the plan, and return it; the same request is the same plan.

    `judge`: whose scores are corrected; None: the one that judged most images. `models` and `run`
    (also a sweep) narrow the frame; pictures that people brought are in it where `models` names
    "uploaded"; a visitor's plan has only those of their own runs. Of an image that was judged
    several times the newest verdicts count, of the first trial. `raters_per_image` is from 1 to 5.
    Raises BadRequest where it is not, or where nothing is left to label.
    """
    if not 1 <= raters_per_image <= MOST_RATERS:
        raise BadRequest(
            f"{raters_per_image} raters an image cannot be planned: take 1 to {MOST_RATERS}."
        )
    judge = judge or find_main_judge(services)
    frame = read_sampling_frame(services, judge, models, run)
    if not frame:
        of_models = f" of {', '.join(models)}" if models else ""
        of_run = f" in the run {run}" if run else ""
        raise BadRequest(
            f"No image{of_models}{of_run} that {judge} judged by I-HallA's questions is stored"
            " here: take another judge, model or run, or evaluate some images first."
        )
    if services.store.owners.visitor and len(frame) > PLAN_IMAGES.most:
        raise BadRequest(
            f"The plan has {len(frame):,} images, and here at most {PLAN_IMAGES.most:,} are taken:"
            " choose fewer models, or one run."
        )
    plan = LabelingPlan(
        id="",
        created=time.time(),
        title=" ".join(title.split()),
        judge=judge,
        seed=seed,
        raters_per_image=raters_per_image,
        images=tuple(order_images(frame, seed)),
    )
    visitor = services.visitor.id if services.visitor else ""
    return services.store.labeling.keep_plan(_with_id(plan, visitor))


def find_plan(services: Services, name: str) -> LabelingPlan:
    """Return the plan of that id, or the one whose id begins so, of those that are listed.

    Raises BadRequest.
    """
    found = services.store.labeling.plans(name) if name else []
    found = [plan for plan in found if plan.id == name] or found
    if len(found) > 1:
        raise BadRequest(f"{len(found)} labeling plans begin with {name!r}: give the whole id.")
    if not found:
        raise unknown_plan(name)
    return found[0]


def describe_removal(services: Services, plan: LabelingPlan) -> str:
    """Return what deleting a plan deletes, in a sentence. Raises NotYours."""
    services.store.labeling.require_own(plan.id)
    records = services.store.labeling.records(plan.id)
    raters = {record.rater for record in records}
    return (
        f"This deletes the labeling plan {plan.id} with {len(records):,} records of"
        f" {len(raters):,} raters: its images stay, and so do the answers, as labels without a"
        " plan."
    )


def _with_id(plan: LabelingPlan, visitor: str) -> LabelingPlan:
    """Return the plan with its id, a hash of all but the time, and of who made it ("": operator).

    So nobody has the plan that another is going to make.

    Version 0.1.0 also hashed three options of sampling, here with the values that they had by
    default: the same request has the same id as there.
    """
    images = [asdict(image) | {"reason": "random", "unsure": 0.0} for image in plan.images]
    fields = {
        "title": plan.title,
        "judge": plan.judge,
        "design": "random",
        "seed": plan.seed,
        "raters_per_image": plan.raters_per_image,
        "attention_every": 0,
        "images": to_json(images).decode(),
    }
    if visitor:
        fields["visitor"] = visitor
    name = sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:12]
    return replace(plan, id=name)


# --- the frame ---


def find_main_judge(services: Services) -> str:
    """Return the judge that judged most images by I-HallA. Raises BadRequest without one."""
    count = sa.func.count(sa.distinct(col(EvaluationRow.image)))
    statement = (
        sa.select(col(EvaluationRow.judge))
        .where(
            col(EvaluationRow.metric) == IHALLA,
            col(EvaluationRow.judge) != "",
            col(EvaluationRow.trial) == 0,
            col(EvaluationRow.model) != UPLOADED,
            _is_counted(),
        )
        .group_by(col(EvaluationRow.judge))
        .order_by(count.desc(), col(EvaluationRow.judge))
    )
    with services.store.database.read_transaction() as session:
        judge = session.execute(statement.limit(1)).scalar()
    if judge is None:
        raise BadRequest(
            "No judge has judged an image by I-HallA's questions here: evaluate some first"
            " (`hallascope evaluate`)."
        )
    return str(judge)


def _is_counted() -> Any:
    """Return the condition on evaluations by I-HallA that count beyond their own run."""
    held_back = sa.select(col(ScoreRow.evaluation)).where(
        col(ScoreRow.metric) == IHALLA, col(ScoreRow.created) == HELD_BACK
    )
    return col(EvaluationRow.id).not_in(held_back)


def read_sampling_frame(
    services: Services, judge: str, models: Sequence[str], run: str | None
) -> list[PlannedImage]:
    """Return the images that this judge judged and that can be shown, each once a model.

    What counts in its run alone is in the frame of a `run` alone.
    """
    query = (
        select(EvaluationRow, Generation.settings)
        .join(Generation, col(Generation.id) == col(EvaluationRow.generation))
        .where(
            col(EvaluationRow.metric) == IHALLA,
            col(EvaluationRow.judge) == judge,
            col(EvaluationRow.trial) == 0,
        )
        .order_by(col(EvaluationRow.id).desc())
    )
    if run:
        swept = sa.select(col(SweepItemRow.run)).where(col(SweepItemRow.sweep) == run)
        query = query.where(
            sa.or_(col(EvaluationRow.run) == run, col(EvaluationRow.run).in_(swept))
        )
    else:
        query = query.where(_is_counted())
    owners = services.store.owners
    if owners.visitor:
        own = col(EvaluationRow.run).in_(owners.own("run"))
        query = query.where(sa.or_(col(EvaluationRow.model) != UPLOADED, own))
    with services.store.database.read_transaction() as session:
        rows = session.exec(query).all()
    frame: dict[tuple[str, str, str], PlannedImage] = {}
    for row, settings in rows:
        model = ranked_model(row.model, injected_knowledge(settings))
        wanted = model in models if models else row.model != UPLOADED
        key = model, row.prompt, row.image
        if not wanted or key in frame or not services.store.images.path(row.image).exists():
            continue
        if REPORT.validate_json(row.report).verdicts:
            frame[key] = PlannedImage(
                image=row.image,
                prompt=row.prompt,
                model=model,
                stratum=model,
                item=f"{row.run}:{row.generation}",
                evaluation=row.id or 0,
            )
    return [frame[key] for key in sorted(frame)]


# --- the order ---


def order_images(frame: Iterable[PlannedImage], seed: int) -> list[PlannedImage]:
    """Return the images in the order in which they are labeled; the strata take turns."""
    strata = defaultdict[str, defaultdict[str, list[PlannedImage]]](lambda: defaultdict(list))
    for image in frame:
        strata[image.model][image.prompt].append(image)
    ordered = [
        [prompts[prompt] for prompt in sorted(prompts, key=lambda name: random_number(seed, name))]
        for prompts in strata.values()
    ]
    planned: list[PlannedImage] = []
    for number, units in enumerate(zip_longest(*ordered)):
        # in another order each time, so that the place does not tell the model
        turn = [unit for unit in units if unit is not None]
        turn.sort(key=lambda unit: random_number(seed, f"{number} {unit[0].model}"))
        for image in (image for unit in turn for image in unit):
            share = 1 / len(strata[image.model])
            planned.append(replace(image, position=len(planned), probability=share))
    return planned


def random_number(seed: int, name: str) -> float:
    """Return the permanent random number of a name, uniform in (0, 1)."""
    digest = sha256(f"{seed} {name}".encode()).digest()
    return (int.from_bytes(digest[:8], "big") + 0.5) / 2**64


def frame_sizes(plan: LabelingPlan) -> dict[str, tuple[int, int]]:
    """Return by stratum how many prompts and how many images it has."""
    images = Counter(image.stratum for image in plan.images)
    prompts = Counter(
        stratum for stratum, _ in {(image.stratum, image.prompt) for image in plan.images}
    )
    return {stratum: (prompts[stratum], count) for stratum, count in sorted(images.items())}
