"""Images of a folder are stored under their model's name, judged, ranked and exported."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.export.importer import import_runs
from hallascope.engine.export.methods.paragraph import describe_methods
from hallascope.engine.image_folders.detection import OpenedImages, open_folder
from hallascope.engine.image_folders.judging import (
    FolderJudged,
    FolderJudging,
    ImageTaken,
    JudgingEvent,
    PromptNotJudged,
)
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    UnmatchedFile,
)
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import SweepStore
from tests.conftest import ROOT, build
from tests.support.image_folders import (
    PROMPTS,
    drawing,
    write,
    write_compbench,
    write_factualbench,
    write_geneval,
    write_ihalla,
    write_table,
)

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


def test_images_are_ranked_under_their_models_name(services: Services, tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images", samples=2)
    events = judge(services, open_folder(folder))
    assert [(image.model, image.known) for image in taken(events)] == [("dalle-3", False)] * 6
    (row,) = board(services.store, Query("ihalla")).rows
    assert (row.model, row.n) == ("dalle-3", len(PROMPTS))
    apart = Query("ihalla", filters=Filters(runs=(sweep_of(events),)))
    assert board(services.store, apart).rows == (row,)


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
    assert row.n == len(PROMPTS)
    totals = SweepStore(services.store.database).totals(sweep_of(first))
    assert (totals.items, totals.done) == (4, 4)  # the prompt of the new image has a second run


def test_a_moved_folder_is_known_by_its_bytes(services: Services, tmp_path: Path) -> None:
    folder = write_compbench(tmp_path / "images")
    judge(services, open_folder(folder))
    moved = folder.rename(tmp_path / "elsewhere")
    assert all(image.known for image in taken(judge(services, open_folder(moved))))


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
    for reason in ("'text.png' is no image", "'cut.png' is damaged", "not there", "4,000"):
        assert reason in listed, reason


def test_an_image_that_comes_twice_counts_once(services: Services, tmp_path: Path) -> None:
    write(tmp_path / "images" / "1.png", drawing(PROMPTS[0]))
    row = {"prompt": PROMPTS[0], "image": "1.png", "seed": "0"}
    folder = write_table(tmp_path / "images", [row, row])
    events = judge(services, open_folder(folder))
    assert len(taken(events)) == 1
    assert "counts once" in unmatched(events)[0]


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


def test_questions_of_the_benchmark_are_saved_where_a_prompt_has_none(
    services: Services, tmp_path: Path
) -> None:
    opened = open_folder(write_ihalla(tmp_path / "images"))

    def renamed() -> Iterator[FolderEntry]:
        for entry in opened.folder.entries:
            if isinstance(entry, FolderImage) and entry.questions:
                prompt = f"{entry.prompt} on a poster"
                questions = replace(entry.questions, prompt=prompt)
                yield replace(entry, prompt=prompt, questions=questions)

    posters = replace(opened, folder=replace(opened.folder, entries=renamed()))
    events = judge(services, posters, name="")
    assert {image.model for image in taken(events)} == {"sd-xl"}
    assert not [event for event in events if isinstance(event, PromptNotJudged)]
    assert len([event for event in events if isinstance(event, Evaluated)]) == len(PROMPTS)


def test_a_prompt_without_questions_is_stored_and_said_to_be_not_judged(
    services: Services, tmp_path: Path
) -> None:
    write(tmp_path / "images" / "a cat on the moon_000000.png", png())
    events = judge(services, open_folder(tmp_path / "images"))
    (said,) = [event for event in events if isinstance(event, PromptNotJudged)]
    assert "no questions for this prompt" in said.message
    assert len(taken(events)) == 1
    assert taken(judge(services, open_folder(tmp_path / "images")))[0].known


def test_without_metrics_the_images_are_only_stored(services: Services, tmp_path: Path) -> None:
    folder = write_factualbench(tmp_path / "images")
    template = EvaluateRequest(prompt="", metrics=(), judge=None)
    events = judge(services, open_folder(folder), "", template)
    assert [image.model for image in taken(events)] == ["sdxl"] * 3
    assert not [event for event in events if isinstance(event, Evaluated)]
    judged = judge(services, open_folder(folder), "")
    assert all(image.known for image in taken(judged))


def test_a_metric_or_a_judge_that_is_unknown_is_refused_before_an_image_is_read(
    services: Services, tmp_path: Path
) -> None:
    opened = open_folder(write_compbench(tmp_path / "images"))
    for template in (
        replace(TEMPLATE, metrics=("nonsense",)),
        replace(TEMPLATE, judge="primer/exact"),
    ):
        with pytest.raises(BadRequest):
            FolderJudging(services, opened, template, SpendingPolicy(), name="x")
    assert services.store.runs() == []


def test_two_packs_of_wordings_are_two_pieces_of_work(services: Services, tmp_path: Path) -> None:
    opened = open_folder(write_compbench(tmp_path / "images"))

    def work(wording: str) -> str:
        template = replace(TEMPLATE, wording=wording)
        return FolderJudging(services, opened, template, SpendingPolicy(), name="x").id

    assert work("ours") == work("ours")
    assert work("ours") != work("as-published")


def test_exports_bring_the_images_into_another_store(services: Services, tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images")
    sweep = sweep_of(judge(services, open_folder(folder)))
    source = ExportSource(
        services=services, runs=SweepStore(services.store.database).runs(sweep), images=True
    )
    export(source, "jsonl", tmp_path / "out")
    lines = (tmp_path / "out" / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    pictures = [json.loads(line) for line in lines if '"origin_layout"' in line]
    assert any(
        picture.get("settings", {}).get("origin_file") == "00000/samples/0000.png"
        for picture in pictures
    )
    assert str(tmp_path) not in "".join(lines)
    other = Store(folder=tmp_path / "other")
    try:
        import_runs(other, tmp_path / "out")
        assert board(other, Query("ihalla")).rows == board(services.store, Query("ihalla")).rows
    finally:
        other.close()


def test_the_methods_paragraph_says_that_the_images_were_made_elsewhere(
    services: Services, tmp_path: Path
) -> None:
    sweep = sweep_of(judge(services, open_folder(write_geneval(tmp_path / "images"))))
    runs = SweepStore(services.store.database).runs(sweep)
    paragraph = describe_methods(ExportSource(services=services, runs=runs)).paragraph
    assert "6 images made elsewhere with dalle-3 were evaluated for 3 prompts" in paragraph
    assert "We generated" not in paragraph


def test_of_each_image_no_more_is_kept_in_memory_than_a_fraction(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.folder_memory", str(tmp_path)]
    # in a process of its own, where nothing of other tests is held or collected meanwhile
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    peaks = json.loads(done.stdout)
    few, many = peaks["few"], peaks["many"]
    kept = (many["bytes"] - few["bytes"]) / (many["images"] - few["images"])
    assert kept < peaks["image_bytes"] / 10
