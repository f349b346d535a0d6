"""Measures judging a folder of images, and a sweep of drawings: ``python -m bench.judge_speed``.

A folder of images, each with a prompt and `questions` of its own, is judged by the command itself
against a service that takes LATENCY a call, AT_ONCE at once. The same command on a folder of one
image is its start, which is taken off. A bare client makes the same calls beside it. The
sweep asks a judge that takes no time. Exit code 1 where a bound is missed.
"""

import asyncio
import base64
import csv
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import NamedTuple

import httpx
import numpy as np
from PIL import Image

from bench.measuring import Row, finish, launch
from hallascope.data.records import NONE_OF_THE_ABOVE, Question, QuestionSet
from hallascope.engine.questions.sets import QuestionSets
from hallascope.engine.storage.store import Store

AT_ONCE, LATENCY = 16, 0.2  # calls, seconds
# side in pixels and shades of the images, which make files of about 4 and 470 KB
SIZES: Mapping[str, tuple[int, int]] = {"4 KB": (36, 256), "470 KB": (512, 18)}
BOUNDS = {"4 KB": 1.3, "470 KB": 1.6}  # to the ideal
# of a call in ms; a large image takes a bare client nearly as long to encode
CALL_BOUNDS = {"4 KB": 8.0, "470 KB": math.inf}
REPEAT_BOUND, DRAWING_BOUND = 20.0, 80.0  # times, ms of an image
MODELS = """
bench/judge:
  title: Bench judge
  roles: [judge]
  backend: openai
  kind: api
  base_url: {address}
  price: {{date: 2026-01-01, input: 0.1, output: 0.4, picture_tokens: 10}}
  settings: {{max_tokens: 10}}
bench/instant:
  title: Instant judge
  roles: [judge]
  backend: scripted
  kind: simulated
  settings: {{reply: A}}
"""
REPLY = {
    "id": "reply",
    "object": "chat.completion",
    "created": 0,
    "model": "judge",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": '{"answer": "A"}'},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
}


class Times(NamedTuple):
    """Holds the seconds that a command took, and those of its processor."""

    wall: float
    cpu: float

    def minus(self, start: "Times") -> "Times":
        """Return the times beyond those of a start."""
        return Times(self.wall - start.wall, self.cpu - start.cpu)


# --- the service


def serve(pipe: Connection) -> None:
    """Answer every call after LATENCY, and send [calls, most at once] where the pipe asks."""
    asyncio.run(_serve(pipe))


async def _serve(pipe: Connection) -> None:
    counts = {"now": 0, "most": 0, "calls": 0}
    body = json.dumps(REPLY).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await _read_request(reader):
            counts["calls"] += 1
            counts["now"] += 1
            counts["most"] = max(counts["most"], counts["now"])
            await asyncio.sleep(LATENCY)
            counts["now"] -= 1
            writer.write(f"{head}\r\n".encode() + body)
        writer.close()

    def report() -> None:
        pipe.recv()
        pipe.send((counts["calls"], counts["most"]))
        counts.update(most=0, calls=0)

    server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=2**20)
    asyncio.get_running_loop().add_reader(pipe.fileno(), report)
    pipe.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    await server.serve_forever()


async def _read_request(reader: asyncio.StreamReader) -> bool:
    """Read the next request to its end; False where there is none."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        size = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
        await reader.readexactly(int(size))
    except (asyncio.IncompleteReadError, ConnectionError):
        return False
    return True


@contextmanager
def service() -> Iterator[tuple[str, Callable[[], tuple[int, int]]]]:
    """Yield the address of the service, and what returns its calls and the most at once so far."""
    spawn = multiprocessing.get_context("spawn")
    pipe, end = spawn.Pipe()
    process = spawn.Process(target=serve, args=(end,), daemon=True)
    process.start()

    def counts() -> tuple[int, int]:
        pipe.send(None)
        calls, most = pipe.recv()
        return calls, most

    try:
        yield pipe.recv(), counts
    finally:
        process.terminate()


# --- what is measured


def write_images(folder: Path, images: int, side: int, shades: int) -> list[Path]:
    """Write images of noise, and the table that names the prompt of each."""
    folder.mkdir()
    paths = [folder / f"{number}.png" for number in range(images)]
    for seed, path in enumerate(paths):
        noise = np.random.default_rng(seed).integers(0, shades, (side, side, 3), np.uint8)
        Image.fromarray(noise).save(path)
    with (folder / "images.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("prompt", "image"))
        rows.writerows((prompt_of(number), path.name) for number, path in enumerate(paths))
    return paths


def prompt_of(number: int) -> str:
    return f"a noisy field of number {number}"


def save_questions(home: Path, images: int, questions: int) -> None:
    """Save questions of its own for the prompt of each image."""
    store = Store(None, home)
    sets = QuestionSets(store)
    for number in range(images):
        asked = [
            Question(
                text=f"What does part {each} of field {number} show?",
                choices=("noise", "a cat", "a dog", "a bird", NONE_OF_THE_ABOVE),
                gold="A",
                coi="others",
            )
            for each in range(questions)
        ]
        sets.save(QuestionSet(prompt=prompt_of(number), questions=tuple(asked), source="made"))
    store.close()


def command(home: Path, *arguments: str) -> Times:
    """Return the times of a command of HallaScope in a process of its own."""
    env = {**os.environ, "HALLASCOPE_HOME": str(home), "HALLASCOPE_MODELS": str(home / "m.yaml")}
    call = [sys.executable, "-m", "hallascope.cli.main", *arguments]
    began = time.perf_counter()
    process = subprocess.Popen(
        call, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError(f"`hallascope {' '.join(arguments)}` failed: {said}")
    return Times(time.perf_counter() - began, used.ru_utime + used.ru_stime)


def ask_barely(address: str, paths: list[Path], questions: int) -> Times:
    """Return the times of a client that does nothing but the calls."""
    client = httpx.Client(limits=httpx.Limits(max_connections=AT_ONCE), timeout=60)

    def ask(path: Path) -> object:
        url = f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"
        content = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": "?"}]
        message = {"model": "bench/judge", "messages": [{"role": "user", "content": content}]}
        reply = client.post(f"{address}/chat/completions", json=message)
        return reply.json()["choices"][0]["message"]["content"]

    began, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(ask, [path for path in paths for _ in range(questions)]))
    client.close()
    return Times(time.perf_counter() - began, time.process_time() - cpu)


def judge_rows(size: str, images: int, questions: int, rounds: int) -> Iterator[Row]:
    """Yield the calls of the command on a folder, beside the ideal and a bare client."""
    calls = images * questions
    ideal = -(-calls // AT_ONCE) * LATENCY
    firsts, repeats, starts, bare, seen = [], [], [], [], []
    with tempfile.TemporaryDirectory() as root, service() as (address, counts):
        paths = write_images(Path(root) / "images", images, *SIZES[size])
        write_images(Path(root) / "one", 1, *SIZES[size])
        for number in range(rounds):
            home = Path(root) / f"home{number}"
            home.mkdir()
            (home / "m.yaml").write_text(MODELS.format(address=address))
            save_questions(home, images, questions)

            def judge(folder: str, home: Path = home) -> Times:
                told = ("--as", "noise", "--judge", "bench/judge", "--budget", "5")
                return command(home, "judge", str(Path(root) / folder), *told)

            starts.append(judge("one").minus(Times(LATENCY, 0.0)))
            again_start = judge("one")
            counts()
            firsts.append(judge("images").minus(starts[-1]))
            made, most = counts()
            if made != calls - questions:
                raise RuntimeError(f"{made} calls were made for {calls - questions} questions.")
            seen.append(most)
            repeats.append(judge("images").minus(again_start))
            bare.append(ask_barely(address, paths, questions))
    what = f"{calls} calls about {images} images of {size}"
    wall = median(each.wall for each in firsts)
    start = median(each.wall for each in starts)
    barely = median(each.wall for each in bare)
    yield Row(
        f"{what}, beyond the start, to the ideal",
        f"{wall / ideal:.2f}: {wall:.1f} s to {ideal:.1f} s (with the start of {start:.1f} s"
        f" {(wall + start) / ideal:.2f}, a bare client {barely / ideal:.2f})",
        f"<= {BOUNDS[size]:g}",
        wall / ideal <= BOUNDS[size],
    )
    yield Row(
        "calls at once, seen at the service", f"{min(seen)}", f"{AT_ONCE}", min(seen) == AT_ONCE
    )
    cpu, plain = (1000 * median(each.cpu for each in times) / calls for times in (firsts, bare))
    yield Row(
        "processor time of a call",
        f"{cpu:.1f} ms (a bare client {plain:.1f} ms)",
        f"<= {CALL_BOUNDS[size]:g} ms",
        cpu <= CALL_BOUNDS[size],
    )
    again, again_cpu = (median(times) for times in zip(*repeats, strict=True))
    yield Row(
        "the calls to a repeat from the cache",
        f"{wall / again:.1f}: {wall:.1f} s to {again:.2f} s, {again_cpu:.2f} s of the processor",
        f">= {REPEAT_BOUND:g}",
        wall / again >= REPEAT_BOUND,
    )


def sweep_row(images: int, rounds: int) -> Row:
    """Compare the processor time of a sweep of drawings with that of a sweep of one."""
    spec = (
        "prompts: [primer: {{count: {count}, seed: 1}}]\nmodels: [primer/hasty]\n"
        "metrics: [ihalla]\njudge: bench/instant\n"
    )
    used = []
    with tempfile.TemporaryDirectory() as root:
        for number in range(rounds):
            times = []
            for count in (1, images + 1):
                home = Path(root) / f"{number}-{count}"
                home.mkdir()
                (home / "m.yaml").write_text(MODELS.format(address="http://127.0.0.1:1/v1"))
                file = home / "sweep.yaml"
                file.write_text(spec.format(count=count))
                times.append(command(home, "sweep", str(file)))
            used.append(1000 * times[1].minus(times[0]).cpu / images)
    return Row(
        f"processor time of an image in a sweep of {images} drawings, a judge of 0 ms",
        f"{median(used):.0f} ms",
        f"<= {DRAWING_BOUND:g} ms",
        median(used) <= DRAWING_BOUND,
    )


def measure(images: int, questions: int, drawings: int, rounds: int, sizes: str) -> Iterator[Row]:
    for size in sizes.split(","):
        if size:
            yield from judge_rows(size, images, questions, rounds)
    if drawings:
        yield sweep_row(drawings, rounds)


def main(
    images: int = 200,
    questions: int = 5,
    drawings: int = 60,
    rounds: int = 1,
    sizes: str = ",".join(SIZES),
) -> None:
    finish(measure(images, questions, drawings, rounds, sizes))


if __name__ == "__main__":
    launch(main)
