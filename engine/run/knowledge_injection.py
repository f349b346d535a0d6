"""Adds knowledge to what a generator is asked for: definitions, or reference pictures.

It makes no picture.

After T2I-FactualBench (Huang et al. 2024, section 5.1): text-knowledge and visual-knowledge
injection.
"""

from collections.abc import Mapping
from dataclasses import replace

from hallascope.data.concept_mentions import inject
from hallascope.data.concepts import FactualPrompt
from hallascope.data.models.specs import Knowledge, ModelSpec
from hallascope.data.requests import Failure, Generate

_NAMES: Mapping[Knowledge, str] = {
    "text": "definitions in the prompt",
    "visual": "reference pictures",
}
_UNKNOWN: Mapping[Knowledge, str] = {
    "text": (
        "No definition is known of what the prompt names: give one of your own (--concept,"
        " --definition)."
    ),
    "visual": (
        "No reference picture is known of what the prompt names: give one of your own (--concept,"
        " --reference)."
    ),
}


def inject_knowledge(
    plain: Generate, way: Knowledge | None, factual: FactualPrompt | None, spec: ModelSpec
) -> Generate | Failure:
    """The request with the knowledge of its concepts.

    A failure where the model cannot use it, or none is known.
    """
    if way is None:
        return plain
    if way not in spec.knowledge:
        return Failure(
            "cannot_draw", f"{spec.title} cannot use {_NAMES[way]}: {_instead(way)}", attempts=0
        )
    found = _texts(plain, factual) if way == "text" else _pictures(plain, factual)
    return found or Failure("cannot_draw", _UNKNOWN[way], attempts=0)


def _instead(way: Knowledge) -> str:
    if way == "text":
        return (
            "it reads no sentences beyond what it was made for; choose a model that reads any text,"
            " such as SDXL."
        )
    return (
        "choose a pipeline with an image-prompt adapter (`knowledge: [visual]` and `ip_adapter` in"
        " its entry)."
    )


def _texts(plain: Generate, factual: FactualPrompt | None) -> Generate | None:
    """With each definition behind the first mention; as the benchmark gives it, where it does."""
    if not factual:
        return None
    said = factual.injected or inject(plain.prompt, factual.concepts).prompt
    return replace(plain, prompt=said) if said != plain.prompt else None


def _pictures(plain: Generate, factual: FactualPrompt | None) -> Generate | None:
    shown = (
        tuple(concept.reference for concept in factual.concepts if concept.reference)
        if factual
        else ()
    )
    return replace(plain, references=shown) if shown else None
