"""Makes events and records of a small run, for tests of what pages show of it."""

from dataclasses import replace
from pathlib import Path

from hallascope.data.records import Question, Report, Score, State, Verdict
from hallascope.engine.events import (
    EvaluateRequest,
    Evaluation,
    GeneratedPicture,
    Queued,
)

ASKED = EvaluateRequest(prompt="a molecule", models=("primer/exact", "primer/hasty"))
QUESTION = Question(
    text="How many?",
    choices=("One", "Two", "Three", "Four", "None of the above"),
    gold="D",
    coi="counting",
)
SHOTS = (
    GeneratedPicture(generation="g1", model="primer/exact", seed=0),
    GeneratedPicture(generation="g2", model="primer/hasty", seed=0),
)
QUEUED = Queued(run="r1", shots=SHOTS, evaluations=2, questions=(QUESTION,))
MADE = replace(SHOTS[0], state="done", image="ab" * 32, path=Path("/tmp/a.png"), seconds=0.2)


def evaluation(generation: str = "g1", state: State = "correct", trial: int = 0) -> Evaluation:
    failed = state == "failed"
    verdict = Verdict(
        question=QUESTION,
        answer=None if failed else "D",
        state=state,
        raw="D",
        failure="The key was not accepted." if failed else None,
    )
    report = Report(
        metric="ihalla",
        version="1",
        prompt="a molecule",
        image="ab" * 32,
        scores={"score": Score(1.0, 1, 0)},
        verdicts=(verdict,),
    )
    return Evaluation(
        generation=generation,
        model="primer/exact",
        image="ab" * 32,
        metric="ihalla",
        judge="primer/judge",
        trial=trial,
        report=report,
    )
