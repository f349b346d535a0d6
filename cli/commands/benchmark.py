"""Reads real benchmark files, says what was read, and names everything that is wrong."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hallascope.cli.options import JsonOption, Natural
from hallascope.cli.output import printing
from hallascope.cli.output.printing import problem_lines
from hallascope.cli.terminal import DONE, FAILURES
from hallascope.data.benchmarks.factualbench import read_factualbench
from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.data.benchmarks.ihalla import read_ihalla
from hallascope.data.benchmarks.prompt_lists import prompt_benchmarks, read_prompt_list
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.services import create_services


def load(
    name: str,
    path: str,
    *,
    save: bool = False,
    sample: Natural = 0,
    seed: int = 0,
    split: str | None = None,
    as_json: JsonOption = False,
) -> int:
    """Read files of a benchmark, and name everything that is wrong by file, sheet and row.

    Args:
        name: ihalla, factualbench, haloquest, drawbench, coco or t2i-compbench.
        path: Its folder or file as published; for a list of prompts also hub:OWNER/NAME.
        save: Save its questions for judging (ihalla).
        sample: Also list so many of its prompts (drawbench, coco, t2i-compbench).
        seed: Which prompts are drawn.
        split: Only this part of the data set (coco, t2i-compbench).
    """
    if name not in READERS:
        raise BadRequest(
            f"There is no benchmark {name!r}: this version reads {', '.join(map(repr, READERS))}."
        )
    for option, given in (("--save", save), ("--sample", sample), ("--split", split)):
        if given and name not in _TAKERS[option]:
            raise BadRequest(
                f"The option {option} does not go with {name!r}: it is for"
                f" {' and '.join(_TAKERS[option])}."
            )
    with refuse(ValueError, OSError):
        benchmark = READERS[name](path, split)
    summary = benchmark.summary()
    drawn = benchmark.sample(sample, seed) if sample else ()
    if sample:
        summary["sampled"] = len(drawn)
    if save:
        sets = create_services().sets
        with_questions = [prompt for prompt in benchmark.prompts if prompt.questions]
        for prompt in with_questions:
            sets.save(prompt.question_set)
        summary["saved"] = len(with_questions)
    complaints, notes = benchmark.complaints, getattr(benchmark, "notes", ())
    record: dict[str, object] = {"benchmark": name, "summary": summary, "complaints": complaints}
    record |= {"notes": notes} if notes else {}
    record |= {"prompts": drawn} if drawn else {}
    table = printing.table(
        {"id": each.source, "category": each.category or each.split, "prompt": each.prompt}
        for each in drawn
    )
    printing.print_result(
        as_json,
        record,
        lambda: [
            *(f"{what}: {value}" for what, value in summary.items()),
            table and f"\n{table}\n",
            # what is odd but was read, which is no failure, then what was left out
            problem_lines(notes, "note: "),
            problem_lines(complaints),
        ],
    )
    return FAILURES if complaints else DONE


# what they return of a path and a split has a summary and complaints
READERS: dict[str, Callable[[str, str | None], Any]] = {
    "ihalla": lambda path, split: read_ihalla(Path(path)),
    "factualbench": lambda path, split: read_factualbench(Path(path)),
    "haloquest": lambda path, split: read_haloquest(path),
    **{name: partial(read_prompt_list, name) for name in prompt_benchmarks()},
}
# the benchmarks that an option is for
_TAKERS = {
    "--save": ("ihalla",),
    "--sample": tuple(prompt_benchmarks()),
    "--split": tuple(name for name, one in prompt_benchmarks().items() if one.split or one.files),
}
