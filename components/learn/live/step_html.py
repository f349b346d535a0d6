"""Draws a step of a lesson, phase by phase, for the phones of a class and for the projector."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from hallascope.components.html.markup import join, panel, soft_line, tag
from hallascope.components.learn.image_field import image_field
from hallascope.components.learn.judged_image import outline
from hallascope.data.outlines import OutlinePoint
from hallascope.data.teaching.class_lesson import ClassLesson, LessonStep, Phase
from hallascope.data.teaching.judged_image import JudgedImage, judge_sentences, truth_sentences

SENT = "Sent. You can change it until the answers are shown."


def is_reached(wanted: Phase, phase: Phase, step: LessonStep) -> bool:
    """Return whether a phase of a step is reached, where a class is at `phase`."""
    return wanted in step.phases and step.phases.index(wanted) <= step.phases.index(phase)


# --- the page of a pupil


_LOBBY = Markup("""<h1>{title}</h1><p class="lead">{words}</p>\
<p class="soft">You are pupil {pupil}.</p><p role="status" class="soft"></p>""")


def pupil_lobby(lesson: ClassLesson, pupil: int, is_over: bool) -> Markup:
    """Return what a pupil sees before the first step, and after the last."""
    words = "You are in the class. The first step comes here when your teacher starts."
    if is_over:
        words = "This was the last step. Thank you for your answers."
    return _LOBBY.format(title=lesson.title, words=words, pupil=pupil)


def pupil_step(
    lesson: ClassLesson,
    number: int,
    phase: Phase,
    pupil: int,
    choice: int | None,
    mark: OutlinePoint | None,
    counts: Sequence[int],
) -> Markup:
    """Return a step, from 0, as a pupil sees it: nothing that is still to be revealed.

    `choice` and `mark` are the pupil's own answer; `counts` says how many of the class chose each
    choice, and is shown once the class is.
    """
    step = lesson.steps[number]
    is_open = phase == "question"
    has_truth = is_reached("truth", phase, step)
    parts = [
        soft_line(f"Step {number + 1} of {len(lesson.steps)} · Pupil {pupil}"),
        tag("h1", step.title),
    ]
    if step.image:
        parts.append(tag("p", f"Prompt: “{step.image.prompt}”"))
        if is_open and step.marking:
            parts.append(tag("p", "Tap the error in the image, if you see one."))
        can_mark = is_open and step.marking
        parts.append(_field(step.image, "", has_truth, can_mark=can_mark, mark=mark))
        if is_open and step.with_questions:
            parts.append(_questions(step.image))
    if step.choices and is_open:
        parts.append(_choices(step, choice))
    elif step.choices:
        parts += [tag("h2", step.question), _answers(step, counts, has_truth, choice)]
    if step.image and is_reached("judge", phase, step):
        parts.append(_judge(step.image, has_truth))
    if step.choices and has_truth:
        parts.append(_truth(step))
    elif not step.choices and step.reveal:
        parts.append(tag("p", step.reveal, class_="reveal"))
    words = ""
    if step.choices:
        is_sent = choice is not None or mark is not None
        words = SENT if is_sent else "Choose an answer."
        words = words if is_open else "The answers are shown."
    return join(*parts, tag("p", words, role="status", class_="soft"))


_CHOICE = Markup("""<label class="choice"><input type="radio" name="choice" value="{}"{}>\
<span class="words">{}</span></label>""")


def _choices(step: LessonStep, chosen: int | None) -> Markup:
    labels = (
        _CHOICE.format(number, " checked" if number == chosen else "", choice)
        for number, choice in enumerate(step.choices)
    )
    return tag("fieldset", tag("legend", step.question), *labels, class_="choices")


# --- the projector


def projector_step(step: LessonStep, with_class: bool) -> dict[str, Any]:
    """Return a step as the projector has it: `html` of each phase, the answers of nobody in it."""
    phases = [phase for phase in step.phases if with_class or phase != "class"]
    notes = join(
        tag("p", tag("strong", "You: "), step.teacher),
        tag("p", tag("strong", "Pupils: "), step.pupils),
    )
    return {
        "title": step.title,
        "minutes": step.minutes,
        "notes": notes,
        "isAsked": bool(step.choices),
        "isPlain": step.image is None,
        "phases": phases,
        "html": {phase: _stage(step, phase) for phase in phases},
    }


def _stage(step: LessonStep, phase: Phase) -> Markup:
    image = step.image
    has_truth, has_judge = (is_reached(name, phase, step) for name in ("truth", "judge"))
    side = []
    if image:
        side.append(soft_line(f"Prompt: “{image.prompt}”"))
    if step.choices:
        side.append(tag("p", step.question, class_="ask"))
        side.append(_answers(step, [0] * len(step.choices), has_truth))
    if step.marking:
        side.append(tag("p", class_="soft taps"))
    if image and step.with_questions and not has_judge:
        side.append(_questions(image))
    if step.choices and has_truth:
        side.append(_truth(step))
    elif not step.choices and step.reveal:
        side.append(tag("p", step.reveal, class_="reveal"))
    if image is None:
        return join(*side)
    if has_judge:
        side.append(_judge(image, has_truth))
    return join(_field(image, "../", has_truth), tag("div", *side, class_="side"))


_HEAT = Markup("""<svg class="heat" viewBox="0 0 100 100" aria-hidden="true"><filter id="blur"\
 x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="2.2"/></filter>\
<g filter="url(#blur)" fill-opacity="{strength:.2f}">{warm}</g>{points}</svg>""")
_TAP = Markup('<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius}"/>')


def heat_map(taps: Sequence[OutlinePoint]) -> Markup:
    """Return all taps over an image: where several lie, it is darker.

    The more there are, the paler is each, so that the image stays visible below.
    """
    if not taps:
        return Markup()
    warm, points = (
        join(*(_TAP.format(kind=kind, x=100 * x, y=100 * y, radius=radius) for x, y in taps))
        for kind, radius in (("warm", 6), ("point", 0.9))
    )
    strength = min(0.35, max(0.05, 3.2 / len(taps)))
    return _HEAT.format(strength=strength, warm=warm, points=points)


_ROSTER = Markup("""<p>{state} <button type="button" data-move="joining">{change}</button>\
{silent}</p><ul>{pupils}</ul>""")
_PUPIL = Markup("""<li>Pupil {number}: {answers} answer{plural} <button type="button"\
 aria-label="Remove pupil {number}" data-move="remove-{number}" data-remove="[{number}]"\
 data-who="pupil {number}">Remove</button></li>""")
_SILENT = Markup("""<button type="button" data-move="remove-silent" data-remove="{numbers}"\
 data-who="{count} pupil{plural}">Remove {count} pupil{plural} without an answer</button>""")


def roster(pupils: Mapping[int, int], is_open: bool) -> Markup:
    """Return the pupils by number, with how many answers each gave, and what may be done."""
    silent = [number for number, answers in pupils.items() if not answers]
    plural = "" if len(silent) == 1 else "s"
    return _ROSTER.format(
        state="New pupils can join." if is_open else "New pupils cannot join.",
        change="Stop joining" if is_open else "Allow joining",
        silent=_SILENT.format(numbers=silent, count=len(silent), plural=plural) if silent else "",
        pupils=join(
            *(
                _PUPIL.format(number=number, answers=count, plural="" if count == 1 else "s")
                for number, count in pupils.items()
            )
        ),
    )


# --- what both show


_IMAGE = Markup("""<img src="{root}lessons/images/{file}" width="480" height="480"\
 draggable="false" alt="Image made for the prompt “{prompt}”">""")
_ANSWER = Markup("""<li class="choice{kind}">\
<span class="share" aria-hidden="true" style="width:{share:.0%}"></span>\
<span class="words">{choice}</span>{tags}<span class="number">{count}</span></li>""")


def _field(image: JudgedImage, root: str, has_truth: bool, **marking: Any) -> Markup:
    shown = _IMAGE.format(root=root, file=image.file, prompt=image.prompt)
    drawn = outline(image.outline) if has_truth and image.outline else Markup()
    return image_field(shown, drawn, **{"can_mark": False, **marking})


def _questions(image: JudgedImage) -> Markup:
    asked = (tag("li", fact.question) for fact in image.asked if not fact.added)
    return panel("The judge is asked", tag("ol", *asked), class_="questions")


def _answers(
    step: LessonStep, counts: Sequence[int], has_truth: bool, mine: int | None = None
) -> Markup:
    """Return the choices with how many of the class chose each; nobody can choose any longer."""
    items = []
    for number, (choice, count) in enumerate(zip(step.choices, counts, strict=True)):
        marks = {"mine": mine == number, "right": has_truth and step.right == number}
        kinds = [kind for kind, holds in marks.items() if holds]
        words = {"mine": ("your answer", "tag"), "right": ("right", "tag right")}
        tags = (tag("span", words[kind][0], class_=words[kind][1]) for kind in kinds)
        items.append(
            _ANSWER.format(
                kind="".join(f" {kind}" for kind in kinds),
                share=count / max(1, sum(counts)),
                choice=choice,
                tags=join(*tags),
                count=count,
            )
        )
    return tag("ul", *items, class_="choices answers", aria_label="Answers")


def _judge(image: JudgedImage, has_truth: bool) -> Markup:
    """Return what the judge answers; with the truth, how it did."""
    rows = []
    for fact in image.asked:
        added = " (added by the class)" if fact.added else ""
        word = fact.word if has_truth else None
        chip = tag("span", word, class_=f"tag {word.replace(' ', '-')}") if word else ""
        answer = tag("dd", fact.answer or "None of the choices", chip)
        rows.append(tag("div", tag("dt", f"{fact.question}{added}"), answer))
    return panel("The judge answers", tag("dl", *rows), class_="judge")


def _truth(step: LessonStep) -> Markup:
    image = step.image
    sentences = [*truth_sentences(image), *judge_sentences(image)] if image else []
    lines = [tag("p", sentence) for sentence in sentences]
    if step.reveal:
        lines.append(tag("p", step.reveal, class_="reveal"))
    return panel("The truth" if image else "Answer", *lines, class_="truth")
