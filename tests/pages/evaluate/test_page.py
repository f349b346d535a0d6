"""The prompts that the page offers first: the judge that ships is right about every picture that a
newcomer gets of them.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bench import tour
from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import NONE_OF_THE_ABOVE, Picture, Verdict
from hallascope.data.requests import Generate, Generated
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan
from hallascope.pages.evaluate.page import EXAMPLES, GENERATORS, SEED
from hallascope.pages.shared.evidence.metric_models import JUDGE
from hallascope.primer import scenes
from tests.conftest import ROOT

Drawn = tuple[str, str, int]  # prompt, model, seed
# Of the models that are chosen at the start, those that say what they drew.
DRAWN_BY = ("primer/exact", "primer/hasty")
SEEDS = range(SEED, SEED + 5)
OFFERED: tuple[Drawn, ...] = tuple(
    (prompt, model, seed) for prompt in EXAMPLES for model in DRAWN_BY for seed in SEEDS
)
SHOWN: tuple[Drawn, ...] = tuple(
    (prompt, model, tour.SEED) for prompt in (tour.FIRST, tour.SHAPES) for model in tour.MODELS
)


class Looked(NamedTuple):
    """A verdict of the judge, and what the drawing leads to, in the words of the choices."""

    verdict: Verdict
    truth: str

    @property
    def said(self) -> str | None:
        answer = self.verdict.answer
        return self.verdict.question.choice(answer) if answer else None

    @property
    def gold(self) -> str:
        return self.verdict.question.choice(self.verdict.question.gold)


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Drawn], tuple[Looked, ...]]:
    """What the judge that ships says of an image, beside what was drawn."""
    folder = tmp_path_factory.mktemp("suggested")
    models = read_models()
    judge = registry.load(models[JUDGE])
    return cache(lambda drawn: tuple(look(judge, models, drawn, folder)))


def look(judge: Any, models: Mapping[str, Any], drawn: Drawn, folder: Path) -> Iterator[Looked]:
    prompt, model, seed = drawn
    generator: Any = registry.load(models[model])
    (made,) = generator.generate([Generate(prompt, seed)])
    assert isinstance(made, Generated)
    assert made.truth
    path = folder / f"{sha256(made.png).hexdigest()}.png"
    path.write_bytes(made.png)
    scene = scenes.parse(prompt)
    case = Case(
        prompt=prompt, image=Picture(path.stem, path), questions=scene.questions().questions
    )
    report = run(plan.plan(case), [judge.ask(next(plan.plan(case)))])
    for fact, verdict in zip(scene.facts, report.verdicts, strict=False):
        right = scenes.right_answer(fact, made.truth["values"])  # type: ignore[arg-type]
        yield Looked(verdict, right if right in verdict.question.choices else NONE_OF_THE_ABOVE)


def assert_what_was_drawn(looked: Any, several: tuple[Drawn, ...]) -> None:
    verdicts = [(drawn, one) for drawn in several for one in looked(drawn)]
    assert len(verdicts) == 5 * len(several)
    false = [
        (drawn, one.verdict.question.text, one.said, one.truth)
        for drawn, one in verdicts
        if one.said != one.truth
    ]
    assert false == [], "the judge says something else than what was drawn"


@pytest.mark.full
def test_every_verdict_on_what_is_offered_is_what_was_drawn(looked: Any) -> None:
    assert_what_was_drawn(looked, tuple(drawn for drawn in OFFERED if drawn[2] == SEED))


@pytest.mark.full
def test_every_verdict_at_other_seeds_and_in_the_docs_is_what_was_drawn(looked: Any) -> None:
    assert_what_was_drawn(looked, (*OFFERED, *SHOWN))


def test_every_prompt_shows_a_factual_picture_and_finds_what_is_wrong_in_others(
    looked: Any,
) -> None:
    assert {*DRAWN_BY} < {*GENERATORS.models}
    for prompt in EXAMPLES:
        factual, other = (
            [one.verdict.state for one in looked((prompt, model, SEED))] for model in DRAWN_BY
        )
        assert factual == ["correct"] * 5
        assert "incorrect" in other


def test_the_walk_of_a_newcomer_says_what_the_judge_finds(looked: Any) -> None:
    """The numbers and answers of docs/penguin.md, which begins with the first prompt that is
    offered.
    """
    walk = (ROOT / "docs" / "penguin.md").read_text(encoding="utf-8")
    assert f"**{EXAMPLES[0]}**" in walk
    wrong = {
        model: sum(
            one.verdict.state != "correct" for one in looked((EXAMPLES[0], f"primer/{model}", SEED))
        )
        for model in ("exact", "careful", "hasty")
    }
    most = max(wrong.values())
    worst = [model for model in wrong if wrong[model] == most]
    assert f"*Most errors: {', '.join(f'{model} ({most} of 5 wrong)' for model in worst)}.*" in walk
    seen = looked((EXAMPLES[0], f"primer/{worst[0]}", SEED))
    assert f"*{worst[0]}* is chosen already" in walk
    assert f"{1 - most / 5:.2f}" in walk
    legs = next(one for one in seen if "legs" in one.verdict.question.text)
    assert legs.said
    assert f"*{legs.verdict.question.text}*" in walk
    assert f"*{legs.gold}*" in walk
    assert f"*{legs.said}*" in walk
