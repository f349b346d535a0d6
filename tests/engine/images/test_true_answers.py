"""True answers follow from drawings, references, labels and people, in this order; where none of
them tells, nothing is said. No model gets to see one.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.draughtsman import Draughtsman
from hallascope.data.files import label_folder
from hallascope.data.records import Question
from hallascope.data.requests import Answer, Generate, Generated, Request
from hallascope.engine.events import Evaluated, EvaluateRequest, Evaluation
from hallascope.engine.images.true_answers import judge_errors, true_answers, unasked_errors
from hallascope.engine.run.calls import cache
from hallascope.engine.run.concept_resolution import in_primer, resolve_concepts
from hallascope.engine.storage.people.ratings import CHECK, IHALLA, QUESTION, RatingSubject
from hallascope.metrics.true_answers import JudgeErrors, TrueAnswer, is_judge_wrong
from hallascope.primer import scenes
from tests.conftest import build
from tests.support import fake_vision
from tests.support.label_folder import label, write

PROMPT = "a ladybug"
# what "primer/careless" draws of it with seed 0, in the order of the questions
DRAWN = ("Two", "Green", "Four", "Long and narrow", "Two round ears")
CANARY = "canary-of-the-drawing"


def evaluations(services: Any, **changes: Any) -> list[Evaluation]:
    request = EvaluateRequest(**{"prompt": PROMPT, "models": ("primer/careless",), **changes})
    events = services.evaluate(request)
    return [event.evaluation for event in events if isinstance(event, Evaluated)]


def questions_of(evaluation: Evaluation) -> list[Question]:
    return [verdict.question for verdict in evaluation.report.verdicts]


def truths_of(services: Any, evaluation: Evaluation, **options: Any) -> list[str | None]:
    found = true_answers(
        services.store,
        evaluation.image,
        evaluation.report.prompt,
        questions_of(evaluation),
        **options,
    )
    return [truth.text if truth else None for truth in found]


# --- drawings


def test_a_draughtsmans_image_answers_with_what_was_drawn_right_or_violated(services: Any) -> None:
    found = evaluations(services, models=("primer/careless", "primer/exact"))
    careless, exact = sorted(found, key=lambda evaluation: evaluation.model)
    questions = questions_of(careless)
    assert truths_of(services, careless) == list(DRAWN)
    assert truths_of(services, exact) == [question.choice(question.gold) for question in questions]
    truths = true_answers(services.store, careless.image, PROMPT, questions)
    for question, truth in zip(questions, truths, strict=True):
        assert truth
        assert truth.letter
        assert truth.source == "drawn"
        assert question.choice(truth.letter) == truth.text


def test_where_the_drawn_answer_is_no_choice_none_of_the_above_is_right(services: Any) -> None:
    (evaluation,) = evaluations(services)
    question = questions_of(evaluation)[0]
    own = tuple("A pair" if choice == "Two" else choice for choice in question.choices)
    (unknown,) = true_answers(
        services.store, evaluation.image, PROMPT, [replace(question, choices=own)]
    )
    assert unknown is None, "a person's own choice may say the same in other words"
    fact = next(f for f in scenes.parse(PROMPT).facts if f.question == question.text)
    offered = [text for text in (*fact.values.values(), *fact.others) if text != "Two"]
    shorter = replace(question, choices=(*offered[:3], "None of the above"))
    (none,) = true_answers(services.store, evaluation.image, PROMPT, [shorter])
    assert none == TrueAnswer("D", "Two", "drawn")


def test_a_reference_drawing_that_a_person_brings_is_known(services: Any) -> None:
    concepts = resolve_concepts(
        EvaluateRequest(prompt=PROMPT), services.store.keep_image, services.import_picture
    )
    assert concepts
    assert concepts.concepts[0].reference
    path = concepts.concepts[0].reference.path
    (evaluation,) = evaluations(services, models=(), images=(path,))
    questions = questions_of(evaluation)
    found = true_answers(services.store, evaluation.image, PROMPT, questions)
    assert [truth and truth.source for truth in found] == ["reference"] * 5
    assert truths_of(services, evaluation) == [
        question.choice(question.gold) for question in questions
    ]
    assert in_primer("a photograph of my cat") is None
    assert true_answers(services.store, evaluation.image, "a photograph of my cat", questions) == (
        (None,) * 5
    )


# --- labels and people


@pytest.fixture
def uploaded(services: Any, tmp_path: Path) -> Evaluation:
    """The evaluation of an image that no drawing knows, item 002 of the store's label folder."""
    write(services.store.folder / "labels" / "mine")
    path = label_folder.picture(services.store.folder / "labels" / "mine", "002")
    (evaluation,) = evaluations(services, models=(), images=(path,))
    return evaluation


def give_label(services: Any, marks: str, labeler: str = "ada") -> None:
    folder = services.store.folder / "labels" / "mine"
    items, _ = label_folder.read_items(folder)
    label_folder.add_labels(folder, [label(items[1], marks, labeler)])


def test_a_label_tells_the_truth_of_the_same_pixels_but_not_what_cannot_be_told(
    services: Any, uploaded: Evaluation
) -> None:
    give_label(services, "B?.AE")
    questions = questions_of(uploaded)
    found = true_answers(services.store, uploaded.image, PROMPT, questions)
    assert found == (
        TrueAnswer("B", questions[0].choice("B"), "label"),
        None,
        None,
        TrueAnswer("A", questions[3].choice("A"), "label"),
        TrueAnswer("E", "None of the above", "label"),
    )
    give_label(services, "A????")
    assert truths_of(services, uploaded)[:2] == [questions[0].choice("A"), None], "the last label"
    (other,) = evaluations(
        services,
        models=(),
        images=(label_folder.picture(services.store.folder / "labels" / "mine", "001"),),
    )
    assert truths_of(services, other) == [None] * 5, "of other pixels nothing is said"


def test_where_two_people_labeled_what_all_say_who_could_tell_is_the_truth(
    services: Any, uploaded: Evaluation
) -> None:
    give_label(services, "AB?A?")
    give_label(services, "ACB.?", "bo")
    questions = questions_of(uploaded)
    assert truths_of(services, uploaded) == [
        questions[0].choice("A"),
        None,
        questions[2].choice("B"),
        questions[3].choice("A"),
        None,
    ]


def test_people_tell_the_truth_where_they_agree_and_can_be_left_out(
    services: Any, uploaded: Evaluation
) -> None:
    questions = questions_of(uploaded)

    def say(rater: str, number: int, words: str, metric: str = IHALLA) -> None:
        about = f"{QUESTION}{questions[number].text}"
        subject = RatingSubject(uploaded.image, metric, PROMPT, about, rater)
        services.store.ratings.keep(subject, words)

    for number, letter in enumerate(("A", "B", "C")):
        say("ann", number, questions[number].choice(letter))  # type: ignore[arg-type]
    say("bob", 0, "?")
    say("bob", 1, questions[1].choice("C"))
    say("bob", 2, questions[2].choice("C"))
    say("ann", 3, questions[3].choice("A"), CHECK)
    found = true_answers(services.store, uploaded.image, PROMPT, questions)
    assert [truth and (truth.letter, truth.source) for truth in found] == [
        ("A", "people"),
        None,
        ("C", "people"),
        None,
        None,
    ]
    assert truths_of(services, uploaded, people=False) == [None] * 5
    assert true_answers(services.store, uploaded.image, "another prompt", questions) == (None,) * 5


# --- where the judge is wrong


def test_a_judge_is_wrong_where_its_letter_is_not_the_true_one(services: Any) -> None:
    (evaluation,) = evaluations(services)
    first = evaluation.report.verdicts[0]
    truth = TrueAnswer("B", "Two", "drawn")
    assert is_judge_wrong(replace(first, answer="B"), truth) is False
    assert is_judge_wrong(replace(first, answer="C"), truth) is True
    assert is_judge_wrong(replace(first, answer=None), truth) is None
    assert is_judge_wrong(first, None) is None
    assert is_judge_wrong(first, TrueAnswer(None, "Six", "drawn")) is True, "no choice is right"


def test_the_errors_of_a_run_count_answers_whose_truth_is_known(
    make_services: Callable[..., Any],
) -> None:
    services = make_services(lambda ask: Answer("A"))
    errors = judge_errors(services.store, evaluations(services, trials=2))
    assert errors == JudgeErrors(wrong=6, known=10)
    assert errors.sentence == "The judge is wrong on 6 of 10 answers that can be checked."
    assert JudgeErrors().sentence == ""
    assert JudgeErrors(1, 1).sentence == "The judge is wrong on the one answer that can be checked."


# --- no model sees it


@pytest.mark.parametrize("kind", ["drawn", "seen"])
def test_no_request_holds_what_was_drawn_and_no_run_reads_it(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws, made = fake_vision.draws, Draughtsman._draw
    requests: list[Request] = []
    key = cache.key

    def remember(request: Request, *rest: Any, **options: Any) -> str:
        requests.append(request)
        return key(request, *rest, **options)

    def known(request: Generate) -> Generated:
        return replace(draws(request), truth={"secret": CANARY})

    def drawn(self: Draughtsman, request: Generate) -> Any:
        reply = made(self, request)
        assert isinstance(reply, Generated)
        return replace(reply, truth={**(reply.truth or {}), "secret": CANARY})

    monkeypatch.setattr(fake_vision, "draws", known)
    monkeypatch.setattr(Draughtsman, "_draw", drawn)
    monkeypatch.setattr("hallascope.engine.run.driver.key", remember)
    services = (build if kind == "drawn" else fake_vision.build)(tmp_path / "home")
    read = services.store.truth
    monkeypatch.setattr(services.store, "truth", lambda image: pytest.fail("a run reads it"))
    if kind == "drawn":
        (found, *_) = evaluations(services, metrics=("ihalla", "tifa"))
        roles = {"judge"}
    else:
        metrics = ("fig", "scene-graph", "tifa")
        prompt = fake_vision.made().prompt
        (found, *_) = evaluations(
            services, metrics=metrics, prompt=prompt, models=("eyes/painter",)
        )
        roles = {"judge", "captioner", "detector"}
    assert read(found.image)["secret"] == CANARY
    assert {request.role for request in requests} >= roles
    for request in requests:
        assert CANARY not in repr(request)
        for image in (*getattr(request, "images", ()), getattr(request, "image", None)):
            assert image is None or CANARY.encode() not in image.path.read_bytes()
    services.store.close()


# --- errors that no question asks for ---


def test_an_error_that_no_question_asks_for_is_told_with_its_parts(services: Any) -> None:
    (evaluation,) = evaluations(services)
    asked = questions_of(evaluation)
    image = evaluation.image
    all_errors = unasked_errors(services.store, image, PROMPT, [])
    known = unasked_errors(services.store, image, PROMPT, asked)
    assert {error.question for error in known} == {error.question for error in all_errors} - {
        question.text for question in asked
    }
    wrong = {error.question: error for error in all_errors}
    for question, drawn in zip(asked, DRAWN, strict=True):
        is_wrong = question.choice(question.gold) != drawn
        assert (question.text in wrong) == is_wrong
        if is_wrong:
            assert wrong[question.text].shown == drawn
            assert wrong[question.text].expected == question.choice(question.gold)
            assert wrong[question.text].parts == question.regions
