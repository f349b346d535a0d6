"""What ships for teaching is what the code draws and the judge answers today."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hallascope.data.models.specs import read_models
from hallascope.data.outlines import polygons
from hallascope.data.teaching import class_lesson
from hallascope.data.teaching.judged_image import outline_path
from hallascope.data.teaching.odd_one_out import FOLDER, read_rounds
from hallascope.engine.export.importer import import_runs
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.teaching import walkthrough
from hallascope.engine.teaching.exercises import JUDGE
from hallascope.engine.teaching.shipped_lessons import (
    LESSON_SIDE,
    ask_about_images,
    make_lessons,
)
from hallascope.metrics.ihalla import plan
from hallascope.primer.scenes import ASKED
from hallascope.primer.teaching.exercises import short_question
from hallascope.primer.teaching.odd_one_out import EXAMPLE, ROUNDS

ROUND = 11  # the Big Dipper, in which the judge misses the error


def test_the_facts_and_outlines_that_ship_are_those_of_the_drawings() -> None:
    shipped = read_rounds()
    for spec, own in zip((EXAMPLE, *ROUNDS), (shipped.example, *shipped.rounds), strict=True):
        assert (own.name, own.odd) == (spec.name, spec.odd)
        assert {image.prompt for image in own.images} == {spec.prompt}
        assert [image.seed for image in own.images] == list(spec.seeds)
        facts = spec.wrong.facts
        for drawn, image in zip(spec.images, own.images, strict=True):
            assert [(one.question, one.expected, one.drawn) for one in image.facts] == [
                (short_question(fact.question), fact.gold, answer)
                for fact, answer in zip(facts, drawn.answers(facts), strict=True)
            ], f"{spec.prompt}, {image.seed}"
            assert [one.asked for one in image.facts] == [
                place < ASKED for place in range(len(facts))
            ]
    drawn = ROUNDS[ROUND].wrong
    assert drawn.exercise
    assert drawn.exercise.lit
    shown = shipped.rounds[ROUND].images[shipped.rounds[ROUND].odd]
    assert shown.outline == outline_path(polygons(drawn.exercise.lit))
    assert shown.why == drawn.reason


@pytest.mark.full
def test_the_judge_answers_as_the_file_says(tmp_path: Path) -> None:
    shipped = read_rounds()
    own = shipped.rounds[ROUND]
    services = Services(Store(folder=tmp_path), read_models(), {})
    try:
        assert services.registry.bind(JUDGE).revision == shipped.judge_revision
        assert plan.metric().version == shipped.metric_version
        questions = ROUNDS[ROUND].wrong.questions
        files = [FOLDER / image.file for image in own.images]
        answered = ask_about_images(services, own.images[0].prompt, questions, files)
    finally:
        services.store.close()
    for image, verdicts in zip(own.images, answered, strict=True):
        assert [fact.state for fact in image.asked] == [v.state for v in verdicts]
        assert image.correct == plan.correct(verdicts)


@pytest.mark.full
def test_what_ships_is_what_is_made(tmp_path: Path) -> None:
    services = Services(Store(folder=tmp_path / "home"), read_models(), {})
    try:
        made = make_lessons(services, tmp_path / "lessons")
    finally:
        services.store.close()
    assert made == class_lesson.read_class_lessons()
    files = sorted(file.name for file in class_lesson.FOLDER.glob("*.webp"))
    assert files == sorted(file.name for file in (tmp_path / "lessons").glob("*.webp"))
    for file in files:
        now, shipped = (
            np.asarray(Image.open(folder / file).convert("RGB"), dtype=float)
            for folder in (tmp_path / "lessons", class_lesson.FOLDER)
        )
        assert now.shape == shipped.shape == (LESSON_SIDE, LESSON_SIDE, 3)
        # another version of the WebP library may give other bytes, no other image
        assert np.abs(now - shipped).mean() < 2, file


def test_what_ships_can_be_read_by_this_version_and_has_all_five_methods(
    services: Services, tmp_path: Path
) -> None:
    store = Store("sqlite://", tmp_path / "elsewhere")
    found = import_runs(store, walkthrough.FOLDER)
    store.close()
    assert (found.faults, found.missing, found.evaluations) == ([], 0, len(walkthrough.METRICS))
    ships = walkthrough.read(services)
    assert {fault.shown for fault in ships.faults} == {"Five", "An oxygen atom (red)"}
    assert [
        report.evidence.findings[0].expected for report in ships.facts.halo if report.evidence
    ] == [one.text for one in walkthrough.QUESTIONS]
    assert ships.shot.path
    assert ships.shot.path.exists()
    assert not services.store.runs(), "nothing of it is in the visitor's own store"
