"""Shows the ready lessons as cards, with what a teacher can do with each."""

from markupsafe import Markup

from hallascope.components.html.markup import tag
from hallascope.data.teaching.class_lesson import MINUTES, ClassLesson, ClassLessons

# what a teacher can do with a lesson, and the address of it below that of the lesson
ACTIONS = (
    ("Project", ""),
    ("Print", "/sheet"),
    ("Answer key", "/key"),
    ("Start a class", "/start"),
)


def lesson_cards(lessons: ClassLessons) -> Markup:
    """Return a card for each lesson."""
    cards = (_card(lesson) for lesson in lessons.lessons)
    return tag("ul", *cards, class_="lesson-cards")


def _card(lesson: ClassLesson) -> Markup:
    image = next(step.image for step in lesson.steps if step.image)
    links = (
        tag(
            "a",
            words,
            href=f"class/lessons/{lesson.id}{address}",
            target="_blank",
            rel="noopener",
            class_="primary" if words == "Start a class" else None,
            aria_label=f"{words}: {lesson.title} (opens a new page)",
        )
        for words, address in ACTIONS
    )
    return tag(
        "li",
        tag(
            "img",
            src=f"class/lessons/images/{image.file}",
            alt="",
            width=480,
            height=480,
            loading="lazy",
        ),
        tag("h3", lesson.title),
        tag("p", f"{MINUTES} minutes, {len(lesson.steps)} steps. {lesson.summary}"),
        tag("ul", *(tag("li", goal) for goal in lesson.goals), class_="goals"),
        tag("div", *links, class_="lesson-actions"),
    )
