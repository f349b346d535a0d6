"""The promises about the embedded models: the judge sees what is drawn, and the score falls as more
facts are violated.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.data.models.specs import read_models
from hallascope.data.records import COIS, Picture, Report
from hallascope.data.requests import Answer, Ask, Generate, Generated
from hallascope.engine.trials.accuracies import read_shipped_trials
from hallascope.metrics.base import Case, Plan, run
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.tifa import plan as tifa
from hallascope.primer import scenes
from tests.support.scripted_judges import try_on_primer

ASK_TIFA = tifa.metric().plan
MODELS = ("primer/exact", "primer/careful", "primer/hasty", "primer/careless")
Judged = Callable[..., Report]
EVERY = pytest.mark.parametrize("every", [25, pytest.param(5, marks=pytest.mark.full)])


@pytest.fixture(scope="module")
def judge() -> VisualQuestionAnswering:
    loaded = registry.load(read_models()["primer/judge"])
    assert isinstance(loaded, VisualQuestionAnswering)
    return loaded


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Picture]:
    """The picture that a model makes of a prompt; every one is drawn once."""
    folder: Path = tmp_path_factory.mktemp("pictures")
    models: dict[str, Any] = {name: registry.load(read_models()[name]) for name in MODELS}

    @cache
    def paint(model: str, prompt: str) -> Picture:
        (made,) = models[model].generate([Generate(prompt, 0)])
        assert isinstance(made, Generated)
        name = sha256(made.png).hexdigest()
        (folder / f"{name}.png").write_bytes(made.png)
        return Picture(name, folder / f"{name}.png")

    return paint


@pytest.fixture(scope="module")
def judged(judge: VisualQuestionAnswering, painted: Callable[[str, str], Picture]) -> Judged:
    """What a plan says of a model's picture of a prompt.

    As in a run, the same picture is judged once, whoever drew it.
    """

    @cache
    def look(plan: Callable[[Case], Plan], prompt: str, picture: Picture) -> Report:
        case = Case(
            prompt=prompt,
            image=picture,
            questions=scenes.parse(prompt).questions().questions,
            accept_readings=True,
        )
        asked = next(plan(case))
        return run(plan(case), [list(judge.ask(asked))])  # type: ignore[arg-type]

    return lambda model, prompt, plan=ihalla.plan: look(plan, prompt, painted(model, prompt))


def _score(report: Report) -> float:
    assert report.score.counted == len(report.verdicts)
    assert report.score.value is not None
    return report.score.value


@EVERY
def test_the_score_falls_from_exact_to_careless(judged: Judged, every: int) -> None:
    prompts = scenes.benchmark(200)[::every]
    means = [fmean(_score(judged(model, prompt)) for prompt in prompts) for model in MODELS]
    assert means == sorted(means, reverse=True)
    assert len(set(means)) == len(MODELS)
    assert means[0] >= 0.9


@EVERY
def test_questions_from_the_prompt_alone_miss_most_of_what_external_knowledge_finds(
    judged: Judged, every: int
) -> None:
    """The same pictures and the same judge (paper, appendix D): TIFA-style stays high where I-HallA
    falls.
    """
    prompts = scenes.benchmark(200)[::every]
    by_plan = {
        plan: [
            [judged(model, prompt, plan) for prompt in prompts]
            for model in ("primer/exact", "primer/careless")
        ]
        for plan in (ihalla.plan, ASK_TIFA)
    }
    right, wrong = (
        {plan: fmean(r.score.value or 0 for r in pair[i]) for plan, pair in by_plan.items()}
        for i in range(2)
    )
    assert right[ihalla.plan] - wrong[ihalla.plan] > 2 * (right[ASK_TIFA] - wrong[ASK_TIFA]) > 0
    scores = {
        plan: [report.score for pair in pairs for report in pair] for plan, pairs in by_plan.items()
    }
    # The judge answers all that it was trained for, and says so where it cannot tell what else
    # TIFA asks.
    assert sum(score.left_out for score in scores[ihalla.plan]) == 0
    told = scores[ASK_TIFA]
    assert sum(score.counted for score in told) > 10 * sum(score.left_out for score in told)


def test_a_name_with_a_hyphen_is_said_as_it_is_written(
    judge: VisualQuestionAnswering, painted: Callable[[str, str], Picture]
) -> None:
    shown = painted("primer/exact", "a comb-pattern pot")
    question = "What is shown in the image?"
    (said,) = judge.ask([Ask(images=(shown,), text=question, question=question)])
    assert isinstance(said, Answer)
    assert said.text.startswith("Comb-pattern pot")


@pytest.mark.full
def test_the_judge_is_right_on_held_out_drawings_in_every_composition_of_interest(
    judge: VisualQuestionAnswering,
) -> None:
    trial = try_on_primer(judge, 200)
    assert trial.unanswered == 0
    assert (trial.overall.value or 0) >= 0.9
    assert set(trial.by_coi) == set(COIS)
    assert {
        coi: share.value for coi, share in trial.by_coi.items() if (share.value or 0) < 0.8
    } == {}


def test_the_page_names_the_figure_of_the_trial_that_ships() -> None:
    shipped = read_shipped_trials()
    assert shipped is not None
    assert shipped.revision == registry.revision(read_models()[shipped.judge])
    share = shipped.primer.overall.value or 0
    assert f"{100 * share:.0f} % accurate on Primer drawings" in read_models()[shipped.judge].note
