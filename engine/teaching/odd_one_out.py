"""Makes the rounds that ship with the first page: draws their images and asks the judge about each.

`hallascope teach make odd-one-out` runs it; nothing is drawn or asked when a round is shown.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from hallascope.data import outlines
from hallascope.data.records import Picture, Question, Verdict
from hallascope.data.teaching.odd_one_out import (
    FOLDER,
    OddOneOutRound,
    OddOneOutSet,
    RoundAnswer,
    RoundImage,
    outline_path,
    write_rounds,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.run import driver_events
from hallascope.engine.services import Services
from hallascope.engine.trials.shipped import load_shipped_trials
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.primer.teaching.odd_one_out import EXAMPLE, ROUNDS, OddOneOutSpec

JUDGE = "primer/judge"
SIDE = 288  # px of an image
QUALITY = 78  # of WebP; an image takes about 5 kB
IMAGES = "images"


def make_rounds(services: Services, folder: Path = FOLDER) -> OddOneOutSet:
    """Draw every round, ask the judge about the files as they ship, and write all into a folder.

    Whatever the judge answers is what is shown. Raises what `Services.evaluate` raises, and
    BadRequest where the judge gives no answer, or no trial of it ships.
    """
    trials = load_shipped_trials(lambda name: services.registry.bind(name).revision)
    if trials is None:
        raise BadRequest(
            "The trial of the judge is of other weights: make it with `python -m"
            " bench.shipped_trials` first."
        )
    (folder / IMAGES).mkdir(parents=True, exist_ok=True)
    specs = (EXAMPLE, *ROUNDS)
    files = [draw_round(spec, number, folder) for number, spec in enumerate(specs)]
    example, *rounds = (
        _judged_round(services, spec, own, folder) for spec, own in zip(specs, files, strict=True)
    )
    for old in set((folder / IMAGES).iterdir()) - {folder / name for own in files for name in own}:
        old.unlink()
    reliability = trials.primer.reliability
    made = OddOneOutSet(
        judge=JUDGE,
        judge_revision=services.registry.bind(JUDGE).revision,
        metric=plan.NAME,
        metric_version=plan.metric().version,
        sensitivity=reliability.sensitivity.right / reliability.sensitivity.asked,
        specificity=reliability.specificity.right / reliability.specificity.asked,
        example=example,
        rounds=tuple(rounds),
    )
    write_rounds(made, folder)
    return made


def draw_round(spec: OddOneOutSpec, number: int, folder: Path) -> list[str]:
    """Draw the images of a round into a folder; return their names there, in their order."""
    names = []
    for place, image in enumerate(spec.images, 1):
        name = f"{IMAGES}/{number:02d}-{place}.webp"
        drawing = image.drawing.image(SIDE).convert("RGB")
        drawing.save(folder / name, "WEBP", quality=QUALITY, method=6)
        names.append(name)
    return names


def _judged_round(
    services: Services, spec: OddOneOutSpec, files: Sequence[str], folder: Path
) -> OddOneOutRound:
    wrong = spec.wrong
    questions = wrong.questions
    answered = ask_about_images(services, spec.prompt, questions, [folder / file for file in files])
    exercise = wrong.exercise
    if exercise is None:
        raise BadRequest(f"Nothing is wrong in “{spec.prompt}”: name a wrong fact of the round.")
    return OddOneOutRound(
        prompt=spec.prompt,
        name=spec.name,
        odd=spec.odd,
        question=exercise.facts[exercise.wrong],
        shown=exercise.shown,
        expected=exercise.truth,
        why=wrong.reason,
        source=exercise.source,
        outline=outline_path(outlines.polygons(exercise.lit)) if exercise.lit else "",
        facts=spec.facts,
        images=tuple(
            RoundImage(
                file=file,
                seed=image.seed,
                truth=image.answers(wrong.facts),
                answers=tuple(map(_answer, verdicts)),
                correct=plan.correct(verdicts),
                answered=plan.score(verdicts).counted,
            )
            for image, file, verdicts in zip(spec.images, files, answered, strict=True)
        ),
    )


def _answer(verdict: Verdict) -> RoundAnswer:
    text = verdict.question.choice(verdict.answer) if verdict.answer else ""
    return RoundAnswer(text=text, state=verdict.state)


def ask_about_images(
    services: Services, prompt: str, questions: tuple[Question, ...], files: Sequence[Path]
) -> list[tuple[Verdict, ...]]:
    """Return the judge's verdicts on the questions about each file, in their order.

    Raises what `Services.evaluate` raises, and BadRequest where an answer is missing.
    """
    lineup, runner, _ = services.bind([(JUDGE, "judge")])
    for number, file in enumerate(files):
        picture = Picture(sha256(file.read_bytes()).hexdigest(), file)
        case = Case(prompt=prompt, image=picture, questions=questions)
        runner.add(number, plan.plan(case), lineup, readable=plan.readable)
    verdicts: dict[int, tuple[Verdict, ...]] = {}
    for event in runner.events():
        if isinstance(event, driver_events.PlanResult):
            verdicts[int(str(event.key))] = event.result.verdicts
    if len(verdicts) < len(files) or any(v.failure for own in verdicts.values() for v in own):
        raise BadRequest(
            "The judge did not answer every question: run `hallascope doctor`, then try again."
        )
    return [verdicts[number] for number in range(len(files))]
