"""Makes the ready lessons that ship: draws their images and asks the judge about each file.

`hallascope teach make lessons` runs it; nothing is drawn or asked when a lesson is given.
"""

from pathlib import Path

from hallascope.data import outlines
from hallascope.data.records import Verdict
from hallascope.data.teaching.class_lesson import (
    FOLDER,
    ClassLesson,
    ClassLessons,
    LessonFact,
    LessonImage,
    LessonStep,
    write_class_lessons,
)
from hallascope.data.teaching.odd_one_out import outline_path
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.teaching.odd_one_out import JUDGE, ask_about_images
from hallascope.metrics.ihalla import plan
from hallascope.primer.teaching.exercises import fact_question
from hallascope.primer.teaching.lesson_drawing import LessonDrawing
from hallascope.primer.teaching.lesson_plans import (
    LESSON_PLANS,
    LessonPlan,
    StepPlan,
)

SIDE = 480  # px of an image
QUALITY = 80  # of WebP; an image takes about 10 kB
NOTHING_WRONG = "Nothing is wrong"
JUDGE_CASES = {
    "found": "It finds the error",
    "missed": "It misses the error",
    "not asked": "No question asks about the error",
    "false alarm": "It reports an error that is not there",
    "right": "Nothing is wrong, and it reports nothing",
}


def make_lessons(services: Services, folder: Path = FOLDER) -> ClassLessons:
    """Draw all images, ask the judge about the files as they ship, and write all into a folder.

    Whatever the judge answers is what is shown. Raises what `Services.evaluate` raises, and
    BadRequest where the judge gives no answer, or a step has not exactly one right choice.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = ClassLessons(
        judge=JUDGE,
        judge_revision=services.registry.bind(JUDGE).revision,
        metric=plan.NAME,
        metric_version=plan.metric().version,
        lessons=tuple(_make_lesson(services, lesson, folder) for lesson in LESSON_PLANS),
    )
    files = {step.image.file for each in made.lessons for step in each.steps if step.image}
    for old in folder.glob("*.webp"):
        if old.name not in files:
            old.unlink()
    write_class_lessons(made, folder)
    return made


def draw_lesson_image(drawn: LessonDrawing, file: Path) -> None:
    """Draw an image of a lesson into a WebP file. Raises BadLesson."""
    image = drawn.drawing.image(SIDE).convert("RGB")
    image.save(file, "WEBP", quality=QUALITY, method=6)


def image_name(lesson: LessonPlan, step: int) -> str:
    """Return the file name of a step's image, from 0; it tells nothing of what is wrong."""
    return f"{lesson.id}-{step + 1}.webp"


def _make_lesson(services: Services, lesson: LessonPlan, folder: Path) -> ClassLesson:
    steps = []
    for number, step in enumerate(lesson.steps):
        image = None
        if drawn := step.drawing:
            file = folder / image_name(lesson, number)
            draw_lesson_image(drawn, file)
            (verdicts,) = ask_about_images(services, drawn.prompt, drawn.questions, [file])
            image = judged_image(drawn, verdicts, file.name)
        steps.append(_make_step(step, image))
    return ClassLesson(
        id=lesson.id,
        title=lesson.title,
        summary=lesson.summary,
        goals=lesson.goals,
        steps=tuple(steps),
        discussion=lesson.discussion,
    )


def judged_image(drawn: LessonDrawing, verdicts: tuple[Verdict, ...], name: str) -> LessonImage:
    """Return an image with its truth and the judge's verdicts on its questions."""
    exercise = drawn.exercise
    outline: tuple[outlines.Polygon, ...] = ()
    near: tuple[outlines.Polygon, ...] = ()
    if exercise and exercise.lit and exercise.near:
        outline = outlines.polygons(exercise.lit)
        near = outlines.polygons(exercise.near)
    facts = []
    for number, (fact, truth) in enumerate(zip(drawn.facts, drawn.truth, strict=True)):
        verdict = verdicts[number] if number < len(verdicts) else None
        answer = verdict.question.choice(verdict.answer) if verdict and verdict.answer else ""
        facts.append(
            LessonFact(
                question=fact_question(fact),
                expected=fact.gold,
                drawn=truth,
                asked=verdict is not None,
                added=drawn.asked_too and number == len(drawn.facts) - 1,
                answer=answer,
                state=verdict.state if verdict else None,
            )
        )
    return LessonImage(
        file=name,
        prompt=drawn.prompt,
        seed=drawn.seed,
        facts=tuple(facts),
        outline=outline_path(outline),
        near=near,
        why=drawn.reason,
        source=exercise.source if exercise else "",
    )


def judge_case(image: LessonImage) -> str:
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


def _make_step(step: StepPlan, image: LessonImage | None) -> LessonStep:
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
