"""Reads the shipped picture that all five methods judged.

`hallascope teach how` makes it with the embedded models.
"""

import random
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.models.specs import read_models
from hallascope.data.outlines import Polygon
from hallascope.data.records import Picture, Report
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Finished, GeneratedPicture
from hallascope.engine.export import formats
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.importer import import_runs
from hallascope.engine.judge_eval.haloquest import HaloTrialItem, try_halo
from hallascope.engine.services import Services
from hallascope.engine.storage.images import ImageStore
from hallascope.engine.storage.store import Store
from hallascope.engine.teaching.exercises import JUDGE, keep_drawing
from hallascope.metrics.haloquest.plan import NAME as HALOQUEST
from hallascope.primer import scenes
from hallascope.primer.teaching.exercises import short_question
from hallascope.primer.world import FactValue

FOLDER = Path(__file__).parents[2] / "data" / "walkthrough"
ABOUT = "about.json"
METRICS = ("ihalla", "fig", "scene-graph", "factualbench")
PROMPT = "a molecule of methane"
MODEL = "primer/hasty"
# the two facts that the picture gets wrong
WRONG: Mapping[str, FactValue] = {"hydrogens": 5, "centre": "red"}
_SEEDS = 10_000
# in HaloQuest's three sorts, with the replies that are right for this fault
QUESTIONS = (
    HaloQuestion(
        "How many outer atoms surround the central atom in the image?",
        ("Five.", "5"),
        "visual challenge",
        "generated",
    ),
    HaloQuestion(
        "What color is the ladybug in the image?",
        ("There is no ladybug in the image.", "The image does not show a ladybug."),
        "false premises",
        "generated",
    ),
    HaloQuestion(
        "Who drew the molecule of methane in the image?",
        ("It cannot be told from the image.", "The image does not show who drew it."),
        "insufficient context",
        "generated",
    ),
)


class WalkthroughFacts(NamedTuple):
    """Holds what ships beside the run: its id, and the reports on the judge."""

    run: str
    halo: tuple[Report, ...]


class WrongFact(NamedTuple):
    """Holds a wrong fact of the picture: its question, its answer, the factual one, and outlines.

    Outlines are by part.
    """

    question: str
    shown: str
    truth: str
    parts: Mapping[str, tuple[Polygon, ...]]


class Walkthrough(NamedTuple):
    """Holds a store in memory with the run and its one picture, and what is wrong in it.

    It has the same picture as it should be, and what ships beside it.
    """

    services: Services
    shot: GeneratedPicture
    faults: tuple[WrongFact, ...]
    right: Picture
    facts: WalkthroughFacts


_FACTS = TypeAdapter(WalkthroughFacts)


# --- reading what ships
# --------------------------------------------------------------------------------------------------


def read(services: Services, folder: Path = FOLDER) -> Walkthrough:
    """Return what ships, its pictures beside those of the store.

    Raises BadRequest where it is not there, or of another version.
    """
    return _load(services, services.store.images, folder)


@lru_cache(maxsize=4)
def _load(services: Services, images: ImageStore, folder: Path) -> Walkthrough:
    try:
        facts = _FACTS.validate_json((folder / ABOUT).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadRequest(
            "What shows how it works is not there: make it with `hallascope teach how`."
        ) from error
    store = Store("sqlite://", services.store.folder, images)
    imported = import_runs(store, folder)
    if imported.faults or imported.missing:
        raise BadRequest(
            "What shows how it works is of another version: make it again with `hallascope teach"
            " how`."
        )
    own = Services(store, {model.spec.id: model.spec for model in services.registry.models()})
    shot = own.view(facts.run).shots[0]
    truth = store.truth(str(shot.image))
    if not truth or "values" not in truth:
        raise BadRequest(
            "What shows how it works has no truth beside it: make it again with `hallascope teach"
            " how`."
        )
    scene = scenes.parse(truth["prompt"])
    right = keep_drawing(own, scene.draw(scene.truths(), truth["chance"]))
    outlines = own.regions(str(shot.image))
    wrong_facts = tuple(
        WrongFact(
            question=short_question(fact.question),
            shown=fact.values[truth["values"][fact.parameter]],
            truth=fact.gold,
            parts={part: outlines.get(part, ()) for part in fact.parts},
        )
        for fact in scene.facts
        if fact.parameter in truth["violated"]
    )
    return Walkthrough(own, shot, wrong_facts, right, facts)


# --- making it
# --------------------------------------------------------------------------------------------------


def make(services: Services, folder: Path = FOLDER) -> WalkthroughFacts:
    """Draw, evaluate and write it; whatever the judge says of it is what is shown.

    Raises what `Services.evaluate` raises.
    """
    request = EvaluateRequest(
        prompt=PROMPT, models=(MODEL,), metrics=METRICS, judge=JUDGE, seed=_seed()
    )
    (end,) = [event for event in services.evaluate(request) if isinstance(event, Finished)]
    if end.failures:
        raise BadRequest(
            "Something could not be answered: run `hallascope doctor`, then try again."
        )
    picture = services.view(end.run).shots[0].picture
    if picture is None:
        raise BadRequest("The image is gone from the store: try again.")
    items = [
        HaloTrialItem(
            source=f"{HALOQUEST} {i}", question=question, image=picture.sha256, picture=picture
        )
        for i, question in enumerate(QUESTIONS)
    ]
    trial = try_halo(services, items, JUDGE, None)  # without a grader: by rule
    facts = WalkthroughFacts(end.run, tuple(trial.reports.values()))
    source = ExportSource(services=services, runs=[end.run], images=True)
    formats.export(source, "jsonl", folder, force=True)
    (folder / ABOUT).write_bytes(_FACTS.dump_json(facts, indent=1))
    return facts


def _seed() -> int:
    """Return the first seed with which the draughtsman gets these facts wrong, and no other."""
    scene = scenes.parse(PROMPT)
    probability = float(read_models()[MODEL].settings["violation"] or 0)
    expected = {**scene.truths(), **WRONG}
    for seed in range(_SEEDS):
        chance = random.Random(f"{MODEL} {seed} {PROMPT}")
        if scenes.violate(scene, probability, chance) == expected:
            return seed
    raise LookupError(f"no seed below {_SEEDS:,} gets these facts wrong, and no other")
