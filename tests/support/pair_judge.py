"""A judge that knows how every picture was drawn and compares it with its reference, for tests of
the pages of FactualBench.
"""

import json
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from hallascope.backends.base import CallLimits
from hallascope.backends.draughtsman import Draughtsman
from hallascope.data.concepts import ConceptRef
from hallascope.data.models.specs import read_models
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Ask,
    Detect,
    Detected,
    Failure,
    Generate,
    Generated,
    Reply,
)
from hallascope.engine.documents.evaluation import evaluation_document
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.run.result import run_result
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench
from hallascope.primer.truth.answers import DrawnPicture
from tests.support.pair_truth import answer
from tests.support.scripted_models import scripted, serve


@cache
def drawn(concept: ConceptRef) -> bytes:
    """The reference of a concept as a PNG."""
    file = BytesIO()
    factualbench.reference(concept).image(512).save(file, "PNG")
    return file.getvalue()


def halves(request: Any) -> Reply:
    """A detector that finds the first thing on the left and the second on the right."""
    if not isinstance(request, Detect):
        return Failure("broken", "It only detects.")
    boxes = (Box(0, 0, 0.5, 1), Box(0.5, 0, 1, 1))
    return Detected(
        tuple(
            Detection(phrase, box, 1.0) for phrase, box in zip(request.phrases, boxes, strict=False)
        )
    )


def build(folder: Path, latency: float = 0.0) -> Services:
    """Services whose judge knows the truth; a detector.

    A painter that draws anything, more careful with knowledge than without.
    """
    store, models = Store(folder=folder), read_models()
    draughtsmen = {name: Draughtsman(models[name]) for name in ("primer/exact", "primer/careless")}

    def paints(request: Generate) -> Generated | Failure:
        known = bool(request.references) or "(" in request.prompt
        prompt = request.prompt.partition(" (")[0]
        return draughtsmen["primer/exact" if known else "primer/careless"].generate(
            [Generate(prompt, request.seed)]
        )[0]

    def judges(ask: Ask) -> Reply:
        found = store.truth(ask.images[0].sha256)
        if found is None:
            return Failure("broken", "Nobody knows how this image was drawn.")
        picture = DrawnPicture(scenes.parse(found["prompt"]), found["values"])
        return answer(ask, picture, _shown(ask, found["prompt"]) if len(ask.images) > 1 else "")

    def _shown(ask: Ask, prompt: str) -> str:
        """The concept of a reference: its picture is the drawing of one of the prompt's concepts,
        or a person's own of the first.
        """
        named = factualbench.factual(prompt).concepts
        return next(
            (one.name for one in named if drawn(one) == ask.images[1].path.read_bytes()),
            named[0].name,
        )

    limits = CallLimits(8, 1)
    return serve(
        store,
        scripted("primer/judge", "judge", judges, limits, latency, ranks=True),
        scripted("primer/segmenter", ("detector", "segmenter"), halves, limits, latency),
        scripted(
            "knowing/painter", "generator", paints, limits, latency, knowledge=("text", "visual")
        ),
    )


PAIR = "a ladybug to the left of a sunflower"


REQUEST = EvaluateRequest(
    prompt=PAIR, models=("primer/exact", "primer/careless"), metrics=("factualbench",)
)


def evaluate_to_json(
    services: Any, request: EvaluateRequest
) -> tuple[list[Evaluation], dict[str, Any]]:
    result = run_result(request, services.evaluate(request))
    document = evaluation_document(
        result,
        truths=lambda report: (None,) * len(report.verdicts),
        reliability=lambda evaluation: None,
    )
    return result.ordered_evaluations, json.loads(json.dumps(document, default=str))
