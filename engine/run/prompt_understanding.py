"""Reads prompts in other words for the models that draw the Primer world alone.

A request is changed only where no other model draws: what Primer has no word for is then neither
drawn, asked nor claimed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure, Generate
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run.primer_prompts import understand_prompt
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from hallascope.primer.scenes import MAX_PROMPT

FindSpec = Callable[[str], ModelSpec]


class UnderstoodRequest(NamedTuple):
    """Holds a request with the prompt that is drawn, and one sentence where it is another."""

    request: EvaluateRequest
    note: str = ""


def draws_primer_only(spec: ModelSpec) -> bool:
    """Return whether a model draws prompts of Primer's grammar and no others."""
    return spec.backend == "draughtsman" or spec.settings.get("vocabulary") == "primer"


def is_drawn(spec: ModelSpec, drawing: Generate | Failure) -> bool:
    """Return whether a model can be asked for a drawing, and has its prompt in its vocabulary."""
    if isinstance(drawing, Failure):
        return False
    return not draws_primer_only(spec) or _has_scene(drawing.prompt)


def understand_request(
    request: EvaluateRequest, find_spec: FindSpec, store: Store
) -> UnderstoodRequest:
    """Return the request with the prompt that Primer draws for it.

    It stays as it is where Primer draws the prompt itself or nothing for it, where another model
    draws too, and where a person has written questions, concepts or a reading for the prompt.
    """
    is_prepared = request.factual or request.concept or request.reading
    if not request.models or is_prepared or not _all_primer(request, find_spec):
        return UnderstoodRequest(request)
    understood = understand_prompt(request.prompt)
    if understood is None or understood.prompt == " ".join(request.prompt.split()):
        return UnderstoodRequest(request)
    if store.question_set(request.prompt):
        return UnderstoodRequest(request)
    prompt = understood.prompt
    note = f"Drawn as: {prompt[:1].upper()}{prompt[1:]}."
    return UnderstoodRequest(replace(request, prompt=prompt), note)


def cannot_be_drawn(request: EvaluateRequest, find_spec: FindSpec) -> bool:
    """Return whether nothing of a request can be drawn: Primer alone draws, and has no such prompt.

    An empty prompt and one that is too long are told where a request is checked.
    """
    prompt = request.prompt.strip()
    if not request.models or request.images or not prompt or len(prompt) > MAX_PROMPT:
        return False
    return _all_primer(request, find_spec) and not _has_scene(prompt)


def asks_primer(request: EvaluateRequest, find_spec: FindSpec) -> bool:
    """Return whether any model of a request draws Primer alone; a wrong name is told elsewhere."""
    try:
        return any(draws_primer_only(find_spec(name)) for name in request.models)
    except HallaScopeError:
        return False


def _all_primer(request: EvaluateRequest, find_spec: FindSpec) -> bool:
    """Return whether all models of a request draw Primer alone; a wrong name is told elsewhere."""
    try:
        return all(draws_primer_only(find_spec(name)) for name in request.models)
    except HallaScopeError:
        return False


def _has_scene(prompt: str) -> bool:
    try:
        scenes.parse(scenes.without_facts(prompt))
    except scenes.CannotDraw:
        return False
    return True
