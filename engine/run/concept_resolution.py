"""Resolves the concepts of a prompt with their references: benchmark, Primer or one's own.

It knows no metric.
"""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hallascope.data.benchmarks.factualbench import read_factualbench
from hallascope.data.concept_mentions import spoken_name
from hallascope.data.concepts import ConceptRef, FactualPrompt, with_references
from hallascope.data.records import Picture
from hallascope.engine.errors import BadImage, BadRequest, sentence
from hallascope.engine.events import EvaluateRequest
from hallascope.metrics.factualbench.plan import concept_name
from hallascope.primer.benchmark import factualbench as primer
from hallascope.primer.scenes import CannotDraw

SIZE = 512  # px of Primer's reference drawings
OWN = "own"  # source of a prompt whose concept a person names
Keep = Callable[[bytes], Picture]
Accept = Callable[[Path], Picture]


def resolve_concepts(request: EvaluateRequest, keep: Keep, accept: Accept) -> FactualPrompt | None:
    """The concepts of a request with all reference pictures that can be had.

    None where nobody knows any.

    A benchmark's entry goes before Primer's reading of the prompt; what the person brings goes
    before both. Raises BadRequest where the picture of the person could belong to several concepts,
    BadImage where it cannot be read.
    """
    known = request.factual or in_primer(request.prompt)
    brought = accept(request.reference) if request.reference else None
    prompt = _with_own_reference(request, known, brought) if brought or request.concept else known
    return (
        with_references(prompt, lambda concept: _reference(concept, prompt.source, keep, accept))
        if prompt
        else None
    )


def in_primer(prompt: str) -> FactualPrompt | None:
    """The prompt as Primer knows it; None where it is outside the grammar."""
    try:
        return primer.factual(prompt)
    except CannotDraw:
        return None


def in_benchmark(prompt: str, path: Path) -> FactualPrompt:
    """The entry of a prompt in a file or folder of T2I-FactualBench.

    Raises BadRequest where it is not there.
    """
    try:
        found = read_factualbench(path)
    except (ValueError, OSError) as error:
        raise BadRequest(sentence(error)) from error
    entry = next(
        (one for one in found.prompts if _normalize(one.prompt) == _normalize(prompt)), None
    )
    if entry is None:
        raise BadRequest(
            f"The prompt is none of the {len(found.prompts):,} at {str(path)!r}: copy one from"
            " there, or leave the option out."
        )
    return entry


def _with_own_reference(
    request: EvaluateRequest, known: FactualPrompt | None, brought: Picture | None
) -> FactualPrompt:
    """What a person brings, in the place of the concept it is about.

    Of a prompt that nobody knows, the one concept it has.
    """
    concepts = known.concepts if known else ()
    if known and len(concepts) > 1 and not request.concept:
        names = " or ".join(repr(concept.name) for concept in concepts)
        raise BadRequest(
            f"The prompt has {len(concepts)} concepts and one reference picture: say which it shows"
            f" ({names})."
        )
    name = request.concept or (concepts[0].name if concepts else concept_name(request.prompt))
    place = next(
        (
            i
            for i, concept in enumerate(concepts)
            if _normalize(spoken_name(concept.name)) == _normalize(spoken_name(name))
        ),
        None,
    )
    if known is None or place is None:
        return FactualPrompt(
            prompt=request.prompt,
            concepts=(ConceptRef(name=name, definition=request.definition, reference=brought),),
            source=OWN,
        )
    one = concepts[place]
    mine = replace(
        one, definition=request.definition or one.definition, reference=brought or one.reference
    )
    return replace(known, concepts=(*concepts[:place], mine, *concepts[place + 1 :]))


def _reference(concept: ConceptRef, source: str, keep: Keep, accept: Accept) -> Picture | None:
    """The picture that is there already, the benchmark's file, Primer's drawing, or nothing."""
    if concept.reference:
        return concept.reference if concept.reference.path.exists() else None
    if concept.file:
        try:
            return accept(concept.file)
        except BadImage:
            return None
    return _draw_reference(concept, keep) if source == primer.SOURCE else None


def _draw_reference(concept: ConceptRef, keep: Keep) -> Picture | None:
    try:
        drawing = primer.reference(concept)
    except CannotDraw:
        return None
    stream = io.BytesIO()
    drawing.image(SIZE).save(stream, "PNG")
    return keep(stream.getvalue())


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())
