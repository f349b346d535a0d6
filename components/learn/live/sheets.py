"""Makes what a teacher prints: a sheet for pupils, and the answer key with the plan of a lesson."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from hallascope.components.html.markup import html_table, join, scroll_region, soft_line, tag
from hallascope.components.learn.live.class_page import class_page
from hallascope.data.teaching.class_lesson import (
    MINUTES,
    ClassLesson,
    LessonStep,
)
from hallascope.data.teaching.judged_image import JudgedImage, judge_sentences, truth_sentences

CIRCLE = "Circle the error in the image, if there is one."
EVERY_ANSWER = "Every answer counts."


_SHEET = Markup("""<main>{hint}<header class="sheet-head"><div><h1>{title}</h1>\
<p>Name: ____________________     Date: ____________</p></div>{way}</header>{tasks}{talk}</main>""")
_WAY = Markup("""<figure><img src="{qr}" alt="QR code of {address}" width="110" height="110">\
<figcaption>Join the class: {address}. Type the code that the board shows.</figcaption></figure>""")
_HINT = Markup("""<p class="notice screen-only">Use your browser's Print command (Ctrl+P) to print\
 this page or save it as a PDF file.</p>""")
_KEY = Markup("""<main>{hint}<h1>{title}: plan and answer key</h1>\
<p>For pupils of 12 to 18, {minutes} minutes. {summary}</p>{goals}{plan}{solutions}\
<section><h2>To talk about</h2>{talk}</section><p class="soft">The images are drawn by code\
 (Primer), so their truth is known exactly. The judge is {judge}; its answers were given to the\
 files that this lesson shows.</p></main>""")
_TALK = Markup("<p><strong>{}</strong> {}</p>")


def pupil_sheet(lesson: ClassLesson, address: str = "", qr: str = "") -> Markup:
    """Return the sheet of a lesson: its images and questions, without any answer.

    `address`: where pupils join a class, and the drawing of its `qr` code; "" leaves both out.
    """
    body = _SHEET.format(
        hint=_HINT,
        title=lesson.title,
        way=_WAY.format(address=address, qr=qr) if address else "",
        tasks=_steps(lesson, _task),
        talk=_section("To talk about", [question for question, _ in lesson.discussion]),
    )
    return class_page(f"{lesson.title}: sheet", "paper", body)


def answer_key(lesson: ClassLesson, judge: str) -> Markup:
    """Return the plan of a lesson with all answers; `judge` is the model whose answers it has."""
    body = _KEY.format(
        hint=_HINT,
        title=lesson.title,
        minutes=MINUTES,
        summary=lesson.summary,
        goals=_section("Goals", lesson.goals),
        plan=_plan(lesson),
        solutions=_steps(lesson, _solution),
        talk=join(*(_TALK.format(*pair) for pair in lesson.discussion)),
        judge=judge,
    )
    return class_page(f"{lesson.title}: answer key", "paper", body)


def _steps(lesson: ClassLesson, draw: Callable[[int, LessonStep], Markup]) -> Markup:
    """Return the steps in which something is asked."""
    return join(
        *(draw(number, step) for number, step in enumerate(lesson.steps, 1) if step.choices)
    )


def _section(title: str, lines: Sequence[str]) -> Markup:
    return tag("section", tag("h2", title), tag("ul", *(tag("li", line) for line in lines)))


_IMAGE = Markup("""<img src="../images/{file}" width="220" height="220"\
 alt="Image made for the prompt “{prompt}”">""")


def _boxes(step: LessonStep, right: int | None = None) -> Markup:
    items = (
        tag("li", choice, class_="right" if number == right else None)
        for number, choice in enumerate(step.choices)
    )
    return tag("ul", *items, class_="boxes")


def _block(step: LessonStep, *lines: Markup) -> Markup:
    if step.image is None:
        return tag("section", tag("div", *lines), class_="task without-image")
    image = _IMAGE.format(file=step.image.file, prompt=step.image.prompt)
    return tag("section", image, tag("div", *lines), class_="task")


def _task(number: int, step: LessonStep) -> Markup:
    lines = [tag("h2", f"{number}. {step.question}")]
    if step.image is not None:
        lines.append(tag("p", f"Prompt: “{step.image.prompt}”"))
        if step.marking:
            lines.append(tag("p", CIRCLE))
        if step.with_questions:
            asked = [fact.question for fact in step.image.asked if not fact.added]
            lines.append(tag("p", "The judge is asked:"))
            lines.append(tag("ol", *(tag("li", question) for question in asked)))
    lines.append(_boxes(step))
    return _block(step, *lines)


def _plan(lesson: ClassLesson) -> Markup:
    start = 0
    rows = []
    for number, step in enumerate(lesson.steps, 1):
        end = start + step.minutes
        cells = (f"{start} to {end}", f"{number}. {step.title}", step.teacher, step.pupils)
        rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
        start = end
    table = html_table(_HEADS, rows)
    return tag("section", tag("h2", "Plan"), scroll_region(table, "Plan of the lesson"))


_HEADS = ("Minute", "Step", "You", "Pupils")


def _solution(number: int, step: LessonStep) -> Markup:
    lines = [tag("h2", f"{number}. {step.title}"), tag("p", step.question)]
    lines.append(_boxes(step, step.right))
    if step.right is None:
        lines.append(tag("p", EVERY_ANSWER))
    if step.image is not None:
        lines += [tag("p", sentence) for sentence in truth_sentences(step.image)]
        if step.image.source:
            lines.append(soft_line(f"Source: {step.image.source}."))
        lines.append(_judge_answers(step.image))
        lines += [tag("p", sentence) for sentence in judge_sentences(step.image)]
    if step.reveal:
        lines.append(tag("p", tag("strong", step.reveal)))
    return _block(step, *lines)


def _judge_answers(image: JudgedImage) -> Markup:
    items = (
        tag("li", f"{fact.question} {fact.answer or 'None of the choices'}") for fact in image.asked
    )
    return join(tag("p", "The judge answers:"), tag("ol", *items))
