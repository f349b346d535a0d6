"""A preview counts by model and prompt what judging then asks, and stores nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Ask
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.detection import open_folder
from hallascope.engine.image_folders.judging import FolderJudging
from hallascope.engine.image_folders.preview import MatchPreview, preview_images
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.image_folders import (
    PROMPTS,
    drawing,
    write,
    write_compbench,
    write_geneval,
    write_ihalla,
)

QUESTIONS = 5  # of each prompt
JUDGE = "scripted/paid"
WRITER = "scripted/writer"
TEMPLATE = EvaluateRequest(prompt="", metrics=("ihalla",), judge=JUDGE)
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
        self, folder: Path, name: str = "dalle-3", template: EvaluateRequest = TEMPLATE
    ) -> MatchPreview:
        return preview_images(self.services, open_folder(folder), template, POLICY, name=name)

    def judge(self, folder: Path, name: str = "dalle-3") -> None:
        list(
            FolderJudging(self.services, open_folder(folder), TEMPLATE, POLICY, name=name).events()
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
