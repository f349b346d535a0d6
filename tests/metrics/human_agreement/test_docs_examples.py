"""The docs print the numbers that the examples of preferences, questions and ratings give."""

from pathlib import Path

import numpy as np

from hallascope.data.files.preferences import Preference, PreferenceChoice
from hallascope.data.files.question_answers import AskedQuestion, ItemQuestion
from hallascope.data.files.tables import TableRow
from hallascope.metrics.human_agreement.preferences import PreferenceStudy
from hallascope.metrics.human_agreement.question_answers import QuestionStudy
from hallascope.metrics.statistics.agreement import Study
from hallascope.metrics.statistics.correlation import NAMES
from hallascope.metrics.statistics.intervals import IntervalEstimate

DOCS = (Path(__file__).parents[3] / "docs" / "scores.md").read_text(encoding="utf-8")
ROW = TableRow("example.csv", 2, {})
# cube; is it red; ball; is it on the cube
PARENTS = {"1": (), "2": ("1",), "3": (), "4": ("1", "3")}


def preference_example() -> PreferenceStudy:
    """Return 60 prompts with an image by each of four models, and three raters for each pair.

    `vqa` is a share of ten questions, `reward` a number without ties.
    """
    chance = np.random.default_rng(23)
    scores: dict[str, dict[str, float]] = {"vqa": {}, "reward": {}}
    preferences = []
    for prompt in range(60):
        quality = chance.normal(size=4)
        for model in range(4):
            seen = quality[model] + 0.5 * chance.normal()
            scores["vqa"][f"{prompt}-{model}"] = round(float(np.clip(7 + 2 * seen, 0, 10))) / 10
            scores["reward"][f"{prompt}-{model}"] = quality[model] + 0.25 * chance.normal()
        for a in range(4):
            for b in range(a):
                for rater in ("ann", "bo", "cy"):
                    choice = _choose(quality[a] - quality[b] + 0.5 * chance.normal(), chance)
                    preferences.append(
                        Preference(
                            item_a=f"{prompt}-{a}",
                            item_b=f"{prompt}-{b}",
                            rater=rater,
                            choice=choice,
                            group=f"{prompt}",
                            row=ROW,
                        )
                    )
    return PreferenceStudy(scores, preferences)


def _choose(difference: float, chance: np.random.Generator) -> PreferenceChoice:
    if chance.random() < 0.02:
        return "unreadable"
    if abs(difference) < 0.4:
        return "tie"
    return "a" if difference > 0 else "b"


def question_example(dependencies: bool = True) -> QuestionStudy:
    """Return 50 prompts with an image by each of four models, and four questions about each.

    Three people answer as they see it. The metric says yes too easily where an object is missing:
    it finds a red cube where there is no cube.
    """
    chance = np.random.default_rng(24)
    people: dict[str, dict[ItemQuestion, str]] = {name: {} for name in ("ann", "bo", "cy")}
    metric: dict[ItemQuestion, str] = {}
    groups = {}
    questions = {}
    for prompt in range(50):
        ease = chance.normal()
        for model in range(4):
            item = f"{prompt}-{model}"
            groups[item] = str(prompt)
            holds: dict[str, bool] = {}
            for name, parents in PARENTS.items():
                there = all(holds[parent] for parent in parents)
                holds[name] = there and bool(chance.random() < 1 / (1 + np.exp(-1 - ease)))
                asked = ItemQuestion(item, name)
                questions[asked] = AskedQuestion("yes", parents if dependencies else ())
                for answers in people.values():
                    turned = chance.random() < 0.04
                    answers[asked] = "yes" if holds[name] != turned else "no"
                wrong = 0.06 if there else 0.6
                metric[asked] = "yes" if holds[name] != bool(chance.random() < wrong) else "no"
    return QuestionStudy({"vqa": metric}, people, questions, groups)


def tifa_example(by_prompt: bool) -> Study:
    """Return 60 prompts with an image by each of five models, three ratings each."""
    chance = np.random.default_rng(22)
    scores: dict[str, float] = {}
    ratings: dict[str, list[float]] = {}
    prompts: dict[str, str] = {}
    for prompt in range(60):
        ease = chance.normal()
        for model in range(5):
            item = f"{prompt}-{model}"
            quality = ease + 0.6 * chance.normal()
            share = 0.6 + 0.2 * quality + 0.1 * chance.normal() + 0.12 * ease
            scores[item] = round(float(np.clip(share, 0, 1)) * 10) / 10
            ratings[item] = [
                float(np.clip(round(3 + quality + 0.5 * chance.normal()), 1, 5)) for _ in range(3)
            ]
            prompts[item] = str(prompt)
    return Study({"tifa": scores}, ratings, groups=prompts if by_prompt else None)


def cell(estimate: IntervalEstimate) -> str:
    assert estimate.low is not None
    assert estimate.high is not None
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def test_the_docs_print_the_example_of_preferences() -> None:
    study = preference_example()
    for name, found in study.metrics().items():
        columns = (cell(found.accuracy), cell(found.order_accuracy))
        row = f"| {name} | {' | '.join(columns)} | {found.threshold:.2g} | {found.ties:.2f} |"
        assert row in DOCS
    people = study.people()
    assert f"{people.shares['tie'].value:.1%}".replace("%", " %") in DOCS
    assert f"{people.shares['unreadable'].value:.1%}".replace("%", " %") in DOCS
    assert f"is right in {people.most_frequent:.3f}" in DOCS
    (difference,) = study.differences()
    assert f"{difference.value:.3f} ({difference.low:.3f} to {difference.high:.3f})" in DOCS


def test_the_docs_print_the_example_of_questions() -> None:
    study = question_example()
    found = study.metrics()["vqa"]
    for name in ("accuracy", "kappa", "sensitivity", "specificity"):
        assert f"| {cell(getattr(found, name))} |" in DOCS
    people = study.people()
    assert f"is right in {people.most_frequent:.3f} of them" in DOCS
    assert f"alpha of {people.alpha:.3f}" in DOCS
    for name in ("pearson", "spearman", "kendall"):
        without = question_example(dependencies=False).items().metrics()["vqa"].statistics[name]
        with_them = study.items().metrics()["vqa"].statistics[name]
        assert f"| {cell(without)} | {cell(with_them)} |" in DOCS


def test_the_docs_print_the_example_of_ratings() -> None:
    by_item = tifa_example(by_prompt=False).metrics()["tifa"]
    by_prompt = tifa_example(by_prompt=True).metrics()["tifa"]
    assert by_prompt.within is not None
    for name in NAMES:
        columns = (by_item.statistics, by_prompt.statistics, by_prompt.within.statistics)
        assert " | ".join(cell(column[name]) for column in columns) in DOCS
    assert f"{by_prompt.within.groups} of 60 prompts" in DOCS
