"""Measures judging a folder of images: ``python -m bench.judge_speed``.

A folder of images, each with a prompt and `questions` of its own, is judged by the command itself
against a service that takes LATENCY a call, AT_ONCE at once. The same command on a folder of one
image is its start, which is taken off. Exit code 1 where a bound is missed.
"""

import csv
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
from PIL import Image

from bench.measuring import Row, finish, launch
from hallascope.data.records import NONE_OF_THE_ABOVE, Question, QuestionSet
from hallascope.engine.questions.sets import QuestionSets
from hallascope.engine.storage.store import Store
from tests.support.billed_services import Bill, served

AT_ONCE, LATENCY = 16, 0.2  # calls, seconds
# side in pixels and shades of the images, which make files of about 4 and 470 KB
SIZES: Mapping[str, tuple[int, int]] = {"4 KB": (36, 256), "470 KB": (512, 18)}
BOUNDS = {"4 KB": 1.3, "470 KB": 1.6}  # to the ideal
# of a call in ms; a large image takes a bare client nearly as long to encode
CALL_BOUNDS = {"4 KB": 8.0, "470 KB": math.inf}
REPEAT_BOUND = 20.0  # times
MODELS = """
bench/judge:
  title: Bench judge
  roles: [judge]
  backend: openai
  kind: api
  base_url: {address}
  price: {{date: 2026-01-01, input: 0.1, output: 0.4, picture_tokens: 10}}
  settings: {{max_tokens: 10}}
"""


class Times(NamedTuple):
    """Holds the seconds that a command took, and those of its processor."""

    wall: float
    cpu: float

    def minus(self, start: "Times") -> "Times":
        """Return the times beyond those of a start."""
        return Times(self.wall - start.wall, self.cpu - start.cpu)


def write_images(folder: Path, images: int, side: int, shades: int) -> None:
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


def judge_rows(size: str, images: int, questions: int, rounds: int) -> Iterator[Row]:
    """Yield the calls of the command on a folder, beside the ideal."""
    calls = images * questions
    ideal = -(-calls // AT_ONCE) * LATENCY
    firsts, repeats, starts = [], [], []
    bill = Bill(LATENCY)
    with tempfile.TemporaryDirectory() as root, served(bill) as address:
        write_images(Path(root) / "images", images, *SIZES[size])
        write_images(Path(root) / "one", 1, *SIZES[size])
        for number in range(rounds):
            home = Path(root) / f"home{number}"
            home.mkdir()
            (home / "m.yaml").write_text(MODELS.format(address=address))
            save_questions(home, images, questions)

            def judge(folder: str, home: Path = home) -> Times:
                told = ("--as", "noise", "--judge", "bench/judge", "--budget", "5")
                return command(home, "judge", str(Path(root) / folder), *told)

            before = bill.calls
            starts.append(judge("one").minus(Times(LATENCY, 0.0)))
            again_start = judge("one")
            firsts.append(judge("images").minus(starts[-1]))
            if (made := bill.calls - before) != calls:
                raise RuntimeError(f"{made} calls were made for {calls} questions.")
            repeats.append(judge("images").minus(again_start))
    what = f"{calls} calls about {images} images of {size}"
    wall, cpu = (median(times) for times in zip(*firsts, strict=True))
    start = median(each.wall for each in starts)
    yield Row(
        f"{what}, beyond the start, to the ideal",
        f"{wall / ideal:.2f}: {wall:.1f} s to {ideal:.1f} s (with the start of {start:.1f} s"
        f" {(wall + start) / ideal:.2f})",
        f"<= {BOUNDS[size]:g}",
        wall / ideal <= BOUNDS[size],
    )
    of_call = 1000 * cpu / calls
    bar = CALL_BOUNDS[size]
    yield Row("processor time of a call", f"{of_call:.1f} ms", f"<= {bar:g} ms", of_call <= bar)
    again, again_cpu = (median(times) for times in zip(*repeats, strict=True))
    yield Row(
        "the calls to a repeat from the cache",
        f"{wall / again:.1f}: {wall:.1f} s to {again:.2f} s, {again_cpu:.2f} s of the processor",
        f">= {REPEAT_BOUND:g}",
        wall / again >= REPEAT_BOUND,
    )


def main(images: int = 200, questions: int = 5, rounds: int = 1) -> None:
    finish(row for size in SIZES for row in judge_rows(size, images, questions, rounds))


if __name__ == "__main__":
    launch(main)
