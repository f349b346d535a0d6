"""The promises about the embedded models: the judge sees what is drawn, and the score falls as more facts are violated."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import fmean

import pytest

from backends import registry
from backends.draughtsman import Draughtsman
from backends.transformers_ import VisualQuestionAnswering
from data.models import read_models
from data.primer import scenes
from data.records import COIS, Picture, Report
from data.requests import Generate, Generated
from engine.trials.judges import try_on_primer
from metrics import ihalla, tifa
from metrics.base import Case, Plan, run

MODELS = ("primer/exact", "primer/careful", "primer/hasty", "primer/careless")


@pytest.fixture(scope="module")
def judge() -> VisualQuestionAnswering:
    loaded = registry.load(read_models()["primer/judge"])
    assert isinstance(loaded, VisualQuestionAnswering)
    return loaded


def _report(
    model: Draughtsman, prompt: str, judge: VisualQuestionAnswering, folder: Path, plan: Callable[[Case], Plan] = ihalla.plan
) -> Report:
    (made,) = model.generate([Generate(prompt, 0)])
    assert isinstance(made, Generated)
    path = folder / "picture.png"
    path.write_bytes(made.png)
    case = Case(prompt, Picture(sha256(made.png).hexdigest(), path), scenes.parse(prompt).questions().questions)
    asked = next(plan(case))
    return run(plan(case), [list(judge.ask(asked))])  # type: ignore[arg-type]


def _score(model: Draughtsman, prompt: str, judge: VisualQuestionAnswering, folder: Path) -> float:
    report = _report(model, prompt, judge, folder)
    assert report.score.counted == len(report.verdicts)
    assert report.score.value is not None
    return report.score.value


def test_over_200_prompts_the_score_falls_from_exact_to_careless(judge: VisualQuestionAnswering, tmp_path: Path) -> None:
    models = [registry.load(read_models()[name]) for name in MODELS]
    means = [fmean(_score(m, prompt, judge, tmp_path) for prompt in scenes.benchmark(200)) for m in models if isinstance(m, Draughtsman)]
    assert means == sorted(means, reverse=True)
    assert len(set(means)) == len(MODELS)
    assert means[0] >= 0.9


def test_questions_from_the_prompt_alone_miss_most_of_what_external_knowledge_finds(judge: VisualQuestionAnswering, tmp_path: Path) -> None:
    """The same pictures and the same judge (paper, appendix D): TIFA-style stays high where I-HallA falls."""
    prompts = scenes.benchmark(200)[::5]
    exact, careless = (registry.load(read_models()[name]) for name in ("primer/exact", "primer/careless"))
    assert isinstance(exact, Draughtsman)
    assert isinstance(careless, Draughtsman)
    by_plan = {
        plan: [[_report(model, prompt, judge, tmp_path, plan) for prompt in prompts] for model in (exact, careless)]
        for plan in (ihalla.plan, tifa.plan)
    }
    right, wrong = ({plan: fmean(r.score.value or 0 for r in pair[i]) for plan, pair in by_plan.items()} for i in range(2))
    assert right[ihalla.plan] - wrong[ihalla.plan] > 2 * (right[tifa.plan] - wrong[tifa.plan]) > 0
    told = [report.score for pair in by_plan[tifa.plan] for report in pair]
    assert sum(score.counted for score in told) > 20 * sum(score.left_out for score in told)  # it knows when it cannot tell


def test_the_judge_is_right_on_held_out_drawings_in_every_composition_of_interest(judge: VisualQuestionAnswering) -> None:
    trial = try_on_primer(judge, 400)
    assert trial.unanswered == 0
    assert (trial.overall.value or 0) >= 0.9
    assert set(trial.by_coi) == set(COIS)
    assert f"right on {100 * (trial.overall.value or 0):.0f} % of" in read_models()["primer/judge"].note, "the page names another figure"
    assert {coi: share.value for coi, share in trial.by_coi.items() if (share.value or 0) < 0.8} == {}
