"""Plans which images people label: a random sample of each model's prompts, in a fixed order.

The frame is all images whose I-HallA questions a judge answered; a model is a stratum of it. The
unit that is drawn is a prompt of a model, with all of its images and questions. Each prompt has a
permanent random number u in (0, 1), a hash of seed and prompt, and the prompts of a stratum are
taken in the order of u / p, where p is the prompt's probability. That is sequential Poisson
sampling (Ohlsson, Journal of Official Statistics 14 (1998)): the first n prompts are a sample in
which each has the inclusion probability min(1, n * p), for every n. Where all p are the same, as in
the random design, they are a simple random sample. The same prompt has the same number for all
models, so that models are compared on the same prompts.

In the active design (Zrnic and Candes, Active Statistical Inference, ICML 2024) half of p is the
same for all prompts, and half proportional to how unsure the judge is. The inverse probabilities
weigh the labels (Horvitz and Thompson, JASA 47, 1952), as
`hallascope.metrics.statistics.prediction_powered` has it.
"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import zip_longest
from statistics import fmean
from typing import NamedTuple, get_args

from pydantic import TypeAdapter

from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling.attention import make_checks
from hallascope.engine.labeling.frame import FrameImage, find_main_judge, read_frame
from hallascope.engine.labeling.uncertainty import UnsureJudge, measure_uncertainty
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import AttentionCheck as AttentionCheck
from hallascope.engine.storage.people.labeling import Design as Design
from hallascope.engine.storage.people.labeling import LabelingPlan as LabelingPlan
from hallascope.engine.storage.people.labeling import PlannedImage as PlannedImage

MOST_RATERS = 5
UNIFORM = 0.5  # the part of the probabilities that does not depend on the judge
_IMAGES = TypeAdapter(tuple[PlannedImage, ...])


def create_plan(
    services: Services,
    *,
    judge: str | None = None,
    models: Sequence[str] = (),
    run: str | None = None,
    design: Design = "random",
    raters_per_image: int = 1,
    attention_every: int = 0,
    seed: int = 0,
    title: str = "",
) -> LabelingPlan:
    """Plan what people label, keep the plan, and return it; the same request is the same plan.

    `judge`: whose scores are corrected; None: the one that judged most images. `models` and `run`
    (also a sweep) narrow the frame; pictures that people brought are in it where `models` names
    "uploaded". Of an image that was judged several times the newest verdicts count, of the first
    trial. `raters_per_image` is from 1 to 5; every `attention_every`-th image of a rater is a
    drawing whose answers are known (0: none). Raises BadRequest where an option is out of range or
    nothing is left to label.
    """
    if design not in get_args(Design):
        raise BadRequest(f"There is no design {design!r}: take {' or '.join(get_args(Design))}.")
    if not 1 <= raters_per_image <= MOST_RATERS:
        raise BadRequest(
            f"{raters_per_image} raters an image cannot be planned: take 1 to {MOST_RATERS}."
        )
    if attention_every < 0 or attention_every == 1:
        raise BadRequest(
            "An attention check can be every 2nd image or rarer: take 0 for none, or 2 and more."
        )
    judge = judge or find_main_judge(services)
    frame = read_frame(services, judge, models, run)
    if not frame:
        raise BadRequest(_empty_frame(judge, models, run))
    unsure = measure_uncertainty(services, judge, frame) if design == "active" else {}
    images = tuple(order_images(frame, unsure, seed))
    checks = make_checks(services, len(images), attention_every, seed)
    plan = LabelingPlan(
        id="",
        created=time.time(),
        title=" ".join(title.split()),
        judge=judge,
        design=design,
        seed=seed,
        raters_per_image=raters_per_image,
        attention_every=attention_every,
        images=images,
        checks=checks,
    )
    return services.store.labeling.keep_plan(_with_id(plan))


def list_plans(services: Services) -> list[LabelingPlan]:
    """Return all plans, the newest first."""
    return services.store.labeling.plans()


def find_plan(services: Services, name: str) -> LabelingPlan:
    """Return the plan of that id, or the one whose id begins so. Raises BadRequest."""
    plans = services.store.labeling
    found = plans.plans(name) if name else []
    if len(found) == 1:
        return found[0]
    if found and all(plan.id != name for plan in found):
        raise BadRequest(f"{len(found)} labeling plans begin with {name!r}: give the whole id.")
    return plans.plan(name)


def _with_id(plan: LabelingPlan) -> LabelingPlan:
    """Return the plan with its id, a hash of all but the time."""
    fields = {
        "title": plan.title,
        "judge": plan.judge,
        "design": plan.design,
        "seed": plan.seed,
        "raters_per_image": plan.raters_per_image,
        "attention_every": plan.attention_every,
        "images": _IMAGES.dump_json(plan.images).decode(),
    }
    name = sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:12]
    return replace(plan, id=name)


def _empty_frame(judge: str, models: Sequence[str], run: str | None) -> str:
    of_models = f" of {', '.join(models)}" if models else ""
    of_run = f" in the run {run}" if run else ""
    return (
        f"No image{of_models}{of_run} that {judge} judged by I-HallA's questions is stored here:"
        " take another judge, model or run, or evaluate some images first."
    )


# --- the order ---


class _Unit(NamedTuple):
    """Holds the images of a model's prompt, and where they stand in its order.

    `key` is the permanent random number over the probability.
    """

    images: Sequence[FrameImage]
    probability: float
    key: float
    unsure: UnsureJudge | None


def order_images(
    frame: Iterable[FrameImage], unsure: Mapping[str, UnsureJudge], seed: int
) -> list[PlannedImage]:
    """Return the images in the order in which they are labeled; the strata take turns.

    `unsure` says by item how unsure the judge is; {}: all prompts are as likely.
    """
    strata = defaultdict[str, defaultdict[str, list[FrameImage]]](lambda: defaultdict(list))
    for image in frame:
        strata[image.model][image.prompt].append(image)
    ordered = {model: _order_stratum(prompts, unsure, seed) for model, prompts in strata.items()}
    planned: list[PlannedImage] = []
    for number, units in enumerate(zip_longest(*ordered.values())):
        # in another order each time, so that the place does not tell the model
        turn = [unit for unit in units if unit is not None]
        turn.sort(key=lambda unit: random_number(seed, f"{number} {unit.images[0].model}"))
        for unit in turn:
            planned += _plan_unit(unit, len(planned))
    return planned


def _order_stratum(
    prompts: Mapping[str, Sequence[FrameImage]], unsure: Mapping[str, UnsureJudge], seed: int
) -> list[_Unit]:
    """Return the prompts of a model in the order of sequential Poisson sampling."""
    measured = {
        prompt: fmean(unsure[image.item].value if image.item in unsure else 0.0 for image in images)
        for prompt, images in prompts.items()
    }
    total = sum(measured.values())
    mean = total / len(prompts)
    units = []
    for prompt, images in prompts.items():
        probability = 1 / len(prompts)
        if total:
            probability = UNIFORM * probability + (1 - UNIFORM) * measured[prompt] / total
        most = max(
            (unsure[image.item] for image in images if image.item in unsure),
            key=lambda one: one.value,
            default=None,
        )
        units.append(
            _Unit(
                images=images,
                probability=probability,
                key=random_number(seed, prompt) / probability,
                unsure=most if most and measured[prompt] > mean else None,
            )
        )
    return sorted(units, key=lambda unit: (unit.key, unit.images[0].prompt))


def _plan_unit(unit: _Unit, position: int) -> list[PlannedImage]:
    return [
        PlannedImage(
            image=image.image,
            prompt=image.prompt,
            model=image.model,
            stratum=image.model,
            position=position + number,
            probability=unit.probability,
            item=image.item,
            evaluation=image.evaluation,
            reason=unit.unsure.reason if unit.unsure else "random",
            unsure=unit.unsure.value if unit.unsure else 0.0,
        )
        for number, image in enumerate(unit.images)
    ]


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
