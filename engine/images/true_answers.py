"""Finds the true answers to questions about stored images, for people to read beside a verdict.

They come from what a simulated model drew, from Primer's reference drawings, from labeled sets and
from people's answers, in this order. Nothing that asks a model may use this module.
"""

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, LabelItem, LabelMark
from hallascope.data.outlines import Polygon, trace
from hallascope.data.records import LETTERS, Picture, Question, Report
from hallascope.engine.events import Evaluation
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.plan import is_none_of_the_above, none_letter
from hallascope.metrics.true_answers import (
    JudgeErrors,
    TrueAnswer,
    TrueAnswers,
    TruthSource,
    UnaskedError,
    count_errors,
)
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench
from hallascope.primer.scenes import CannotDraw, Scene
from hallascope.primer.truth.answers import DrawnPicture, answer_from_drawing

SHIPPED = Path(__file__).parents[2] / "data" / "labelled"
LABELS = "labels"  # the folder of a store that holds a person's own label folders

AnswerFinder = Callable[[Question], TrueAnswer | None]


def true_answers(
    store: Store,
    image: str,
    prompt: str,
    questions: Sequence[Question],
    *,
    people: bool = True,
) -> TrueAnswers:
    """Return the true answer to each question about a stored image (its SHA-256), with its source.

    `prompt`: what the image was judged for. `people`: whether what people of this store answered
    counts. None stands where the truth is not known; nothing is guessed.
    """
    if not questions:
        return ()
    answers: list[TrueAnswer | None] = [None] * len(questions)
    for find in _finders(store, image, prompt, people):
        answers = [
            known or find(question) for known, question in zip(answers, questions, strict=True)
        ]
        if all(answers):
            break
    return tuple(answers)


def drawn_answers(store: Store, image: str, questions: Sequence[Question]) -> TrueAnswers:
    """Return what a simulated model drew of each question about its image (a SHA-256).

    All are None for other images. It asks no other source, and so takes little time for many
    images.
    """
    drawing = stored_drawing(store, image)
    if drawing is None:
        return (None,) * len(questions)
    return tuple(_answer_of_drawing(drawing, "drawn", question) for question in questions)


def unasked_errors(
    store: Store, image: str, prompt: str, questions: Sequence[Question]
) -> tuple[UnaskedError, ...]:
    """Return what is wrong in a stored image (its SHA-256) and is asked by none of the questions.

    It is known of drawings alone: () for all other images. `prompt`: what the image was judged for.
    """
    drawing = stored_drawing(store, image) or _references(prompt).get(image)
    if drawing is None:
        return ()
    texts = {question.text for question in questions}
    facts = drawing.scene.facts
    settled = {fact.parameter for fact in facts if fact.question in texts}
    errors = []
    for fact in facts:
        value = drawing.values.get(fact.parameter)
        if value is None or value not in fact.values or value == fact.truth:
            continue
        if fact.parameter in settled:
            continue
        settled.add(fact.parameter)  # several questions may be about one
        errors.append(
            UnaskedError(
                question=fact.question,
                shown=fact.values[value],
                expected=fact.gold,
                coi=fact.coi,
                parts=fact.parts,
            )
        )
    return tuple(errors)


def report_truths(store: Store, report: Report, *, people: bool = True) -> TrueAnswers:
    """Return the true answers to the questions of a report, in the order of its verdicts."""
    questions = [verdict.question for verdict in report.verdicts]
    return true_answers(store, report.image, report.prompt, questions, people=people)


def judge_errors(
    store: Store, evaluations: Sequence[Evaluation], *, people: bool = True
) -> JudgeErrors:
    """Count where judges are wrong, over all answers of these evaluations whose truth is known."""
    errors = JudgeErrors()
    for evaluation in evaluations:
        truths = report_truths(store, evaluation.report, people=people)
        errors += count_errors(evaluation.report.verdicts, truths)
    return errors


def _finders(store: Store, image: str, prompt: str, people: bool) -> Iterator[AnswerFinder]:
    """Yield what finds an answer, the surest source first; each looks up only what it needs."""
    if drawing := stored_drawing(store, image):
        yield partial(_answer_of_drawing, drawing, "drawn")
    elif reference := _references(prompt).get(image):
        yield partial(_answer_of_drawing, reference, "reference")
    folders = label_folders(store)
    picture = store.picture(image)
    if picture and folders:
        yield partial(_labeled_answer, folders, picture)
    if people:
        yield partial(_people_answer, store.ratings.for_picture(image, IHALLA, prompt))


def _choose(question: Question, text: str, source: TruthSource) -> TrueAnswer | None:
    """Return the answer as the choice that says it; None where no choice does."""
    folded = text.strip().casefold()
    for choice, letter in zip(question.choices, LETTERS, strict=False):
        if choice.strip().casefold() == folded:
            return TrueAnswer(letter, choice, source)
    return None


# --- drawings ---


def stored_drawing(store: Store, image: str) -> DrawnPicture | None:
    """Return what a draftsman kept of an image (a SHA-256); None where it is unreadable."""
    return _drawn_picture(store.truth(image) or {})


def _drawn_picture(truth: Mapping[str, Any]) -> DrawnPicture | None:
    prompt, values = truth.get("prompt"), truth.get("values")
    if not isinstance(prompt, str) or not isinstance(values, Mapping):
        return None
    if not all(isinstance(value, str | int) for value in values.values()):
        return None
    scene = _scene(prompt)
    return DrawnPicture(scene, values) if scene else None


@lru_cache(maxsize=256)
def _scene(prompt: str) -> Scene | None:
    """Return the scene of a prompt; None where this version of Primer cannot draw it."""
    try:
        return scenes.parse(prompt)
    except CannotDraw:
        return None


@lru_cache(maxsize=256)
def _references(prompt: str) -> Mapping[str, DrawnPicture]:
    """Return the reference drawings of a prompt's concepts, by the SHA-256 of their image."""
    try:
        concepts = factualbench.factual(prompt).concepts
    except CannotDraw:
        return {}
    drawings = {}
    for concept in concepts:
        stream = io.BytesIO()
        factualbench.reference(concept).image(factualbench.REFERENCE_SIZE).save(stream, "PNG")
        scene = scenes.parse(concept.phrase or concept.name)
        drawing = DrawnPicture(scene, scene.truths())
        drawings[hashlib.sha256(stream.getvalue()).hexdigest()] = drawing
    return drawings


def _answer_of_drawing(
    drawing: DrawnPicture, source: TruthSource, question: Question
) -> TrueAnswer | None:
    drawn = answer_from_drawing(drawing.scene, drawing.values, question.text)
    if drawn is None:
        return None
    if chosen := _choose(question, drawn.text, source):
        return chosen
    rivals = {text.casefold() for text in drawn.rivals}
    others = [choice for choice in question.choices if not is_none_of_the_above(choice)]
    if not all(choice.strip().casefold() in rivals for choice in others):
        return None  # one of them may say the same in other words
    return TrueAnswer(none_letter(question), drawn.text, source)


# --- labeled sets ---


def label_folders(store: Store) -> tuple[Path, ...]:
    """Return the folders of labels that are known: the shipped ones, then the store's own."""
    return tuple(
        folder.parent
        for place in (SHIPPED, store.folder / LABELS)
        for folder in sorted(place.glob(f"*/{label_folder.LABELS}"))
    )


class _LabeledSet(NamedTuple):
    """Holds the items of a label folder and, by item, the last marks that a person gave."""

    items: tuple[LabelItem, ...]
    marks: Mapping[str, tuple[LabelMark | None, ...]]


def _labeled_answer(
    folders: Sequence[Path], picture: Picture, question: Question
) -> TrueAnswer | None:
    for folder in folders:
        labeled = _labeled_set(folder, _age(folder))
        for item in labeled.items:
            mark = label_mark(item, labeled.marks.get(item.id, ()), question)
            if mark is None or mark == CANNOT_BE_TOLD:
                continue
            if is_labeled_image(folder, item, picture):
                return TrueAnswer(mark, question.choice(mark), "label")
    return None


def label_mark(
    item: LabelItem, marks: Sequence[LabelMark | None], question: Question
) -> LabelMark | None:
    """Return the mark that a label gives a question, by the letters of this question's choices.

    None where the label has none, or where no choice says the same; "None of the above" does only
    where the choices are those that the person saw.
    """
    for asked, mark in zip(item.questions, marks, strict=False):
        if asked.text != question.text or mark is None:
            continue
        if mark == CANNOT_BE_TOLD:
            return CANNOT_BE_TOLD
        text = asked.choice(mark)
        if is_none_of_the_above(text) and _folded(asked) != _folded(question):
            return None
        chosen = _choose(question, text, "label")
        return chosen.letter if chosen else None
    return None


def _folded(question: Question) -> frozenset[str]:
    return frozenset(choice.strip().casefold() for choice in question.choices)


def _age(folder: Path) -> tuple[int, ...]:
    """Return when the files of a label folder were changed last, 0 where one is missing."""
    files = (folder / label_folder.ITEMS, folder / label_folder.LABELS)
    return tuple(file.stat().st_mtime_ns if file.is_file() else 0 for file in files)


@lru_cache(maxsize=16)
def _labeled_set(folder: Path, age: tuple[int, ...]) -> _LabeledSet:
    """Read a label folder; what cannot be read of it counts as not labeled.

    Of an image that several people labeled, what all say who could tell counts.

    `age` only makes a changed folder another key.
    """
    del age
    try:
        items, _ = label_folder.read_items(folder)
        by_labeler, _ = label_folder.read_labels(folder, items)
    except (ValueError, OSError):
        return _LabeledSet((), {})
    answers = {}
    for item in items:
        labels = label_folder.labels_of(item, by_labeler)
        if labels:
            answers[item.id] = label_folder.agreed_answers(labels)
    return _LabeledSet(tuple(items), answers)


def is_labeled_image(folder: Path, item: LabelItem, picture: Picture) -> bool:
    """Return whether the stored image is the labeled one: the same file, or the same pixels.

    A label folder holds WebP without loss, a store PNG, so that their SHA-256 differ.
    """
    if item.sha256 == picture.sha256:
        return True
    labeled = _pixels(label_folder.picture(folder, item.id), item.sha256)
    return labeled is not None and labeled == _pixels(picture.path, picture.sha256)


@lru_cache(maxsize=4096)
def _pixels(path: Path, sha256: str) -> str | None:
    """Return the SHA-256 of an image's size and pixels; None where its file is not that image."""
    from PIL import Image

    try:
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            return None
        with Image.open(io.BytesIO(data)) as image:
            pixels = image.convert("RGB").tobytes()
            return hashlib.sha256(f"{image.size} ".encode() + pixels).hexdigest()
    except (OSError, ValueError):
        return None


# --- people ---


def _people_answer(
    ratings: Mapping[str, Mapping[str, str]], question: Question
) -> TrueAnswer | None:
    """Return what people answered; None where nobody did, or they do not agree.

    Those who could not tell do not count, and answers given with a judge's in sight are kept under
    another metric.
    """
    answers = set(ratings.get(f"{QUESTION}{question.text}", {}).values()) - {CANNOT_BE_TOLD}
    return _choose(question, answers.pop(), "people") if len(answers) == 1 else None


# --- where the parts of a drawing are ---

REGION_SIZE = 320  # pixels of the part map the outlines are taken from


def drawing_regions(truth: Mapping[str, Any]) -> dict[str, tuple[Polygon, ...]]:
    """Return outlines by the name of the part and of its concept, in [0, 1].

    They are measured from the upper left.

    `truth` is what a draftsman kept of the picture; {} where it tells no drawing that this
    version of Primer makes.
    """
    drawn = _drawn_picture(truth)
    if drawn is None:
        return {}
    import numpy as np

    drawing = drawn.scene.draw(drawn.values, truth.get("chance", 0))
    index = drawing.part_map(REGION_SIZE)
    outlines: dict[str, tuple[Polygon, ...]] = {}
    # each part by itself: parts that touch are still counted apart
    for i, part in enumerate(drawing.parts):
        outlines[part.name] = outlines.get(part.name, ()) + trace(index == i)
    for owner in {part.owner for part in drawing.parts} - set(outlines):
        own_parts = [i for i, part in enumerate(drawing.parts) if part.owner == owner]
        outlines[owner] = trace(np.isin(index, own_parts))
    return {name: polygons for name, polygons in outlines.items() if polygons}
