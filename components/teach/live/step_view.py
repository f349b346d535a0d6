"""Says what stands on the pages of a lesson's step, as JSON, and what of it a class may see yet."""

from typing import Any

from hallascope.data.teaching.class_lesson import (
    ClassLesson,
    LessonImage,
    Phase,
    judge_sentences,
    truth_sentences,
)


def step_view(lesson: ClassLesson, number: int) -> dict[str, Any]:
    """Return all of a step, from 0, the truth included, with the addresses of its image.

    They are relative to `/class/`.
    """
    step = lesson.steps[number]
    view: dict[str, Any] = {
        "step": number,
        "steps": len(lesson.steps),
        "title": step.title,
        "minutes": step.minutes,
        "teacher": step.teacher,
        "pupils": step.pupils,
        "question": step.question,
        "choices": list(step.choices),
        "phases": list(step.phases),
        "marking": step.marking,
        "right": step.right,
        "reveal": step.reveal,
        "image": None,
    }
    if step.image is not None:
        view |= _image_view(step.image)
        if not step.with_questions:
            view["questions"] = []
    return view


def _image_view(image: LessonImage) -> dict[str, Any]:
    asked = image.asked
    return {
        "image": f"lessons/images/{image.file}",
        "prompt": image.prompt,
        "questions": [fact.question for fact in asked if not fact.added],
        "judge": [
            {
                "question": fact.question,
                "answer": fact.answer or "None of the choices",
                "added": fact.added,
                "expected": fact.expected,
                "drawn": fact.drawn,
                "word": fact.word,
            }
            for fact in asked
        ],
        "outline": image.outline,
        "truth": list(truth_sentences(image)),
        "judged": list(judge_sentences(image)),
    }


def shown_to_pupils(view: dict[str, Any], phase: Phase) -> dict[str, Any]:
    """Return what of a step pupils see at a phase: nothing that is still to be revealed."""
    phases = view["phases"]
    shown = {
        name: view[name]
        for name in ("step", "steps", "title", "question", "choices", "marking", "image")
    }
    shown["phase"] = phase
    if view["image"]:
        shown |= {"prompt": view["prompt"], "questions": view["questions"]}
    reached = phases[: phases.index(phase) + 1]
    if view["image"] and "judge" in reached:
        shown["judge"] = [
            {name: row[name] for name in ("question", "answer", "added")} for row in view["judge"]
        ]
    if "truth" in reached or phases == ["question"]:
        shown |= {"right": view["right"], "reveal": view["reveal"]}
        if view["image"]:
            shown |= {name: view[name] for name in ("outline", "truth", "judged", "judge")}
    return shown
