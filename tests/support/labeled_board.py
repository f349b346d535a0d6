"""Fills a store with answers about images of six models, in which a simulated judge overlooks
errors that simulated people see: something to correct.
"""

import random
from collections.abc import Mapping, Sequence
from hashlib import sha256

from hallascope.data.records import COIS, Category, Question, Report, State, Verdict
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.metrics.ihalla.plan import score, strict

PROMPTS, LABELED = 100, 40
# the share of facts that a model draws right
MODELS: Mapping[str, float] = {
    "example/melon": 0.9,
    "example/arnica": 0.8,
    "example/lily": 0.68,
    "example/azalea": 0.6,
    "example/damson": 0.5,
    "example/almond": 0.4,
}
FOUND = 0.6  # of wrong facts the judge calls wrong
SLIPS = 0.03  # of their answers, right or wrong, judge and people get wrong by chance
RUN, JUDGE = "r", "j/one"


def fill(store: Store, prompts: int = PROMPTS, labeled: int = LABELED) -> None:
    """Keep the judge's answers of all prompts, and those of people of the first ones."""
    chance = random.Random(7)
    ratings: dict[RatingSubject, str] = {}
    for number in range(prompts):
        easier = chance.gauss(0, 0.1)
        for model, share in MODELS.items():
            truth = [chance.random() < share + easier for _ in COIS]
            report = _report(f"prompt {number}", model, [_judge(chance, fact) for fact in truth])
            _keep(store, model, report)
            if number < labeled:
                ratings |= {
                    _subject(report, question): _person(chance, fact)
                    for question, fact in enumerate(truth)
                }
    store.ratings.keep_values(ratings)


def _judge(chance: random.Random, fact: bool) -> State:
    finds = chance.random() < (1 - SLIPS if fact else FOUND)
    return "correct" if finds == fact else "incorrect"


def _person(chance: random.Random, fact: bool) -> str:
    """Return a person's answer; "Yes" is the expected one of every question of such a store."""
    return "Yes" if fact != (chance.random() < SLIPS) else "No"


def _report(prompt: str, model: str, states: Sequence[State]) -> Report:
    verdicts = tuple(
        Verdict(
            question=Question(text=f"{number}?", choices=("Yes", "No"), gold="A", coi=coi),
            answer=None,
            state=state,
            raw="",
        )
        for number, (state, coi) in enumerate(zip(states, COIS, strict=True))
    )
    return Report(
        metric="ihalla",
        version="1",
        prompt=prompt,
        image=sha256(f"{prompt}|{model}".encode()).hexdigest(),
        scores={"score": score(verdicts), "strict": strict(verdicts)},
        verdicts=verdicts,
    )


def _keep(store: Store, model: str, report: Report) -> None:
    """Keep a report as a run would."""
    slot = PictureSlot(
        id=report.image, prompt=report.prompt, model=model, revision="1", seed=0, settings={}
    )
    store.start_run(RUN, EvaluateRequest(prompt=report.prompt, models=(model,)), [slot])
    evaluation = Evaluation(
        generation=slot.id,
        model=model,
        image=report.image,
        metric=report.metric,
        judge=JUDGE,
        trial=0,
        report=report,
        lineup={"judge": JUDGE},
    )
    store.keep_evaluation(
        run=RUN,
        evaluation=evaluation,
        judge_revision="1",
        facets=Facets(Category.BIOLOGY.value, "animal"),
    )


def _subject(report: Report, question: int) -> RatingSubject:
    return RatingSubject(
        image=report.image,
        metric=IHALLA,
        prompt=report.prompt,
        finding=f"{QUESTION}{question}?",
        rater="Ann",
    )
