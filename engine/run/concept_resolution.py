"""Resolves the concepts of a prompt with their references: benchmark, Primer or a person's own.

It sorts a prompt by them for leaderboards, and adds knowledge of them to what is drawn. It knows no
metric.
"""

import io
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from hallascope.data.benchmarks.factualbench import read_factualbench
from hallascope.data.concept_mentions import inject, spoken_name
from hallascope.data.concepts import ConceptRef, FactualPrompt, with_references
from hallascope.data.models.specs import Knowledge, ModelSpec
from hallascope.data.records import Picture, QuestionSet
from hallascope.data.requests import Failure, Generate
from hallascope.engine.errors import BadImage, BadRequest, refuse
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.storage.scores import SEVERAL, Facets
from hallascope.metrics.factualbench.plan import concept_name
from hallascope.primer.benchmark import factualbench as primer
from hallascope.primer.scenes import CannotDraw

# the source of a prompt whose concept a person names
OWN = "own"
KeepImage = Callable[[bytes], Picture]
ImportPicture = Callable[[Path], Picture]


def resolve_concepts(
    request: EvaluateRequest, keep_image: KeepImage, import_picture: ImportPicture
) -> FactualPrompt | None:
    """Return the concepts of a request with all reference pictures that can be had.

    None where nobody knows any.

    A benchmark's entry goes before Primer's reading of the prompt; what the person brings goes
    before both. Raises BadRequest where that could belong to several concepts, BadImage where the
    person's picture cannot be read.
    """
    prompt = request.factual or in_primer(request.prompt)
    reference = import_picture(request.reference) if request.reference else None
    if reference or request.concept or request.definition:
        prompt = _with_own_concept(request, prompt, reference)
    if prompt is None:
        return None
    source = prompt.source

    def find_reference(concept: ConceptRef) -> Picture | None:
        if concept.reference:
            return concept.reference if concept.reference.path.exists() else None
        if concept.file:
            with suppress(BadImage):
                return import_picture(concept.file)
            return None
        return _draw_reference(concept, keep_image) if source == primer.SOURCE else None

    return with_references(prompt, find_reference)


def in_primer(prompt: str) -> FactualPrompt | None:
    """Return the prompt as Primer knows it; None where it is outside the grammar."""
    try:
        return primer.factual(prompt)
    except CannotDraw:
        return None


def in_benchmark(prompt: str, path: Path) -> FactualPrompt:
    """Return the entry of a prompt in a file or folder of T2I-FactualBench.

    Raises BadRequest where it is not there.
    """
    with refuse(ValueError, OSError):
        benchmark = read_factualbench(path)
    for entry in benchmark.prompts:
        if _normalize(entry.prompt) == _normalize(prompt):
            return entry
    raise BadRequest(
        f"The prompt is none of the {len(benchmark.prompts):,} at {str(path)!r}: copy one from"
        " there, or leave the option out."
    )


def _with_own_concept(
    request: EvaluateRequest, prompt: FactualPrompt | None, reference: Picture | None
) -> FactualPrompt:
    """Put what a person brings in the place of the concept it is about.

    A prompt that nobody knows gets it as its one concept.
    """
    concepts = prompt.concepts if prompt else ()
    if len(concepts) > 1 and not request.concept:
        names = " or ".join(repr(concept.name) for concept in concepts)
        raise BadRequest(
            f"The prompt has {len(concepts)} concepts: name the one that your reference image or"
            f" definition is of (--concept: {names})."
        )
    name = request.concept or (concepts[0].name if concepts else concept_name(request.prompt))
    spoken = _normalize(spoken_name(name))
    matches = [concept for concept in concepts if _normalize(spoken_name(concept.name)) == spoken]
    if prompt is None or not matches:
        concept = ConceptRef(name=name, definition=request.definition, reference=reference)
        return FactualPrompt(prompt=request.prompt, concepts=(concept,), source=OWN)
    i = concepts.index(matches[0])
    concept = replace(
        matches[0],
        definition=request.definition or matches[0].definition,
        reference=reference or matches[0].reference,
    )
    return replace(
        prompt,
        concepts=(*concepts[:i], concept, *concepts[i + 1 :]),
        injected="" if request.definition else prompt.injected,
    )


def own_concept_mark(request: EvaluateRequest) -> str:
    """Return what a person's own concept or reference adds to the version of a report.

    Scores by it are never averaged with others; "" where there is none. The request is resolved.
    """
    factual = request.factual
    if factual is None or not (request.reference or factual.source == OWN):
        return ""
    concepts = [
        (concept.name, concept.reference.sha256 if concept.reference else None)
        for concept in factual.concepts
    ]
    return f"+own-{sha256(json.dumps(concepts).encode()).hexdigest()[:8]}"


def _draw_reference(concept: ConceptRef, keep_image: KeepImage) -> Picture | None:
    try:
        drawing = primer.reference(concept)
    except CannotDraw:
        return None
    stream = io.BytesIO()
    drawing.image(primer.REFERENCE_SIZE).save(stream, "PNG")
    return keep_image(stream.getvalue())


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())


# --- what a prompt is sorted by ---


def prompt_facets(request: EvaluateRequest, questions: QuestionSet | None = None) -> Facets:
    """Return the facets of a prompt, as far as its questions, a benchmark or Primer know them.

    A prompt of several concepts is of all their domains. A concept of a person's own sorts nothing.
    """
    factual = request.factual
    if factual is None or factual.source == OWN:
        factual = in_primer(request.prompt)
    category = questions.category.value if questions and questions.category else ""
    domains = SEVERAL.join(factual.domains) if factual else ""
    own = questions.domain if questions else None
    return Facets(
        category,
        domains or own or "",
        factual.level if factual else "",
        factual.task if factual else "",
        (questions.known_field or "") if questions else "",
        (questions.known_difficulty or "") if questions else "",
    )


# --- knowledge beside the prompt ---

_NAMES: Mapping[Knowledge, str] = {
    "text": "definitions in the prompt",
    "visual": "reference images",
}
_REMEDIES: Mapping[Knowledge, str] = {
    "text": (
        "it reads no sentences beyond what it was made for; choose a model that reads any text,"
        " such as SDXL."
    ),
    "visual": (
        "choose a pipeline with an image-prompt adapter (`knowledge: [visual]` and `ip_adapter` in"
        " its entry)."
    ),
}
_UNKNOWN: Mapping[Knowledge, str] = {
    "text": (
        "No definition is known of what the prompt names: give one of your own (--concept,"
        " --definition)."
    ),
    "visual": (
        "No reference image is known of what the prompt names: give one of your own (--concept,"
        " --reference)."
    ),
}


def inject_knowledge(
    plain: Generate, injection: Knowledge | None, factual: FactualPrompt | None, spec: ModelSpec
) -> Generate | Failure:
    """Return the request with the knowledge of its concepts, or as it is for no `injection`.

    It is a failure where the model cannot use the knowledge, or none is known.
    """
    if injection is None:
        return plain
    if injection not in spec.knowledge:
        message = f"{spec.title} cannot use {_NAMES[injection]}: {_REMEDIES[injection]}"
        return Failure("cannot_draw", message, attempts=0)
    if factual and injection == "text":
        # as the benchmark gives it, else with each definition behind the first mention
        prompt = factual.injected or inject(plain.prompt, factual.concepts).prompt
        if prompt != plain.prompt:
            return replace(plain, prompt=prompt)
    elif factual:
        references = tuple(concept.reference for concept in factual.concepts if concept.reference)
        if references:
            return replace(plain, references=references)
    return Failure("cannot_draw", _UNKNOWN[injection], attempts=0)
