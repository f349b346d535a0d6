"""Trials by other questions than those of I-HallA: HaloQuest, regions and pairs, and the reader
of prompts.
"""

import random
import shutil
from pathlib import Path

import httpx
import pytest

from bench.gold import gold_readings
from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.data.records import CANNOT_TELL
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    haloquest_items,
)
from hallascope.engine.judge_eval.question_kinds import (
    KindQuestion,
    is_same_answer,
    kind_questions,
    try_kinds,
)
from hallascope.metrics.fig import matching as fig
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.pairs import attribute_words
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.scene_graph import matching as scene_graph
from hallascope.metrics.scene_graph.errors import errors
from hallascope.metrics.scene_graph.image_graph import ImageGraph, graph_of_caption
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.scene_answers import answers
from hallascope.metrics.scene_graph.words.attributes import describing_words
from hallascope.primer.benchmark.judge_samples import sitting
from tests.support.halo_trials import services_on, write_table
from tests.support.images import png
from tests.support.scripted_judges import FixedJudge


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path)


def test_pictures_come_from_the_folder_first_and_else_from_the_web(
    table: Path, tmp_path: Path
) -> None:
    asked: list[str] = []

    def web(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return (
            httpx.Response(200, content=png("w", 8), headers={"content-type": "image/png"})
            if "b.png" in request.url.path
            else httpx.Response(404)
        )

    (table.parent / "pictures" / "b.png").unlink()
    (table.parent / "pictures" / "a.png").write_bytes(b"no image")
    services = services_on(tmp_path)
    downloads = Downloads(
        tmp_path / "web",
        httpx.Client(transport=httpx.MockTransport(web)),
        lambda _: ["93.184.216.34"],
        sleep=lambda _: None,
    )
    found = list(
        haloquest_items(
            read_haloquest(table).rows,
            table.parent / "pictures",
            downloads,
            services.import_picture,
        )
    )
    assert [item.picture is not None for item in found] == [False, True, False]
    assert "'a.png' is no image" in found[0].why
    assert "is gone from the web" in found[2].why
    assert asked == ["/b.png", "/gone.png"]
    services.store.close()
    shutil.rmtree(tmp_path / "web")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[KindQuestion]:
    found, folder = [], tmp_path_factory.mktemp("kinds")
    for n in range(3):
        chance = random.Random(f"trial of kinds 0 {n}")
        found += kind_questions(sitting(f"trial of kinds 0 {n}", chance), str(n), folder, chance)
    return found


def _key(ask: Ask) -> tuple[object, ...]:
    return tuple(p.sha256 for p in ask.images), ask.question, ask.region


def test_who_knows_the_truth_is_right_in_every_kind_and_no_answer_is_left_out(
    asked: list[KindQuestion],
) -> None:
    truth = {_key(task.ask): task.answer for task in asked}
    trial = try_kinds(FixedJudge(lambda ask: Answer(f"{truth[_key(ask)]}.")), 3)
    assert {share.value for share in trial.by_kind.values()} == {1.0}
    assert (trial.precision.value, trial.recall.value, trial.unanswered) == (1.0, 1.0, 0)
    assert {kind.split(":")[0] for kind in trial.by_kind} == {"region", "picture", "pair"}
    pairs = sum(len(task.ask.images) == 2 for task in asked)

    def see_one(ask: Ask) -> Answer | Failure:
        if len(ask.images) > 1:
            return Failure("broken", "One image.")
        return Answer("I cannot tell")

    trial = try_kinds(FixedJudge(see_one), 3)
    assert trial.unanswered == pairs > 0
    assert not [kind for kind in trial.by_kind if kind.startswith("pair")]
    assert (trial.recall.value, trial.by_kind["region: name"].value) == (1.0, 0.0)
    assert trial.precision.value is not None
    assert trial.precision.value < 0.5


@pytest.mark.parametrize(
    "text, answer, right",
    [
        ("red", "Red", True),
        ("The red wing  of a ladybug.", "the red wing of a ladybug", True),
        ("ladybug", "A ladybug", True),
        ("I cannot tell.", CANNOT_TELL, True),
        ("Red and blue", "Red", False),
        ("", "Red", False),
    ],
)
def test_a_reply_is_right_where_it_says_the_answer_and_nothing_else(
    text: str, answer: str, right: bool
) -> None:
    assert is_same_answer(text, answer) is right


def is_perfect(prompt: str) -> bool:
    """Whether FiG and the scene graph find all of a prompt in itself, and nothing else."""
    stages = fig.compare(read_prompt(prompt, attribute_words(ATTRIBUTES)), prompt)
    graph = graph_of_reading(read_prompt(prompt, describing_words()))
    image = ImageGraph(graph=graph_of_caption(prompt), caption=prompt)
    answered = answers(graph, image, questions(graph), scene_graph.matches(graph, image.graph))
    return (
        not stages.extras
        and all(row.strict for row in stages.rows)
        and all(answer.state == "correct" for answer in answered)
        and not any(e.type == "extraneous" for e in errors(graph, image, answered) if not e.asked)
    )


@pytest.mark.full
def test_nearly_all_prompts_that_people_wrote_are_perfect() -> None:
    prompts = [gold.prompt for gold in gold_readings("development")][::4]
    readable = [prompt for prompt in prompts if not read_prompt(prompt).unreadable]
    assert len(readable) > 200
    faulty = [prompt for prompt in readable if not is_perfect(prompt)]
    assert len(faulty) <= 0.01 * len(readable), faulty
