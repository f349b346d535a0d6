"""Whatever the models of a plan say, it comes to its end: any text, any length, control characters,
halves of surrogate pairs.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.data import masks
from hallascope.data.concepts import FactualPrompt
from hallascope.data.records import Question, Report
from hallascope.data.regions import Box, Detection, TextLine
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    Match,
    Matched,
    Reply,
    Request,
    Role,
    Segment,
    Segmented,
    TextRead,
    Usage,
    Write,
)
from hallascope.data.requests import ReadText as Read
from hallascope.metrics.base import Case
from hallascope.metrics.haloquest import plan as haloquest
from hallascope.metrics.ihalla import agents
from hallascope.metrics.ihalla.reasoning import LabeledPicture
from hallascope.metrics.reading import parser
from hallascope.metrics.replies.limits import LONGEST, SHOWN, WITH_THOUGHTS, limit_length
from tests.metrics.test_failed_models import CONCEPTS, HALO
from tests.support.scripted_vision import PICTURE

PROMPT = 'a red dog to the left of two cats without a hat and a sign that says "open"'
CASES: dict[str, Case] = {
    "plain": Case(
        prompt=PROMPT,
        image=PICTURE,
        questions=(
            Question(
                text="How many?",
                choices=("Two", "One", "None of the above"),
                gold="A",
                coi="counting",
            ),
        ),
    ),
    "written": Case(
        prompt=PROMPT, image=PICTURE, roles=frozenset({"writer", "reader", "segmenter"})
    ),
    "factual": Case(
        prompt="a beagle dog beside a red kite",
        image=PICTURE,
        factual=FactualPrompt(
            prompt="a beagle dog beside a red kite", concepts=CONCEPTS, task="size"
        ),
    ),
    "ranked": Case(
        prompt="an image of a beagle dog",
        image=PICTURE,
        reference=PICTURE,
        judge_ranks_choices=True,
        roles=frozenset({"detector"}),
    ),
}
BOXES = (Box(0.1, 0.1, 0.3, 0.3), Box(0.5, 0.5, 0.9, 0.9))
HUGE = 1_200_000  # more than the parser takes at all


def plans() -> Iterator[tuple[str, Callable[[], Any], Callable[[Request, Reply], bool]]]:
    """Every plan of every metric and of the makers of questions and prompts, by name, and what it
    says can be read.
    """
    for name in metrics.METRICS:
        metric = metrics.get(name)
        for how, case in CASES.items():
            yield f"{name} {how}", partial(metric.plan, case), metric.readable
    halo = haloquest.metric()
    everyone: tuple[frozenset[Role], ...] = (frozenset({"writer"}), frozenset())
    for roles in everyone:
        case = Case(prompt="", image=PICTURE, haloquest=HALO, roles=roles)
        yield f"haloquest by {sorted(roles)}", partial(halo.plan, case), halo.readable
    seen = [LabeledPicture(PICTURE, True)]
    yield "reasoning", partial(agents.reason, PROMPT, seen), agents.readable
    asking = partial(agents.ask_questions, PROMPT, "It is red.")
    yield "questions", asking, agents.readable


PLANS = {name: (start, readable) for name, start, readable in plans()}
ANY = st.text(st.characters(exclude_categories=()), max_size=200)
HOSTILE = (
    *("\0", "\ud83d", "\udc36 \ud83d", "\x1b[2J\x07\x7f\u202e", "<think>", "</think>", "_x0000_"),
    *('{"score": 1e999}', '{"score": NaN}', '{"rating": ' + "9" * 5000 + "}", "{" * 5000),
    *("Total Rating: ²", '{"concepts": [[]], "done": [1]}', '{"rating": {}, "phrases": [[[]]]}'),
)
LENGTHY = (
    *("[" * 5000, '{"answer":' * 3000, "\n" * 15_000 + "x", "*" * 15_000, "(" * 3000),
    *("About a" + " " * 15_000 + "b", "_x005F_" * 2000, "ﷺ" * 5000, "a dog " * 10_000),
    *("About " * 2000, "Q: a\n" * 2000, "Response: " * 2000),
    *("a" * HUGE, "a dog and " * (HUGE // 10), "B " * HUGE),
)


def answered(plan: Any, texts: Iterator[str], readable: Callable[[Request, Reply], bool]) -> Any:
    """The result of a plan whose models say these texts.

    Every reply is also looked at as the driver does, bounded.
    """
    try:
        step = next(plan)
        while True:
            replies = [reply(request, texts) for request in step]
            for request, said in zip(step, replies, strict=True):
                taken = limit_length(said, request.role, "model")
                assert isinstance(taken, Failure) or isinstance(readable(request, taken), bool)
            step = plan.send(replies)
    except StopIteration as done:
        return done.value


def reply(request: Request, texts: Iterator[str]) -> Reply:
    match request:
        case Ask(choices=choices):
            return Answer(
                next(texts), tuple(1 / len(choices) for _ in choices) if choices else None
            )
        case Describe() | Write():
            return Answer(next(texts))
        case Detect(phrases=phrases):
            return Detected(
                tuple(
                    Detection(phrase, box, 0.9) for phrase, box in zip(phrases, BOXES, strict=False)
                )
            )
        case Segment(boxes=boxes):
            return Segmented(tuple(masks.encode(masks.box_pixels(box, 20, 20)) for box in boxes))
        case Embed():
            return Embedded((1.0, 0.0))
        case Match():
            return Matched(0.5)
        case Read():
            return TextRead(
                (TextLine(next(texts), BOXES[0], 0.9), TextLine(next(texts), BOXES[1], 0.9))
            )
        case _:
            raise AssertionError(f"nobody should ask {request!r}")


def scores_hold(name: str, found: Any) -> None:
    """Every score of a report counts what is there, in its bounds; nothing answered is None."""
    if not isinstance(found, Report):
        return
    for score in found.scores.values():
        assert (score.value is None) == (score.counted == 0), name
    metric = name.split()[0]
    if metric in metrics.METRICS and found.score.value is not None:
        low, high = metrics.get(metric).score("score").bounds
        assert low <= found.score.value <= high, name


@pytest.mark.parametrize(
    "text",
    [*HOSTILE, *(pytest.param(text, marks=pytest.mark.full) for text in LENGTHY)],
    ids=lambda text: f"{text[:12]!r} of {len(text)}",
)
def test_hostile_and_huge_replies_raise_through_no_plan(text: str) -> None:
    for name, (start, readable) in PLANS.items():
        scores_hold(name, answered(start(), cycle([text]), readable))


# --- what is over its limit


@pytest.mark.parametrize("role", ["judge", "captioner", "writer"])
@given(st.integers(1, 5000))
def test_a_reply_over_the_limit_of_its_role_is_a_failure_that_shows_how_it_begins(
    role: str, more: int
) -> None:
    start = "A dog on a sofa "
    text = start + "x" * (LONGEST[role] + more - len(start))
    assert limit_length(Answer(text[:-more]), role, "model") == Answer(text[:-more])
    said = limit_length(Answer(text, usage=Usage(1, 2)), role, f"{role} m/model")
    assert isinstance(said, Failure)
    assert said.kind == "broken"
    assert said.usage == Usage(1, 2)
    for part in (f"{role} m/model", f"{len(text):,}", f"{LONGEST[role]:,}", start):
        assert part in said.message
    assert len(said.message) < 2 * SHOWN


def test_what_a_model_thinks_aloud_does_not_count_but_has_a_limit_of_its_own() -> None:
    thought = f"<think>{'hm ' * LONGEST['captioner']}</think>A dog."
    assert limit_length(Answer(thought), "captioner", "model") == Answer(thought)
    assert isinstance(
        limit_length(Answer(f"<think>{'x' * WITH_THOUGHTS}</think>A dog."), "captioner", "model"),
        Failure,
    )


def test_what_was_read_in_a_picture_is_bounded_in_all() -> None:
    lines = tuple(TextLine("x" * 100, BOXES[0], 0.9) for _ in range(LONGEST["reader"] // 100 + 1))
    assert isinstance(limit_length(TextRead(lines), "reader", "reader"), Failure)
    assert limit_length(TextRead(lines[:-1]), "reader", "reader") == TextRead(lines[:-1])


@given(ANY)
def test_characters_that_no_store_keeps_are_replaced_and_all_others_stay(text: str) -> None:
    said = limit_length(Answer(text), "judge", "judge")
    assert isinstance(said, Answer)
    assert len(said.text) == len(text)
    said.text.encode("utf-8")
    assert all(
        new == ("\ufffd" if old == "\0" or "\ud800" <= old <= "\udfff" else old)
        for old, new in zip(text, said.text, strict=True)
    )


def test_the_parser_refuses_a_text_that_would_take_it_minutes() -> None:
    with pytest.raises(parser.TextTooLong, match=f"at most {parser.LONGEST:,}"):
        parser.parse("a dog " * parser.LONGEST)


@pytest.mark.parametrize("text", ["\ud800", "\0", '{"answer": "\\ud800"}', "A\0B"])
def test_no_reply_raises_through_a_plan(text: str) -> None:
    for name, (start, readable) in PLANS.items():
        scores_hold(name, answered(start(), cycle([text]), readable))
