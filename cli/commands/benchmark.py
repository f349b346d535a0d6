"""Reads real benchmark files, says what was read, and names everything that is wrong.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.commands import prompts
from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.benchmarks.coco import read_coco
from hallascope.data.benchmarks.drawbench import read_drawbench
from hallascope.data.benchmarks.factualbench import read_factualbench
from hallascope.data.benchmarks.haloquest import HaloQuest, read_haloquest
from hallascope.data.benchmarks.ihalla import read_ihalla
from hallascope.data.benchmarks.prompt_lists import ListedPrompt, PromptList
from hallascope.data.benchmarks.t2i_compbench import read_t2i_compbench
from hallascope.data.files.sheets import Complaint
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.services import create_services

commands = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Real benchmark folders and files."
)
commands.command("make")(prompts.make)
commands.command("accept")(prompts.accept)
_COLUMNS = (
    TextColumn("id", lambda prompt: prompt.source),
    TextColumn("category", lambda prompt: prompt.category or prompt.split or ""),
    TextColumn("prompt", lambda prompt: prompt.prompt),
)


@commands.command("load")
def load(
    name: Annotated[
        str,
        typer.Argument(
            help=(
                "Which benchmark: ihalla, factualbench, haloquest, drawbench, coco or"
                " t2i-compbench."
            )
        ),
    ],
    path: Annotated[
        str,
        typer.Argument(
            help=(
                "Its folder or file, as its authors give it away; of drawbench also hub:OWNER/NAME."
            )
        ),
    ],
    save: Annotated[
        bool,
        typer.Option(
            "--save", help="Save its questions, so that their prompts can be judged (ihalla)."
        ),
    ] = False,
    sample: Annotated[
        int,
        typer.Option(
            min=0,
            help=(
                "Also list so many of its prompts, drawn by the seed (drawbench, coco,"
                " t2i-compbench)."
            ),
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(help="Which prompts are drawn.")] = 0,
    split: Annotated[
        str | None,
        typer.Option(
            help="Only this part of the data set, where it names parts (coco, t2i-compbench)."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Read a real benchmark and say what was read and what is wrong, by file, sheet and row."""
    if save:
        _require_taker("--save", name, ("ihalla",))
    if sample:
        _require_taker("--sample", name, tuple(LISTS))
    if split:
        _require_taker("--split", name, ("coco", "t2i-compbench"))
    if name == "ihalla":
        return _load_ihalla(Path(path), save, as_json)
    if name in READERS:
        benchmark = _read_input(lambda: READERS[name](Path(path)))
        notes = benchmark.notes if isinstance(benchmark, HaloQuest) else ()
        return _print_summary(name, benchmark.summary(), benchmark.complaints, as_json, notes=notes)
    if name not in LISTS:
        raise BadRequest(
            f"There is no benchmark {name!r}: this version reads {', '.join(map(repr, NAMES))}."
        )
    prompts = _read_input(lambda: LISTS[name](path, split))
    drawn = prompts.sample(sample, seed)
    summary = prompts.summary() | ({"sampled": len(drawn)} if sample else {})
    return _print_summary(name, summary, prompts.complaints, as_json, drawn)


def _require_taker(option: str, name: str, takers: Sequence[str]) -> None:
    """Refuse an option that is not for this benchmark. An unknown benchmark is refused later."""
    if name in NAMES and name not in takers:
        raise BadRequest(
            f"The option {option} does not go with {name!r}: it is for {' and '.join(takers)}."
        )


LISTS: dict[str, Callable[[str, str | None], PromptList]] = {
    "drawbench": lambda path, split: read_drawbench(path),
    "coco": read_coco,
    "t2i-compbench": read_t2i_compbench,
}
# what these return has a summary and complaints
READERS: dict[str, Callable[[Path], Any]] = {
    "factualbench": read_factualbench,
    "haloquest": read_haloquest,
}
NAMES = ("ihalla", *READERS, *LISTS)


def _load_ihalla(folder: Path, save: bool, as_json: bool) -> int:
    benchmark = _read_input(lambda: read_ihalla(folder))
    summary = benchmark.summary()
    if save:
        sets = create_services().sets
        with_questions = [prompt for prompt in benchmark.prompts if prompt.questions]
        for prompt in with_questions:
            sets.save(prompt.question_set)
        summary["saved"] = len(with_questions)
    return _print_summary("ihalla", summary, benchmark.complaints, as_json)


def _read_input(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except (ValueError, OSError) as error:
        raise BadRequest(sentence(error)) from error


def _print_summary(
    name: str,
    summary: dict[str, object],
    complaints: Sequence[Complaint],
    as_json: bool,
    drawn: Sequence[ListedPrompt] = (),
    notes: Sequence[Complaint] = (),
) -> int:
    """Print what was read; notes say what is odd but was read, and are no failure."""
    if as_json:
        document: dict[str, object] = {"benchmark": name, "summary": summary}
        document["complaints"] = list(complaints)
        if notes:
            document["notes"] = list(notes)
        if drawn:
            document["prompts"] = drawn
        say(printing.document(document))
    else:
        for what, value in summary.items():
            say(f"{what}: {value}")
        if drawn:
            say(f"\n{printing.table(_COLUMNS, drawn)}\n")
        for note in notes:
            say(f"note: {note}")
        for complaint in complaints:
            say(str(complaint))
    return FAILURES if complaints else DONE
