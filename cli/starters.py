"""Chooses the models that a command does not name, from the services whose keys are set."""

import os
from dataclasses import replace

from hallascope.backends.keys import ApiKeys
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.models.key_check import KeyCheck, StarterModel
from hallascope.engine.money.spending import starters_sentence
from hallascope.engine.services import Services


def with_starters(
    services: Services, request: EvaluateRequest, keys: ApiKeys, names_judge: bool
) -> tuple[EvaluateRequest, str]:
    """Return the request with a model in each role that nobody named, and sentences that say which.

    `names_judge`: somebody named a judge, or none.

    Raises BadRequest where no key is set, or no service lists a model that is missing.
    """
    names = [name for name in services.registry.key_names() if os.environ.get(name, "").strip()]
    if not names:
        raise BadRequest(
            "No key is set: put one into the environment, e.g. `export OPENAI_API_KEY=...`, or"
            " leave out --key-from-env."
        )
    checks = [services.registry.check_key(name, keys) for name in names]
    starters: dict[Role, StarterModel] = {}
    for check in checks:
        starters = {**check.starters, **starters}  # the first service goes before the others
    if not request.models and not request.images:
        request = replace(request, models=(_starter(starters, "generator", checks).id,))
    if not names_judge:
        request = replace(request, judge=_starter(starters, "judge", checks).id)
    if not request.writer and "writer" in starters:
        writing = replace(request, writer=starters["writer"].id)
        request = writing if services.lacks_questions(writing) else request
    words = [text for check in checks for text in (check.sentence, starters_sentence(check))]
    return request, " ".join(filter(None, words))


def _starter(
    starters: dict[Role, StarterModel], role: Role, checks: list[KeyCheck]
) -> StarterModel:
    if role in starters:
        return starters[role]
    said = " ".join(check.sentence for check in checks)
    option = "--model" if role == "generator" else "--judge"
    raise BadRequest(f"{said} No service with a key lists a {role}: name one ({option} NAME).")
