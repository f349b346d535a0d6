"""Checks a request before anything is done; each fault is one sentence."""

from dataclasses import replace
from unicodedata import normalize

from hallascope.data.files.object_attributes import MOST_ATTRIBUTES, require_object_attribute
from hallascope.data.files.tables import BadTable
from hallascope.data.models.specs import KNOWLEDGE
from hallascope.engine.errors import BadRequest, require_count
from hallascope.engine.events import EvaluateRequest

# they join emoji, and letters of Persian and of Indian scripts
JOINERS = "\u200c\u200d"
MAX_PROMPT = 4000
MAX_COUNT = 64
MAX_TRIALS = 32


def plain_prompt(prompt: str) -> str:
    """Return the prompt with single spaces and composed characters (NFC), as it is stored."""
    return normalize("NFC", " ".join(prompt.split()))


def checked_prompt(prompt: str) -> str:
    """Return the prompt as `plain_prompt`. Raises BadRequest with one sentence."""
    prompt = plain_prompt(prompt)
    if not prompt.strip(JOINERS):
        raise BadRequest(
            "The prompt is empty: type what the image should show, e.g. “a gentoo penguin”."
        )
    if len(prompt) > MAX_PROMPT:
        raise BadRequest(
            f"The prompt has {len(prompt):,} characters; at most {MAX_PROMPT:,} are taken:"
            " shorten it."
        )
    if not all(sign.isprintable() or sign in JOINERS for sign in prompt):
        raise BadRequest("The prompt has characters that cannot be shown: type it again.")
    return prompt


def validate_request(request: EvaluateRequest) -> EvaluateRequest:
    """Return the request in its plain form. Raises BadRequest with one sentence."""
    prompt = checked_prompt(request.prompt)
    if not request.models and not request.images:
        raise BadRequest(
            "No model is chosen and no image given: choose at least one model, or upload an image."
        )
    if request.origins and len(request.origins) != len(request.images):
        raise BadRequest(
            f"There are {len(request.images)} images and {len(request.origins)} origins: give one"
            " origin for each image."
        )
    require_count("images per model", request.count, MAX_COUNT)
    require_count("judge repetitions", request.trials, MAX_TRIALS)
    if not 0 <= request.seed < 2**31:
        raise BadRequest(
            f"The seed is {request.seed!r}: give a whole number from 0 to {2**31 - 1}."
        )
    if unknown := [injection for injection in request.inject if injection not in KNOWLEDGE]:
        raise BadRequest(
            f"There is no knowledge {unknown[0]!r} to inject: choose {' or '.join(KNOWLEDGE)}."
        )
    _check_fig_attributes(request)
    if request.reading and " ".join(request.reading.prompt.split()) != prompt:
        raise BadRequest(
            f"The reading is of the prompt {request.reading.prompt!r} and not of {prompt!r}: give"
            " the reading of this prompt."
        )
    reading = request.reading
    if reading and reading.source == "rules":
        # What the rules read is not given with a request: a person wrote it.
        reading = replace(reading, source="person")
    return replace(
        request,
        prompt=prompt,
        models=tuple(dict.fromkeys(request.models)),
        metrics=tuple(dict.fromkeys(request.metrics)),
        inject=tuple(dict.fromkeys(request.inject)),
        reading=reading,
    )


def _check_fig_attributes(request: EvaluateRequest) -> None:
    if len(request.fig_attributes) > MOST_ATTRIBUTES:
        raise BadRequest(
            f"There are {len(request.fig_attributes)} attributes of objects and at most"
            f" {MOST_ATTRIBUTES} are taken: leave out those that no prompt needs."
        )
    for item in request.fig_attributes:
        try:
            require_object_attribute(item)
        except BadTable as problem:
            raise BadRequest(f"An attribute for FiG cannot be used: {problem}") from problem
