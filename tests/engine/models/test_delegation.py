"""Judges that answer through others: who is asked, what may be a member, and when they change."""

from collections.abc import Mapping
from pathlib import Path

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Describe, Detect, Failure, Reply
from hallascope.engine.models.delegation import bind_members
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.models.roles import leaf_requests
from tests.support.scripted import Scripted

CHOICES = ("Two", "Three", "One", "Five", "None of the above")
ASK = Ask(
    images=(Picture("ab" * 32, Path("x")),),
    text="?",
    question="How many ladybugs are in the image?",
    choices=CHOICES,
)


def _model(name: str, *roles: str, members: tuple[str, ...] = (), **fields: object) -> ModelSpec:
    return ModelSpec(
        id=name,
        title=name,
        roles=roles or ("judge",),  # type: ignore[arg-type]
        members=members,
        **{"backend": "scripted", **fields},  # type: ignore[arg-type]
    )


def _registry(*extra: ModelSpec, accuracies: Mapping[str, float] | None = None) -> ModelRegistry:
    plain = (_model("a"), _model("b"), _model("d", "detector"), _model("c", "captioner"))
    specs = [
        _model("counter", backend="counter", members=("d",)),
        _model("reader", backend="caption-reader", members=("c",)),
        _model("jury", backend="jury", members=("a", "counter", "reader")),
        *extra,
    ]
    return ModelRegistry(
        {spec.id: spec for spec in specs},
        {spec.id: Scripted(spec) for spec in plain},
        lambda rule, members: {n: v for n, v in (accuracies or {}).items() if n in members},
    )


def test_a_jury_asks_each_member_in_its_own_way() -> None:
    registry = _registry()
    leaves = leaf_requests(registry.bind("jury"), ASK)
    assert [(leaf.model.model, type(leaf.request)) for leaf in leaves] == [
        ("a", Ask),
        ("d", Detect),
        ("c", Describe),
    ]
    assert registry.with_members("jury")[0].id == "jury"
    assert {spec.id for spec in registry.with_members("jury")} == {
        *("jury", "a", "counter", "reader", "d", "c")
    }


def test_a_judge_that_cannot_answer_asks_nobody_and_abstains() -> None:
    bound = _registry().bind("counter")
    assert bound.delegation is not None
    other = Ask(images=ASK.images, text="?", question="Where is it?", choices=CHOICES)
    assert leaf_requests(bound, other) == []
    reply: Reply = bound.delegation.combine(other, ())
    assert isinstance(reply, Failure)
    assert reply.kind == "refused"
    outage = Failure("timeout", "It did not answer.")
    for name in ("counter", "reader"):
        delegation = _registry().bind(name).delegation
        assert delegation is not None
        assert delegation.combine(ASK, [outage]) == outage, "the failure of its helper is its own"


def test_the_revision_changes_with_members_and_with_what_their_votes_count() -> None:
    revisions = {
        _registry(accuracies=accuracies).bind("jury").revision
        for accuracies in (None, {"a": 0.9}, {"a": 0.8})
    }
    assert len(revisions) == 3
    assert _registry().bind("jury").revision == _registry().bind("jury").revision
    spec = _model("jury", backend="jury", members=("a", "b"), settings={"vote": "majority"})
    bind = _registry().bind
    assert bind_members(spec, bind).revision != bind("jury").revision


def test_a_jury_named_by_its_members_needs_no_entry() -> None:
    registry = _registry(accuracies={"a": 0.9, "b": 0.6})
    name = "jury/weighted/b+a"
    assert registry.require(name, "judge").members == ("a", "b")
    bound = registry.binder()(name)
    assert bound.model == "jury/weighted/a+b"
    assert bound.delegation is not None
    reply = bound.delegation.combine(ASK, [Answer("A"), Answer("B")])
    assert isinstance(reply, Answer)
    assert reply.text == "A) Two"


def test_an_entry_that_cannot_be_used_says_why() -> None:
    one = _model("one", backend="jury", members=("a", "two"))
    two = _model("two", backend="jury", members=("b", "one"))
    away = _model("away", needs=("env:HALLASCOPE_NO_SUCH_THING",))
    loudest = {"vote": "loudest"}
    cases: list[tuple[tuple[ModelSpec, ...], str]] = [
        ((_model("x", backend="jury", members=("a",)),), "fewer than two"),
        ((_model("x", backend="jury", members=("a", "d")),), "is no judge"),
        ((_model("x", backend="counter", members=("d", "d2")),), "exactly one detector"),
        ((_model("x", members=("a", "b")),), "choose one of jury"),
        ((_model("x", backend="jury", members=("a", "b"), settings=loudest),), "'loudest'"),
        ((one, two), "member of itself"),
        ((_model("x", backend="jury", members=("a", "away")), away), "HALLASCOPE_NO_SUCH_THING"),
    ]
    for specs, words in cases:
        reason = _registry(*specs).unavailable_reason(specs[0].id)
        assert words in (reason or ""), specs
