"""Images of a folder are stored under their model's name, counted before, judged and ranked."""

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.records import QuestionSet, Score
from hallascope.data.requests import Ask
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.image_folders.detection import OpenedImages, open_folder
from hallascope.engine.image_folders.judging import (
    FolderJudged,
    FolderJudging,
    ImageTaken,
    JudgingEvent,
    PromptNotJudged,
)
from hallascope.engine.image_folders.model_names import UnclearModel, check_model_name, choose_name
from hallascope.engine.image_folders.preview import MatchPreview, preview_images
from hallascope.engine.image_folders.records import MatchedFolder, UnmatchedFile
from hallascope.engine.image_folders.report import JudgingReport, MetricSum
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import SweepStore
from hallascope.primer import scenes
from tests.conftest import build
from tests.support.image_folders import (
    PROMPTS,
    drawing,
    write,
    write_compbench,
    write_geneval,
    write_ihalla,
    write_table,
)
from tests.support.images import png

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
    write(tmp_path / "images" / "copy.png", drawing(PROMPTS[0]))
    rows = [{"prompt": PROMPTS[0], "image": name} for name in ("1.png", "1.png", "copy.png")]
    seeded = [row | {"seed": "0"} for row in rows]
    for number, listed in enumerate((rows, seeded)):
        write_table(tmp_path / "images", listed)
        events = judge(services, open_folder(tmp_path / "images"))
        assert [image.known for image in taken(events)] == [bool(number)]
        assert ["counts once" in line for line in unmatched(events)] == [True, True]


def test_what_is_odd_about_an_image_stands_in_the_report(
    services: Services, tmp_path: Path
) -> None:
    (tmp_path / "images").mkdir()
    Image.new("RGB", (1, 1)).save(tmp_path / "images" / "1.png")
    write_table(tmp_path / "images", [{"prompt": PROMPTS[0], "image": "1.png"}])
    report = JudgingReport()
    for event in judge(services, open_folder(tmp_path / "images")):
        report.add(event)
    assert [(note.file, "1 x 1" in note.problem) for note in report.notes] == [("1.png", True)]


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


def test_a_prompt_without_questions_is_stored_and_said_to_be_not_judged(
    services: Services, tmp_path: Path
) -> None:
    write(tmp_path / "images" / "a cat on the moon_000000.png", png())
    events = judge(services, open_folder(tmp_path / "images"))
    (said,) = [event for event in events if isinstance(event, PromptNotJudged)]
    assert "no questions for this prompt" in said.message
    assert len(taken(events)) == 1
    assert taken(judge(services, open_folder(tmp_path / "images")))[0].known


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
    folder = MatchedFolder(entries=iter(()), models=models, lacks_model=lacks_model)
    return OpenedImages(source=str(Path("x")), layout="csv", folder=folder)


def test_several_models_never_become_one_and_none_stays_without_a_name() -> None:
    assert choose_name(opened(lacks_model=True), "x") == "x"
    assert choose_name(opened("a", lacks_model=False), "x") == "x"
    assert choose_name(opened("a", "b", lacks_model=False), "") == ""
    with pytest.raises(BadRequest, match="each keeps its own"):
        choose_name(opened("a", "b", lacks_model=False), "x")
    with pytest.raises(BadRequest, match="give its name"):
        choose_name(opened("a", lacks_model=True), "")


def test_a_mean_is_over_the_images_that_have_a_score() -> None:
    assert MetricSum().mean is None
    total = MetricSum()
    for score in (Score(1.0, 5, 0), Score(None, 0, 5), Score(0.0, 4, 1)):
        total.add(score)
    assert (total.images, total.scored, total.mean, total.left_out) == (3, 2, 0.5, 6)


QUESTIONS = 5  # of each prompt
JUDGE = "scripted/paid"
WRITER = "scripted/writer"
PAID_TEMPLATE = EvaluateRequest(prompt="", metrics=("ihalla",), judge=JUDGE)
POLICY = SpendingPolicy()
SPEC = ModelSpec(
    id=JUDGE,
    title="Paid",
    roles=("judge",),
    backend="scripted",
    kind="api",
    price=Price("2026-01-01", input=1.0, output=2.0),
)


class World:
    """Holds services with a judge that costs money, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[Ask] = []
        judge = Scripted(SPEC, self._answer)
        writer = ModelSpec(id=WRITER, title="Writer", roles=("writer",), backend="scripted")
        models = {JUDGE: judge, WRITER: Scripted(writer, lambda request: "")}
        self.services = Services(Store(folder=folder), read_models(), models)

    def _answer(self, ask: Ask) -> str:
        self.asked.append(ask)
        return f"A) {ask.choices[0]}"

    def preview(
        self, folder: Path, name: str = "dalle-3", template: EvaluateRequest = PAID_TEMPLATE
    ) -> MatchPreview:
        return preview_images(self.services, open_folder(folder), template, POLICY, name=name)

    def judge(self, folder: Path, name: str = "dalle-3") -> None:
        list(
            FolderJudging(
                self.services, open_folder(folder), PAID_TEMPLATE, POLICY, name=name
            ).events()
        )


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    opened = World(tmp_path / "home")
    yield opened
    opened.services.store.close()


def test_images_are_counted_by_model_and_prompt(world: World, tmp_path: Path) -> None:
    folder = write_ihalla(tmp_path / "images", models=("dalle-3", "sd-xl"))
    preview = world.preview(folder, name="")
    assert preview.images == {"dalle-3": 3, "sd-xl": 3}
    assert preview.prompts == len(PROMPTS)
    assert len(preview.unmatched) == 2  # History has no files here


def test_it_counts_the_calls_that_judging_then_makes(world: World, tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images", samples=2)
    preview = world.preview(folder)
    assert world.asked == []
    assert world.services.runs() == []
    assert (preview.new, preview.evaluations) == (2 * len(PROMPTS), 2 * len(PROMPTS))
    world.judge(folder)
    (line,) = preview.totals.lines
    assert (line.model, line.calls) == (JUDGE, len(world.asked))
    assert SPEC.price is not None
    assert preview.totals.amount == pytest.approx(SPEC.price.cost(line.usage))
    assert preview.totals.amount > 0


def test_what_is_judged_already_costs_nothing_and_a_new_image_alone(
    world: World, tmp_path: Path
) -> None:
    folder = write_compbench(tmp_path / "images", samples=1)
    world.judge(folder)
    again = world.preview(folder)
    assert (again.new, again.evaluations, again.totals.lines) == (0, 0, ())
    write(folder / "samples" / f"{PROMPTS[0]}_000009.png", drawing(PROMPTS[0], 9))
    more = world.preview(folder)
    assert more.new == 1
    assert [line.calls for line in more.totals.lines] == [QUESTIONS]


def test_as_many_calls_are_open_as_the_judge_takes_though_each_prompt_has_one(
    tmp_path: Path,
) -> None:
    most = 16
    together = threading.Barrier(most)

    def answer(ask: Ask) -> str:
        together.wait(20)
        return "A"

    judge = Scripted(SPEC, answer, limits=CallLimits(concurrency=most))
    services = Services(Store(folder=tmp_path / "home"), read_models(), {JUDGE: judge})
    question = scenes.parse(PROMPTS[0]).questions().questions[0]
    rows = []
    for number in range(2 * most):
        prompt = f"a field of number {number}"
        services.sets.save(QuestionSet(prompt=prompt, questions=(question,)))
        write(tmp_path / "images" / f"{number}.png", png(str(number)))
        rows.append({"prompt": prompt, "image": f"{number}.png"})
    folder = open_folder(write_table(tmp_path / "images", rows))
    events = list(FolderJudging(services, folder, PAID_TEMPLATE, POLICY, name="x").events())
    services.store.close()
    assert judge.most_at_once == most
    assert len([event for event in events if isinstance(event, Evaluated)]) == 2 * most
