"""Images of a folder are stored under their model's name, counted before, judged and ranked."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import Price, read_models
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.image_folders.groups import UnclearModel, check_model_name, choose_name
from hallascope.engine.image_folders.judging import (
    FolderJudged,
    FolderJudging,
    ImageTaken,
    JudgingEvent,
)
from hallascope.engine.image_folders.preview import MatchPreview, preview_images
from hallascope.engine.image_folders.records import OpenedImages, UnmatchedFile
from hallascope.engine.image_folders.sources import open_folder
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import SweepStore
from tests.conftest import build
from tests.support.image_folders import (
    PROMPTS,
    drawing,
    write,
    write_compbench,
    write_geneval,
    write_table,
)
from tests.support.scripted_models import scripted, serve

TEMPLATE = EvaluateRequest(prompt="", metrics=("ihalla",))


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    opened = build(tmp_path / "home")
    yield opened
    opened.store.close()


def judge(
    services: Services,
    opened: OpenedImages,
    name: str = "dalle-3",
    template: EvaluateRequest = TEMPLATE,
) -> list[JudgingEvent]:
    return list(FolderJudging(services, opened, template, SpendingPolicy(), name=name).events())


def taken(events: list[JudgingEvent]) -> list[ImageTaken]:
    return [event for event in events if isinstance(event, ImageTaken)]


def unmatched(events: list[JudgingEvent]) -> list[str]:
    return [str(event) for event in events if isinstance(event, UnmatchedFile)]


def sweep_of(events: list[JudgingEvent]) -> str:
    last = events[-1]
    assert isinstance(last, FolderJudged)
    return last.sweep


def test_an_image_keeps_where_it_comes_from(services: Services, tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images", PROMPTS[:1], samples=2)
    sweep = sweep_of(judge(services, open_folder(folder)))
    (run,) = SweepStore(services.store.database).runs(sweep)
    first, second = services.store.generated_pictures(run)
    assert (first.model, first.seed, second.seed) == ("dalle-3", 0, 1)
    slots = services.store.run(run).request.origins
    assert slots[1].file == "00000/samples/0001.png"
    assert slots[1].layout == "geneval"
    content = (folder / slots[1].file).read_bytes()
    assert hashlib.sha256(content).hexdigest() == slots[1].sha256


def test_the_same_again_adds_nothing_and_a_new_image_is_added_alone(
    services: Services, tmp_path: Path
) -> None:
    folder = write_compbench(tmp_path / "images", samples=1)
    first = judge(services, open_folder(folder))
    again = judge(services, open_folder(folder))
    assert [image.known for image in taken(again)] == [True] * 3
    assert sweep_of(again) == sweep_of(first)
    assert all(e.evaluation.cached for e in again if isinstance(e, Evaluated))
    write(folder / "samples" / f"{PROMPTS[0]}_000009.png", drawing(PROMPTS[0], 9))
    more = judge(services, open_folder(folder))
    assert sorted(image.known for image in taken(more)) == [False, True, True, True]
    (row,) = board(services.store, Query("ihalla")).rows
    assert (row.model, row.n) == ("dalle-3", len(PROMPTS))
    apart = Query("ihalla", filters=Filters(runs=(sweep_of(first),)))
    assert board(services.store, apart).rows == (row,)
    totals = SweepStore(services.store.database).totals(sweep_of(first))
    assert (totals.items, totals.done) == (4, 4)  # the prompt of the new image has a second run


def test_what_cannot_be_used_is_listed_by_file_and_the_rest_is_judged(
    services: Services, tmp_path: Path
) -> None:
    images = tmp_path / "images"
    write(images / "good.png", drawing(PROMPTS[0]))
    write(images / "text.png", "no image")
    write(images / "cut.png", drawing(PROMPTS[0])[:200])
    rows = [
        {"prompt": PROMPTS[0], "image": name}
        for name in ("good.png", "text.png", "cut.png", "gone.png")
    ]
    rows.append({"prompt": "x" * 5000, "image": "good.png"})
    events = judge(services, open_folder(write_table(images, rows)))
    assert [image.name for image in taken(events)] == ["good.png"]
    listed = " ".join(unmatched(events))
    for reason in ("'text.png' is not an image", "'cut.png' is damaged", "not there", "4,000"):
        assert reason in listed, reason


def test_an_image_that_comes_twice_counts_once(services: Services, tmp_path: Path) -> None:
    write(tmp_path / "images" / "1.png", drawing(PROMPTS[0]))
    write(tmp_path / "images" / "copy.png", drawing(PROMPTS[0]))
    rows = [{"prompt": PROMPTS[0], "image": name} for name in ("1.png", "1.png", "copy.png")]
    seeded = [row | {"seed": "0"} for row in rows]
    for number, listed in enumerate((rows, seeded)):
        write_table(tmp_path / "images", listed)
        events = judge(services, open_folder(tmp_path / "images"))
        assert [image.known for image in taken(events)] == [bool(number)]
        assert ["counts once" in line for line in unmatched(events)] == [True, True]


def test_each_row_may_name_its_model(services: Services, tmp_path: Path) -> None:
    images = tmp_path / "images"
    rows = []
    for model in ("a", "b", "primer/exact"):
        write(images / model.replace("/", "-") / "1.png", drawing(PROMPTS[0]))
        name = f"{model.replace('/', '-')}/1.png"
        rows.append({"prompt": PROMPTS[0], "image": name, "model": model})
    folder = write_table(images, rows)
    with pytest.raises(BadRequest, match="primer/exact"):
        judge(services, open_folder(folder), name="")
    write_table(images, rows[:2])
    judge(services, open_folder(folder), name="")
    assert {row.model for row in board(services.store, Query("ihalla")).rows} == {"a", "b"}


def test_names_of_models_stand_on_one_line(services: Services, tmp_path: Path) -> None:
    folder = write_compbench(tmp_path / "images", samples=1)
    events = judge(services, open_folder(folder), name=" acme\n A ")
    assert {image.model for image in taken(events)} == {"acme A"}
    assert sweep_of(events) == sweep_of(judge(services, open_folder(folder), name="acme A"))
    rows = [{"prompt": PROMPTS[0], "image": "1.png", "model": "acme  B"}]
    write(tmp_path / "rows" / "1.png", drawing(PROMPTS[0]))
    (image,) = taken(judge(services, open_folder(write_table(tmp_path / "rows", rows)), name=""))
    assert image.model == "acme B"


def test_another_way_to_read_prompts_is_another_sweep(services: Services, tmp_path: Path) -> None:
    folder = write_compbench(tmp_path / "images", samples=1)
    ways: list[dict[str, Any]] = [{}, {"accept_readings": True}, {"prompt_reader": "rules"}]
    judged = [judge(services, open_folder(folder), template=replace(TEMPLATE, **w)) for w in ways]
    assert len(set(map(sweep_of, judged))) == 3


REGISTRY = ModelRegistry(read_models())


@pytest.mark.parametrize("name", ["primer/exact", "openai/gpt-image-2", "ollama/anything"])
def test_the_name_of_a_registered_model_is_taken_only_where_it_is_meant(name: str) -> None:
    with pytest.raises(UnclearModel, match="runs itself") as refused:
        check_model_name(REGISTRY, name)
    assert "--allow-registered" in refused.value.remedy
    assert check_model_name(REGISTRY, name, allow_registered=True) == name


@pytest.mark.parametrize("name", ["", "  ", "a\x00b", "x" * 101, "uploaded", "None", "a,b"])
def test_a_name_that_cannot_stand_is_one_sentence(name: str) -> None:
    with pytest.raises(BadRequest):
        check_model_name(REGISTRY, name, allow_registered=True)


def opened(*models: str, lacks_model: bool) -> OpenedImages:
    return OpenedImages(
        entries=iter(()), models=models, lacks_model=lacks_model, source="x", layout="csv"
    )


def test_several_models_never_become_one_and_none_stays_without_a_name() -> None:
    assert choose_name(opened(lacks_model=True), "x") == "x"
    assert choose_name(opened("a", lacks_model=False), "x") == "x"
    assert choose_name(opened("a", "b", lacks_model=False), "") == ""
    with pytest.raises(BadRequest, match="each keeps its own"):
        choose_name(opened("a", "b", lacks_model=False), "x")
    with pytest.raises(BadRequest, match="give its name"):
        choose_name(opened("a", lacks_model=True), "")


QUESTIONS = 5  # of each prompt
JUDGE = "scripted/paid"
PAID_TEMPLATE = EvaluateRequest(prompt="", metrics=("ihalla",), judge=JUDGE)
PRICE = Price("2026-01-01", input=1.0, output=2.0)


def test_a_preview_counts_the_images_and_the_calls_that_judging_then_makes(tmp_path: Path) -> None:
    folder = write_compbench(tmp_path / "images", samples=2)
    paid = scripted(JUDGE, "judge", lambda ask: f"A) {ask.choices[0]}", price=PRICE)
    services = serve(Store(folder=tmp_path / "home"), paid)

    def preview() -> MatchPreview:
        images = open_folder(folder)
        return preview_images(services, images, PAID_TEMPLATE, SpendingPolicy(), name="dalle-3")

    before = preview()
    assert (paid.calls, services.store.runs()) == (0, [])
    assert (before.images, before.prompts) == ({"dalle-3": 6}, len(PROMPTS))
    assert (before.new, before.evaluations) == (6, 6)
    judge(services, open_folder(folder), template=PAID_TEMPLATE)
    (line,) = before.totals.lines
    assert (line.model, line.calls) == (JUDGE, paid.calls)
    assert before.totals.amount == pytest.approx(PRICE.cost(line.usage))
    assert before.totals.amount > 0
    again = preview()
    assert (again.new, again.evaluations, again.totals.lines) == (0, 0, ())
    write(folder / "samples" / f"{PROMPTS[0]}_000009.png", drawing(PROMPTS[0], 9))
    more = preview()
    assert more.new == 1
    assert [line.calls for line in more.totals.lines] == [QUESTIONS]
    services.store.close()
