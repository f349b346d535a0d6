"""Binds judges that answer through other models: juries, counters and readers of captions.

Such a judge has no weights and no calls of its own. What it is asked is asked of its members, each
with its own cache, price, limits and failures, and its reply is made of theirs.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from hallascope.backends.base import OnStep
from hallascope.data.models.juries import JURY
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Ask, Detected, Failure, Reply, Request, Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.roles import BoundModel, Delegation, MemberRequest
from hallascope.metrics.juries.members import (
    NOT_ASKED,
    NOT_SAID,
    caption_answer,
    caption_requests,
    counted_answer,
    counting_requests,
)
from hallascope.metrics.juries.replies import jury_reply
from hallascope.metrics.juries.votes import VOTE_RULES, VoteRule

COUNTER = "counter"
CAPTION_READER = "caption-reader"
# the role that the members of each backend must fill
MEMBER_ROLES: Mapping[str, Role] = {
    JURY: "judge",
    COUNTER: "detector",
    CAPTION_READER: "captioner",
}
# raise it with every change of how replies are made of those of the members
VERSION = 3
# (rule, members): the accuracy of each member that is known, in [0, 1]
FindAccuracies = Callable[[VoteRule, Sequence[str]], Mapping[str, float]]


def no_accuracies(rule: VoteRule, members: Sequence[str]) -> Mapping[str, float]:
    """Return nothing: no member was tried."""
    return {}


def members_of(spec: ModelSpec) -> tuple[str, ...]:
    """Return the names of the members of a judge, each once; () of a model that is called itself.

    What they are to fill there is `MEMBER_ROLES` of its backend.
    Raises BadRequest where the entry cannot be used.
    """
    role = MEMBER_ROLES.get(spec.backend)
    if role is None:
        if spec.members:
            known = ", ".join(MEMBER_ROLES)
            raise BadRequest(
                f"{spec.id!r} has members, and its backend is {spec.backend!r}: choose one of"
                f" {known}, or leave `members` out."
            )
        return ()
    if spec.backend == JURY:
        _vote_rule(spec)
        if len(set(spec.members)) < 2:
            raise BadRequest(f"The jury {spec.id!r} has fewer than two judges: name more of them.")
    elif len(spec.members) != 1:
        raise BadRequest(f"{spec.id!r} needs exactly one {role} under `members`.")
    return tuple(dict.fromkeys(spec.members))


def bind_members(
    spec: ModelSpec, bind: Callable[[str], BoundModel], accuracies: FindAccuracies = no_accuracies
) -> BoundModel:
    """Return the judge bound to its members. Raises BadRequest where the entry cannot be used.

    Its revision depends on those of its members, and on what their votes count.
    """
    names = members_of(spec)
    members = {name: bind(name) for name in names}
    parts: list[object] = [VERSION, spec.backend]
    parts += [[name, model.revision, dict(model.settings)] for name, model in members.items()]
    if spec.backend == JURY:
        rule = _vote_rule(spec)
        # by majority they break ties
        known = accuracies("weighted" if rule == "majority" else rule, names)
        known = {name: round(value, 4) for name, value in known.items()}
        parts += [rule, known]
        delegation = _jury(members, rule, known)
    elif spec.backend == COUNTER:
        delegation = Delegation(
            split=partial(_split_counting, members[names[0]]), combine=_combine_counting
        )
    else:
        delegation = Delegation(
            split=partial(_split_caption, members[names[0]]), combine=_combine_caption
        )
    text = json.dumps(parts, sort_keys=True)
    return BoundModel(
        model=spec.id,
        revision=hashlib.sha256(text.encode()).hexdigest()[:16],
        call=partial(_refuse_call, spec.id),
        settings=spec.settings,
        delegation=delegation,
    )


def _vote_rule(spec: ModelSpec) -> VoteRule:
    rule = spec.settings.get("vote", "majority")
    if rule not in VOTE_RULES:
        raise BadRequest(
            f"The jury {spec.id!r} votes by {rule!r}: choose one of {', '.join(VOTE_RULES)}."
        )
    return rule


def _jury(
    members: Mapping[str, BoundModel], rule: VoteRule, accuracies: Mapping[str, float]
) -> Delegation:
    def split(request: Request) -> list[MemberRequest]:
        return [MemberRequest(model, request) for model in members.values()]

    def combine(request: Request, replies: Sequence[Reply]) -> Reply:
        if not isinstance(request, Ask):
            return _no_question(request)
        return jury_reply(request, list(members), replies, rule, accuracies)

    return Delegation(split, combine)


def _split_counting(detector: BoundModel, request: Request) -> list[MemberRequest]:
    requests = counting_requests(request) if isinstance(request, Ask) else []
    return [MemberRequest(detector, own) for own in requests]


def _combine_counting(request: Request, replies: Sequence[Reply]) -> Reply:
    if not isinstance(request, Ask):
        return _no_question(request)
    match list(replies):
        case [Detected() as detected]:
            return counted_answer(request, detected)
        case [Failure() as failure]:
            return failure
    return Failure("refused", NOT_ASKED)


def _split_caption(captioner: BoundModel, request: Request) -> list[MemberRequest]:
    requests = caption_requests(request) if isinstance(request, Ask) else []
    return [MemberRequest(captioner, own) for own in requests]


def _combine_caption(request: Request, replies: Sequence[Reply]) -> Reply:
    if not isinstance(request, Ask):
        return _no_question(request)
    match list(replies):
        case [Answer() as caption]:
            return caption_answer(request, caption)
        case [Failure() as failure]:
            return failure
    return Failure("refused", NOT_SAID)


def _no_question(request: Request) -> Failure:
    return Failure("broken", f"This model is a judge and cannot answer a {type(request).__name__}.")


def _refuse_call(name: str, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
    message = f"{name} answers through its members and is not called itself: report this."
    return [Failure("broken", message)] * len(requests)
