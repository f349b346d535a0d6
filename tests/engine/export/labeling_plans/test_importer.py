"""An exported plan gives the same numbers in another store; what is here stays, and faults are one
sentence.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.export.labeling_plans.importer import import_plan
from hallascope.engine.export.labeling_plans.plan_file import FILE
from hallascope.engine.export.labeling_plans.writer import export_plan
from hallascope.engine.labeling import queue
from hallascope.engine.labeling.plan_labels import PlanLabels
from hallascope.engine.labeling.plans import LabelingPlan, find_plan
from hallascope.engine.labeling.progress import plan_progress
from hallascope.engine.labeling.report import rater_report
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.label_correction import CorrectedRow, correct_by_people
from hallascope.engine.storage.people.ratings import IHALLA
from tests.conftest import build
from tests.support.exchanged_plans import (
    IMAGES,
    OTHER_NAME,
    RECORDS,
    SECRET_NAME,
    build_labeled,
    label_images,
)
from tests.support.exports import NO_SECRETS
from tests.support.labeling_store import JUDGE, judge_image


@pytest.fixture(scope="module")
def labeled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, LabelingPlan]]:
    """A store with a labeled plan, which no test changes."""
    services, plan = build_labeled(tmp_path_factory.mktemp("labeled") / "home", "active")
    yield services, plan
    services.store.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Any]:
    services = build(tmp_path / "elsewhere")
    yield services
    services.store.close()


def send(labeled: tuple[Any, LabelingPlan], out: Path, **options: Any) -> Path:
    export_plan(*labeled, out, secrets=NO_SECRETS, **options)
    return out


def corrected_rows(services: Any, plan: LabelingPlan | None) -> tuple[CorrectedRow, ...]:
    shown = board(services.store, Query(IHALLA, filters=Filters(judge=JUDGE)))
    labels = PlanLabels(services.store, plan) if plan else None
    return correct_by_people(services.store, shown, plan=labels).rows


@pytest.mark.parametrize("with_names", [True, False])
def test_another_store_has_the_same_corrected_leaderboard_progress_and_report(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path, with_names: bool
) -> None:
    services, plan = labeled
    judge_image(
        other.store, "another prompt", "m/three", run="before", judge="j/two"
    )  # takes number 1
    found = import_plan(other, send(labeled, tmp_path / "out", with_names=with_names))
    assert (found.plan, found.images, found.labels, found.there) == (plan.id, IMAGES, RECORDS, 0)
    assert found.runs is not None
    assert found.runs.faults == []
    there = find_plan(other, plan.id)
    assert [replace(one, evaluation=0) for one in there.images] == [
        replace(one, evaluation=0) for one in plan.images
    ]
    rows = corrected_rows(services, None)
    assert all(row.score is not None for row in rows), "there is something to compare"
    assert corrected_rows(other, None) == rows
    assert corrected_rows(other, there) == corrected_rows(services, plan)
    assert plan_progress(other, there) == plan_progress(services, plan)
    expected, report = rater_report(services, plan), rater_report(other, there)
    assert (report.alpha, report.ceiling, report.judge) == (
        expected.alpha,
        expected.ceiling,
        expected.judge,
    )
    names = [SECRET_NAME, OTHER_NAME] if with_names else ["rater 1", "rater 2"]
    assert sorted(rater.rater for rater in report.raters) == sorted(names)


def test_a_second_import_changes_nothing_here_and_there(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path
) -> None:
    services, plan = labeled
    out = send(labeled, tmp_path / "out")
    import_plan(other, out)
    before = other.store.labeling.records(plan.id), other.store.ratings.all()
    again = import_plan(other, out)
    assert (again.labels, again.there) == (0, RECORDS)
    assert (other.store.labeling.records(plan.id), other.store.ratings.all()) == before
    # where they were given, pseudonyms are no new raters
    own = services.store.labeling.records(plan.id), services.store.ratings.all()
    assert import_plan(services, out).labels == 0
    assert (services.store.labeling.records(plan.id), services.store.ratings.all()) == own


def test_what_was_taken_back_since_the_export_stays_taken_back(tmp_path: Path) -> None:
    services, plan = build_labeled(tmp_path / "home")
    out = send((services, plan), tmp_path / "out")
    queue.undo(services, plan, SECRET_NAME)
    before = services.store.labeling.records(plan.id), services.store.ratings.all()
    assert import_plan(services, out).labels == 0
    assert (services.store.labeling.records(plan.id), services.store.ratings.all()) == before
    services.store.close()


def test_a_later_export_brings_what_is_new_and_takes_back_what_was_skipped_since(
    other: Any, tmp_path: Path
) -> None:
    services, plan = build_labeled(tmp_path / "home")
    import_plan(other, send((services, plan), tmp_path / "first"))
    label_images(services, plan, "Cy", 3)
    undone = queue.undo(services, plan, "Cy")
    queue.keep(services, plan, undone, ("A", "A"), "Cy")
    last = queue.undo(services, plan, SECRET_NAME)
    import_plan(other, send((services, plan), tmp_path / "second", runs=False))
    queue.skip(services, plan, last, SECRET_NAME)
    import_plan(other, send((services, plan), tmp_path / "third", runs=False))
    there = find_plan(other, plan.id)
    assert plan_progress(other, there) == plan_progress(services, plan)
    assert corrected_rows(other, None) == corrected_rows(services, None)
    assert {record.rater for record in other.store.labeling.records(plan.id)} == {
        "rater 1",
        "rater 2",
        "rater 3",
    }
    services.store.close()


def test_labeling_goes_on_where_the_plan_was_imported(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path
) -> None:
    services, plan = labeled
    found = import_plan(other, send(labeled, tmp_path / "out"))
    assert found.without_file == IMAGES, "no files of images came along"
    for image in plan.images:
        path = other.store.images.path(image.image)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(services.store.images.path(image.image).read_bytes())
    item = queue.next_image(other, find_plan(other, plan.id), "rater 1")
    expected = queue.next_image(services, plan, SECRET_NAME)
    assert item is not None
    assert expected is not None
    assert item.rateable.id == expected.rateable.id


# --- what is wrong ---


def test_without_its_runs_one_sentence_says_what_to_take_in(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path
) -> None:
    plan = labeled[1]
    out = send(labeled, tmp_path / "out", runs=False)
    with pytest.raises(BadRequest, match=r"32 of the 32 images of the plan .*`hallascope import`"):
        import_plan(other, out)
    assert other.store.labeling.plans() == []
    assert find_plan(labeled[0], plan.id) == plan


def test_another_plan_of_the_same_id_stays(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path
) -> None:
    out = send(labeled, tmp_path / "out")
    import_plan(other, out)
    fields = json.loads((out / FILE).read_text(encoding="utf-8"))
    fields["plan"]["title"] = "another"
    (out / FILE).write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises(BadRequest, match=r"^Another plan with the id .* is stored here: .*\.$"):
        import_plan(other, out)
    assert other.store.labeling.plans()[0].title == "=study"


def test_a_folder_without_a_plan_is_named(other: Any, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match=r"plan\.json' cannot be read .*hallascope label export"):
        import_plan(other, tmp_path)


Change = Callable[[dict[str, Any]], None]


def set_field(*path: Any) -> Change:
    """Return a change of a plan's file: the last of `path` is the value at the rest."""

    def change(fields: dict[str, Any]) -> None:
        *names, last, value = path
        place: Any = fields
        for name in names:
            place = place[name]
        place[last] = value

    return change


def add_record(fields: dict[str, Any]) -> None:
    fields["records"].append(fields["records"][0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_field("format", 9), "has the format 9, and this program reads 1"),
        (set_field("plan", None), "something at 'plan'"),
        (set_field("plan", "id", "../../x"), "no plan's id"),
        (set_field("plan", "design", "best"), "something at 'plan.design'"),
        (set_field("plan", "seed", 2**70), "more than 64 bits"),
        (set_field("plan", "raters_per_image", 6), "asks for 6 raters an image"),
        (set_field("plan", "attention_every", 1), "an attention check every 1 images"),
        (set_field("plan", "images", []), "holds no images"),
        (set_field("plan", "images", 0, "image", "../x"), "which is no SHA-256"),
        (set_field("plan", "images", 0, "item", "run/0:x"), "which is no run and image of it"),
        (set_field("plan", "images", 3, "position", 5), "in their order, from image 3 on"),
        (set_field("plan", "images", 0, "probability", 0.0), "has the probability 0.0"),
        (set_field("plan", "images", 0, "probability", 0.5), "do not sum to 1"),
        (set_field("plan", "images", 0, "unsure", 7), "unsure to 7.0"),
        (set_field("records", 0, "item", "x:y"), "which it does not plan"),
        (set_field("records", 0, "rater", ""), "which is no name"),
        (set_field("records", 0, "rater", "a\nb"), "which is no name"),
        (set_field("records", 0, "created", 1e300), "which is none in seconds"),
        (set_field("records", 0, "answers", []), "a label without answers"),
        (set_field("records", 0, "answers", 0, 1, "X"), "'X', which is none of A, B, C, D, E, ?"),
        (set_field("records", 0, "answers", 0, 1, "E"), "was not asked in this store"),
        (set_field("records", 0, "answers", 0, 0, "<b>other"), "was not asked in this store"),
        (add_record, "two labels of one image by the same rater"),
    ],
)
def test_a_hostile_or_broken_file_is_one_sentence_and_nothing_is_kept(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path, change: Change, words: str
) -> None:
    out = send(labeled, tmp_path / "out")
    fields = json.loads((out / FILE).read_text(encoding="utf-8"))
    change(fields)
    (out / FILE).write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises(BadRequest) as error:
        import_plan(other, out)
    assert words in str(error.value)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)
    assert other.store.labeling.plans() == []
    assert other.store.ratings.all() == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_cut_or_changed_file_is_read_or_refused_in_a_sentence(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path, data: Any
) -> None:
    out = tmp_path / "out"
    if not out.exists():
        send(labeled, out)
        import_plan(other, out)
        (tmp_path / "whole.json").write_bytes((out / FILE).read_bytes())
    whole = (tmp_path / "whole.json").read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    (out / FILE).write_bytes(whole[:start] + data.draw(st.binary(max_size=12)) + whole[end:])
    plans = [astuple(plan) for plan in other.store.labeling.plans()]
    problem = ""
    try:
        import_plan(other, out)
    except BadRequest as error:
        problem = str(error)
    assert re.fullmatch(r"([^\n]+\.)?", problem)
    assert [astuple(plan) for plan in other.store.labeling.plans()][: len(plans)] == plans
