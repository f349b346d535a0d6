"""Services whose store has judged images that people can label: any number of prompts and models,
with two questions an image whose expected answer is "Yes".
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from hallascope.data.evidence import State
from hallascope.data.records import CoI, Letter, Picture, Question, Report, Verdict
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.metrics.ihalla.plan import score

COI: Sequence[CoI] = ("color", "shape")
QUESTIONS = tuple(Question(text=f"{coi}?", choices=("Yes", "No"), gold="A", coi=coi) for coi in COI)
JUDGE = "j/one"
_STATES: Mapping[Letter | None, State] = {"A": "correct", "C": "abstained"}  # C: none of the above


def build(folder: Path, prompts: int = 12, models: Sequence[str] = ("m/one", "m/two")) -> Any:
    """Services on a folder of their own; the judge finds every image right."""
    from tests.conftest import build as scripted

    services = scripted(folder)
    for number in range(prompts):
        for model in models:
            judge_image(services.store, f"prompt {number}", model)
    return services


def judge_image(
    store: Store,
    prompt: str,
    model: str,
    answers: Sequence[Letter | None] = ("A", "A"),
    *,
    judge: str = JUDGE,
    seed: int = 0,
    run: str = "",
    is_held_back: bool = False,
) -> str:
    """Keep an image with what a judge answered, and return its SHA-256."""
    slot = PictureSlot(
        id=sha256(f"{prompt}|{model}|{seed}".encode()).hexdigest()[:20],
        prompt=prompt,
        model=model,
        revision="1",
        seed=seed,
        settings={},
    )
    image = sha256(slot.id.encode()).hexdigest()
    path = store.images.path(image)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"an image")
    run = run or prompt.replace(" ", "-")
    request = EvaluateRequest(prompt=prompt, models=(model,))
    store.start_run(run, request, [slot], QUESTIONS)
    store.keep_picture(slot, Picture(image, path))
    verdicts = tuple(
        Verdict(
            question=question,
            answer=answer,
            state=_STATES.get(answer, "incorrect"),
            raw="",
        )
        for question, answer in zip(QUESTIONS, answers, strict=True)
    )
    report = Report(
        metric="ihalla",
        version="1",
        prompt=prompt,
        image=image,
        scores={"score": score(verdicts)},
        verdicts=verdicts,
    )
    evaluation = Evaluation(
        generation=slot.id,
        model=model,
        image=image,
        metric="ihalla",
        judge=judge,
        trial=0,
        report=report,
    )
    store.keep_evaluation(run, evaluation, "1", is_held_back=is_held_back)
    return image
