"""Scores of a leaderboard are corrected by what people answered about its images."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import Label, LabelItem
from hallascope.data.records import State
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.leaderboard.label_correction import (
    CorrectedRow,
    LabelCorrection,
    correct_by_people,
)
from hallascope.engine.storage.people.ratings import CHECK, IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep
from tests.support.ratings import rating_of

PROMPTS = 24
LABELED = 12


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A judge that finds every prompt of m/one right, each with a question on color and shape."""
    store = Store(folder=tmp_path)
    for i in range(PROMPTS):
        keep(store, said(i))
    yield store
    store.close()


def said(i: int, states: tuple[State, State] = ("correct", "correct")) -> Said:
    return Said(f"prompt {i}", "m/one", states, cois=("color", "shape"), run=f"r{i}")


def answer(store: Store, i: int, question: int, words: str, rater: str = "Ann") -> None:
    """Keep what a person answers; "Yes" is the expected answer of every question."""
    about = RatingSubject(
        image=said(i).image,
        metric=IHALLA,
        prompt=f"prompt {i}",
        finding=f"{QUESTION}{question}?",
        rater=rater,
    )
    store.ratings.keep(about, words)


def corrected(store: Store, by: Grouping = "model") -> list[CorrectedRow]:
    return list(correct_by_people(store, board(store, Query(by=by))).rows)


def test_where_people_see_errors_that_the_judge_missed_the_score_falls(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "No" if i < 6 else "Yes")
        answer(store, i, 1, "Yes")
    (row,) = corrected(store)
    assert row.score is not None
    # Of 24 answers of people 6 are not the expected one, the judge says none.
    assert row.score.judge == 1
    assert row.score.value == pytest.approx(0.75)
    assert row.score.bias == pytest.approx(0.25)
    assert (row.labeled, row.score.judged) == (LABELED, PROMPTS)
    assert row.sentence.startswith("m/one: the judge says 0.25 more than people (0.")
    assert "12 prompts labeled" in row.sentence
    values = {row.group: row.score.value for row in corrected(store, "coi") if row.score}
    assert values == {"color": pytest.approx(0.5), "shape": pytest.approx(1.0)}


def test_what_cannot_be_told_widens_the_bounds_and_counts_as_no_answer(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "Yes")
        answer(store, i, 1, "?")
    (row,) = corrected(store)
    assert row.score is not None
    assert row.score.value == 1
    assert row.score.lowest == pytest.approx(0.5)
    assert row.score.highest == 1


def test_an_answer_given_after_the_judges_was_seen_counts_nowhere(store: Store) -> None:
    for i in range(LABELED + 2):
        answer(store, i, 0, "Yes")
    for i, created in enumerate((1.0, 4e9)):  # before all answers, and after
        seen = RatingSubject(said(i).image, CHECK, f"prompt {i}", f"{QUESTION}0?", "Ann")
        store.ratings.keep_all([rating_of(seen, "No", created)])
    found = correct_by_people(store, board(store, Query()))
    assert found.rows[0].labeled == LABELED + 1
    assert found.labels is not None
    assert (found.labels.excluded, found.labels.images, found.labels.judged) == (1, 13, 13)
    assert "left out: 1 answer by persons who had seen the judge's" in found.labels.sentence
    assert found.rows[0].score is not None
    assert found.rows[0].score.value == 1


def test_a_label_counts_only_where_its_image_is_on_the_leaderboard(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "Yes")
    prompts = tuple(f"prompt {i}" for i in range(3, PROMPTS))
    shown = board(store, Query(filters=Filters(prompts=prompts)))
    (row,) = correct_by_people(store, shown).rows
    assert (row.labeled, row.needed, row.score) == (LABELED - 3, 1, None)
    assert row.sentence == "m/one: label 1 more prompt to correct its score."


def test_trials_of_a_judge_are_averaged(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "Yes")
        answer(store, i, 1, "Yes")
        again = Said(f"prompt {i}", "m/one", ("incorrect", "correct"), trial=1, run=f"r{i}")
        keep(store, again)
    (row,) = corrected(store)
    assert row.score is not None
    assert row.score.bias == pytest.approx(-0.25)
    assert row.score.value == pytest.approx(1)


def test_the_same_image_by_two_models_counts_for_both_and_their_difference_is_corrected(
    store: Store,
) -> None:
    for i in range(PROMPTS):
        other: tuple[State, State] = ("incorrect" if i % 2 else "correct", "correct")
        keep(store, Said(f"prompt {i}", "m/two", other, cois=("color", "shape"), run=f"s{i}"))
    for i in range(LABELED):
        for model in ("m/one", "m/two"):
            image = Said(f"prompt {i}", model).image
            about = RatingSubject(image, IHALLA, f"prompt {i}", f"{QUESTION}0?", "Ann")
            store.ratings.keep(about, "No" if i % 2 else "Yes")
    found = correct_by_people(store, board(store, Query()))
    (pair,) = found.pairs
    assert (pair.one, pair.other, pair.group, pair.needed) == ("m/one", "m/two", "", 0)
    assert pair.difference is not None
    # The judge sees a difference where people see none.
    assert pair.difference.judge == pytest.approx(0.25)
    assert pair.difference.low < 0 < pair.difference.high
    assert (pair.difference.labeled, pair.difference.judged) == (LABELED, PROMPTS)


# --- a folder of labels ---


# a person chose from five, the judge from the first two
CHOICES = ("Yes", "No", "Both", "A part", "None of the above")


@dataclass(frozen=True)
class Drawn(Said):
    """One evaluation whose image has a color of its own."""

    number: int = 0

    @property
    def image(self) -> str:
        return sha256(encoded(self.number, "PNG")).hexdigest()


def encoded(number: int, form: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (16, 16), (number, 90, 160)).save(stream, form, lossless=True)
    return stream.getvalue()


def drawn(i: int) -> Drawn:
    return Drawn(f"prompt {i}", "m/drawn", ("correct", "correct"), run=f"d{i}", number=i)


@pytest.fixture
def folder(store: Store, tmp_path: Path) -> Path:
    """Labels of the images of a model, as WebP where the store has PNG; the last is not judged."""
    folder = tmp_path / "labels"
    (folder / label_folder.PICTURES).mkdir(parents=True)
    items = []
    for i in range(LABELED + 1):
        said = drawn(i)
        if i < LABELED:
            keep(store, said)
            store.keep_image(encoded(i, "PNG"))
        data = encoded(i, "WEBP")
        label_folder.picture(folder, f"{i:03}").write_bytes(data)
        questions = tuple(
            replace(verdict.question, choices=CHOICES) for verdict in said.report.verdicts
        )
        item = LabelItem(
            id=f"{i:03}",
            prompt=said.prompt,
            model="m/drawn",
            seed=0,
            sha256=sha256(data).hexdigest(),
            questions=questions,
        )
        items.append(item)
    text = "".join(map(label_folder.item_line, items))
    (folder / label_folder.ITEMS).write_text(text, encoding="utf-8")
    return folder


def by_folder(store: Store, folder: Path) -> LabelCorrection:
    shown = board(store, Query(filters=Filters(models=("m/drawn",))))
    return correct_by_people(store, shown, folder)


def test_labels_of_a_folder_count_for_images_with_the_same_pixels(
    store: Store, folder: Path
) -> None:
    labels = [Label(f"{i:03}", "ada", ("B" if i < 3 else "A", "A")) for i in range(LABELED + 1)]
    label_folder.add_labels(folder, labels)
    found = by_folder(store, folder)
    (row,) = found.rows
    assert row.score is not None
    assert row.score.value == pytest.approx(1 - 3 / 24)
    assert (row.labeled, row.score.judged) == (LABELED, LABELED)
    assert found.labels is not None
    assert (found.labels.images, found.labels.judged) == (LABELED + 1, LABELED)
    assert found.labels.sentence == (f"Labels of {folder}: 13 images by 1 person, judged here: 12.")
    assert "hold only if the labeled prompts were drawn at random" in found.sampling
