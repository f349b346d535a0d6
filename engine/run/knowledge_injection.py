"""Adds knowledge to what a generator is asked for: definitions, or reference pictures.

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
