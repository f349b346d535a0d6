"""Writes and reads the file of an exported labeling plan: the plan, and what its raters did.

The file is JSON, and comes from outside: `parse_plan` checks all that store, queue and reports rely
on.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from hallascope.data.files.label_folder import MARKS, clean_labeler_name
from hallascope.data.records import LETTERS
from hallascope.engine.events import jsonable
from hallascope.engine.export.image_paths import SHA256
from hallascope.engine.export.records import NAME, numbers_in
from hallascope.engine.labeling.plans import MOST_RATERS
from hallascope.engine.storage.people.labeling import LabelingPlan, LabelingRecord, PlannedImage

FILE = "plan.json"
FORMAT = 2  # counts up with every change of what the file must hold
_ATTENTION_CHECKS = 1  # the format whose plans may hold attention checks, which are passed over
_PLAN_ID = re.compile(r"[0-9a-f]{12}")
_LATEST = 32_503_680_000.0  # the year 3000, in seconds since 1970
_LARGEST = 2**63  # a whole number that no database takes
_TOLERANCE = 1e-6  # by which the probabilities of a stratum may miss 1


class UnusablePlan(ValueError):
    """Raised where a plan's file cannot be used; the message is the problem, without its place."""


@dataclass(frozen=True, kw_only=True)
class SharedPlan:
    """Holds a labeling plan and what its raters labeled or skipped, the oldest first.

    `named`: raters have their own names. Else they are "rater 1", "rater 2" and so on.
    """

    named: bool
    plan: LabelingPlan
    records: tuple[LabelingRecord, ...]


_SHARED = TypeAdapter(SharedPlan)


def plan_document(shared: SharedPlan, beside: Mapping[str, object]) -> str:
    """Return the file's text. `beside` is for people, and `parse_plan` passes over it."""
    fields = {
        "format": FORMAT,
        "named": shared.named,
        **beside,
        "plan": shared.plan,
        "records": shared.records,
    }
    return f"{json.dumps(jsonable(fields), indent=1, ensure_ascii=False, allow_nan=False)}\n"


def parse_plan(text: str | bytes) -> SharedPlan:
    """Return the plan of a file's text. Raises UnusablePlan with one clause."""
    try:
        fields = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise UnusablePlan(f"is no JSON ({_shorten(error)})") from None
    if not isinstance(fields, dict):
        raise UnusablePlan("is no JSON object")
    if fields.get("format") not in (_ATTENTION_CHECKS, FORMAT):
        raise UnusablePlan(
            f"has the format {_shorten(fields.get('format'))}, and this program reads {FORMAT}"
        )
    whole = [number for number in numbers_in(fields) if isinstance(number, int)]
    if not all(-_LARGEST < number < _LARGEST for number in whole):
        raise UnusablePlan("holds a whole number of more than 64 bits")
    try:
        shared = _SHARED.validate_python(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][:4])
        raise UnusablePlan(
            f"has something at {place!r} that does not belong there ({_shorten(first['msg'])})"
        ) from None
    if fields["format"] == _ATTENTION_CHECKS:
        images = shared.plan.by_item
        planned = tuple(record for record in shared.records if record.item in images)
        shared = replace(shared, records=planned)
    _check_plan(shared.plan)
    _check_records(shared)
    return shared


def _shorten(thing: object) -> str:
    return " ".join(str(thing).split())[:120]


# --- what a plan must hold ---


def _check_plan(plan: LabelingPlan) -> None:
    if not _PLAN_ID.fullmatch(plan.id):
        raise UnusablePlan(f"names the plan {_shorten(plan.id)!r}, which is no plan's id")
    _check_time(plan.created)
    if not 1 <= plan.raters_per_image <= MOST_RATERS:
        raise UnusablePlan(
            f"asks for {plan.raters_per_image} raters an image, and 1 to {MOST_RATERS} are possible"
        )
    if not plan.images:
        raise UnusablePlan("holds no images")
    if len(plan.by_item) < len(plan.images):
        raise UnusablePlan("holds an image twice")
    for position, image in enumerate(plan.images):
        _check_image(image, position)
    _check_probabilities(plan.images)


def _check_image(image: PlannedImage, position: int) -> None:
    _check_item(image.item)
    if not SHA256.fullmatch(image.image):
        raise UnusablePlan(f"names the image {_shorten(image.image)!r}, which is no SHA-256")
    if image.position != position:
        raise UnusablePlan(f"does not hold its images in their order, from image {position} on")


def _check_item(item: str) -> None:
    run, _, generation = item.partition(":")
    if not (NAME.fullmatch(run) and NAME.fullmatch(generation)):
        raise UnusablePlan(f"names the image {_shorten(item)!r}, which is no run and image of it")


def _check_probabilities(images: Iterable[PlannedImage]) -> None:
    strata = defaultdict[str, dict[str, float]](dict)
    for image in images:
        if not 0 < image.probability <= 1:
            raise UnusablePlan(f"has the probability {image.probability}, which is not in 0 to 1")
        known = strata[image.stratum].setdefault(image.prompt, image.probability)
        if known != image.probability:
            raise UnusablePlan("has two probabilities for one prompt of a model")
    for stratum, probabilities in strata.items():
        if abs(math.fsum(probabilities.values()) - 1) > _TOLERANCE:
            raise UnusablePlan(
                f"has probabilities for the prompts of {_shorten(stratum)!r} that do not sum to 1"
            )


# --- what raters did ---


def _check_records(shared: SharedPlan) -> None:
    images = shared.plan.by_item
    known: set[tuple[str, str]] = set()
    for record in shared.records:
        if record.item not in images:
            raise UnusablePlan(
                f"holds a label of {_shorten(record.item)!r}, which it does not plan"
            )
        if (record.rater, record.item) in known:
            raise UnusablePlan("holds two labels of one image by the same rater")
        known.add((record.rater, record.item))
        _check_record(record)


def _check_record(record: LabelingRecord) -> None:
    if not record.rater or record.rater != clean_labeler_name(record.rater):
        raise UnusablePlan(f"names the rater {_shorten(record.rater)!r}, which is no name")
    _check_time(record.shown)
    _check_time(record.created)
    if record.state == "shown" or bool(record.answers) != (record.state == "labeled"):
        raise UnusablePlan("holds a label without answers, or answers to what is not labeled")
    for answer in record.answers:
        if answer.mark not in MARKS or answer.expected not in LETTERS:
            raise UnusablePlan(
                f"holds the answer {_shorten(answer.mark)!r}, which is none of {', '.join(MARKS)}"
            )


def _check_time(seconds: float) -> None:
    if not 0 <= seconds <= _LATEST:
        raise UnusablePlan(f"holds the time {seconds}, which is none in seconds since 1970")
