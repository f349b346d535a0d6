"""Makes the rounds and the lessons that ship: draws images and asks the judge about each file.

`hallascope teach odd-one-out` and `hallascope teach lessons` run it; nothing is drawn or
asked when a round is shown or a lesson is given.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from hallascope.data import outlines
from hallascope.data.records import Picture, Question, Verdict
from hallascope.data.teaching.class_lesson import (
    FOLDER as LESSONS_FOLDER,
)
from hallascope.data.teaching.class_lesson import (
    ClassLesson,
    ClassLessons,
    LessonStep,
    write_class_lessons,
)
from hallascope.data.teaching.judged_image import JudgedFact, JudgedImage, outline_path
from hallascope.data.teaching.odd_one_out import (
    FOLDER as ROUNDS_FOLDER,
)
from hallascope.data.teaching.odd_one_out import (
    OddOneOutRound,
    OddOneOutSet,
    write_rounds,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.teaching.exercises import JUDGE, ask_questions, write_webp
from hallascope.engine.trials.accuracies import load_shipped_trials
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.primer.teaching.exercises import short_question
from hallascope.primer.teaching.lesson_drawing import LessonDrawing
from hallascope.primer.teaching.lesson_plans import (
    LESSON_PLANS,
    LessonPlan,
    StepPlan,
)
from hallascope.primer.teaching.odd_one_out import EXAMPLE, ROUNDS, OddOneOutSpec
from hallascope.primer.world import Fact

ROUND_SIDE = 288  # px of an image
ROUND_QUALITY = 78  # of WebP; an image takes about 5 kB
IMAGES = "images"


def make_rounds(services: Services, folder: Path = ROUNDS_FOLDER) -> OddOneOutSet:
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
    example, *rounds = (
        _make_round(services, spec, number, folder)
        for number, spec in enumerate((EXAMPLE, *ROUNDS))
    )
    _delete_others(
        folder / IMAGES, "*", {image.file for each in (example, *rounds) for image in each.images}
    )
    reliability = trials.primer.reliability
    made = OddOneOutSet(
        **_judged_by(services),
        sensitivity=reliability.sensitivity.right / reliability.sensitivity.asked,
        specificity=reliability.specificity.right / reliability.specificity.asked,
        example=example,
        rounds=tuple(rounds),
    )
    write_rounds(made, folder)
    return made


def _judged_by(services: Services) -> dict[str, str]:
    """Return which judge and metric gave the answers, as what ships names them."""
    return {
        "judge": JUDGE,
        "judge_revision": services.registry.bind(JUDGE).revision,
        "metric": plan.NAME,
        "metric_version": plan.metric().version,
    }


def _delete_others(folder: Path, pattern: str, kept: AbstractSet[str]) -> None:
    """Delete the files of a folder that are not kept."""
    names = {Path(name).name for name in kept}
    for old in folder.glob(pattern):
        if old.name not in names:
            old.unlink()


def draw_round(spec: OddOneOutSpec, number: int, folder: Path) -> list[str]:
    """Draw the images of a round into a folder; return their names there, in their order."""
    names = []
    for place, image in enumerate(spec.images, 1):
        name = f"{IMAGES}/{number:02d}-{place}.webp"
        write_webp(image.drawing, folder / name, ROUND_SIDE, ROUND_QUALITY)
        names.append(name)
    return names


def _make_round(
    services: Services, spec: OddOneOutSpec, number: int, folder: Path
) -> OddOneOutRound:
    files = draw_round(spec, number, folder)
    questions, facts = spec.wrong.questions, spec.wrong.facts
    answered = ask_about_images(services, spec.prompt, questions, [folder / file for file in files])
    return OddOneOutRound(
        name=spec.name,
        odd=spec.odd,
        images=tuple(
            replace(judged_image(drawn, facts, verdicts, file), near=())  # nobody taps a round
            for drawn, verdicts, file in zip(spec.images, answered, files, strict=True)
        ),
    )


def ask_about_images(
    services: Services, prompt: str, questions: tuple[Question, ...], files: Sequence[Path]
) -> list[tuple[Verdict, ...]]:
    """Return the judge's verdicts on the questions about each file, in their order.

    Raises what `Services.evaluate` raises, and BadRequest where an answer is missing.
    """
    pictures = [Picture(sha256(file.read_bytes()).hexdigest(), file) for file in files]
    cases = [Case(prompt=prompt, image=picture, questions=questions) for picture in pictures]
    answered = ask_questions(services, cases)
    if any(verdict.failure for verdicts in answered for verdict in verdicts):
        raise BadRequest(
            "The judge did not answer every question: run `hallascope doctor`, then try again."
        )
    return answered


LESSON_SIDE = 480  # px of an image
LESSON_QUALITY = 80  # of WebP; an image takes about 10 kB
NOTHING_WRONG = "Nothing is wrong"
JUDGE_CASES = {
    "found": "It finds the error",
    "missed": "It misses the error",
    "not asked": "No question asks about the error",
    "false alarm": "It reports an error that is not there",
    "right": "Nothing is wrong, and it reports nothing",
}


def make_lessons(services: Services, folder: Path = LESSONS_FOLDER) -> ClassLessons:
    """Draw all images, ask the judge about the files as they ship, and write all into a folder.

    Whatever the judge answers is what is shown. Raises what `Services.evaluate` raises, and
    BadRequest where the judge gives no answer, or a step has not exactly one right choice.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = ClassLessons(
        **_judged_by(services),
        lessons=tuple(_make_lesson(services, lesson, folder) for lesson in LESSON_PLANS),
    )
    files = {step.image.file for each in made.lessons for step in each.steps if step.image}
    _delete_others(folder, "*.webp", files)
    write_class_lessons(made, folder)
    return made


def image_name(lesson: LessonPlan, step: int) -> str:
    """Return the file name of a step's image, from 0; it tells nothing of what is wrong."""
    return f"{lesson.id}-{step + 1}.webp"


def _make_lesson(services: Services, lesson: LessonPlan, folder: Path) -> ClassLesson:
    steps = []
    for number, step in enumerate(lesson.steps):
        image = None
        if drawn := step.drawing:
            file = folder / image_name(lesson, number)
            write_webp(drawn.drawing, file, LESSON_SIDE, LESSON_QUALITY)
            (verdicts,) = ask_about_images(services, drawn.prompt, drawn.questions, [file])
            image = judged_image(drawn, drawn.facts, verdicts, file.name)
        steps.append(_make_step(step, image))
    return ClassLesson(
        id=lesson.id,
        title=lesson.title,
        summary=lesson.summary,
        goals=lesson.goals,
        steps=tuple(steps),
        discussion=lesson.discussion,
    )


def judged_image(
    drawn: LessonDrawing, facts: Sequence[Fact], verdicts: Sequence[Verdict], name: str
) -> JudgedImage:
    """Return an image with its truth and the judge's verdicts on the first of its facts."""
    judged = []
    answers = drawn.answers(tuple(facts))
    for number, (fact, shown) in enumerate(zip(facts, answers, strict=True)):
        verdict = verdicts[number] if number < len(verdicts) else None
        judged.append(
            JudgedFact(
                question=short_question(fact.question),
                expected=fact.gold,
                drawn=shown,
                asked=verdict is not None,
                added=drawn.asked_too and number == len(facts) - 1,
                answer=verdict.question.choice(verdict.answer)
                if verdict and verdict.answer
                else "",
                state=verdict.state if verdict else None,
            )
        )
    exercise = drawn.exercise
    outline, near = (
        outlines.polygons(mask) if mask else ()
        for mask in ((exercise.lit, exercise.near) if exercise else (None, None))
    )
    return JudgedImage(
        file=name,
        prompt=drawn.prompt,
        seed=drawn.seed,
        facts=tuple(judged),
        outline=outline_path(outline),
        near=near,
        why=drawn.reason,
        source=exercise.source if exercise else "",
    )


def judge_case(image: JudgedImage) -> str:
    """Return which of the `JUDGE_CASES` an image is.

    Raises BadRequest where the judge also errs on another fact than the wrong one.
    """
    words = [fact.word for fact in image.facts if fact.word is not None]
    if len(words) > 1:
        raise BadRequest(
            f"The judge errs more than once on “{image.prompt}” with seed {image.seed}: choose"
            " another seed in primer/teaching/lesson_plans.toml."
        )
    return words[0] if words else "right"


def _make_step(step: StepPlan, image: JudgedImage | None) -> LessonStep:
    choices, right = step.choices, step.right
    if step.drawing and image:
        questions = tuple(fact.question for fact in image.facts)
        wrong = image.wrong.question if image.wrong else NOTHING_WRONG
        match step.kind:
            case "facts":
                choices = (*questions, NOTHING_WRONG)
                right = choices.index(wrong)
            case "judge":
                choices = tuple(JUDGE_CASES.values())
                right = list(JUDGE_CASES).index(judge_case(image))
            case "questions":
                choices = tuple(step.drawing.question_of(parameter) for parameter in step.choices)
                right = choices.index(wrong)
            case "text":
                pass
    return LessonStep(
        title=step.title,
        minutes=step.minutes,
        teacher=step.teacher,
        pupils=step.pupils,
        question=step.question,
        choices=choices,
        right=right,
        marking=image is not None and step.kind != "text",
        with_questions=image is not None and step.kind != "facts",
        reveal=step.reveal,
        image=image,
    )
