"""Shows the ready lessons as cards, with what a teacher can do with each."""

from markupsafe import Markup

from hallascope.components.html.markup import join, tag
from hallascope.data.teaching.class_lesson import MINUTES, ClassLesson, ClassLessons

# what a teacher can do with a lesson, and the address of it below that of the lesson
ACTIONS = (
    ("Project", ""),
    ("Print", "/sheet"),
    ("Answer key", "/key"),
    ("Start a class", "/start"),
)


_CARD = Markup("""<li><img src="class/lessons/images/{file}" alt="" width="480" height="480"\
 loading="lazy"><h3>{title}</h3><p>{minutes} minutes, {steps} steps. {summary}</p>\
<ul class="goals">{goals}</ul><div class="lesson-actions">{links}</div></li>""")
_LINK = Markup("""<a href="class/lessons/{id}{address}" target="_blank" rel="noopener"\
 class="{kind}" aria-label="{words}: {title} (opens a new page)">{words}</a>""")


def lesson_cards(lessons: ClassLessons) -> Markup:
    """Return a card for each lesson."""
    return tag("ul", *map(_card, lessons.lessons), class_="lesson-cards")


def _card(lesson: ClassLesson) -> Markup:
    links = (
        _LINK.format(
            id=lesson.id,
            address=address,
            kind="primary" if words == "Start a class" else "",
            words=words,
            title=lesson.title,
        )
        for words, address in ACTIONS
    )
    return _CARD.format(
        file=next(step.image.file for step in lesson.steps if step.image),
        title=lesson.title,
        minutes=MINUTES,
        steps=len(lesson.steps),
        summary=lesson.summary,
        goals=join(*(tag("li", goal) for goal in lesson.goals)),
        links=join(*links),
    )
