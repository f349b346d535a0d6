"""Trials by other questions than those of I-HallA: HaloQuest, regions and pairs, and the reader
of prompts.
"""

import shutil
from pathlib import Path

import httpx
import pytest

from bench.gold import gold_readings
from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    haloquest_items,
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
from tests.support.halo_trials import services_on, write_table
from tests.support.images import png


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
    assert "'a.png' is not an image" in found[0].why
    assert "is gone from the web" in found[2].why
    assert asked == ["/b.png", "/gone.png"]
    services.store.close()
    shutil.rmtree(tmp_path / "web")


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
