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
from hallascope.data.benchmarks.prompt_lists import ListedPrompt, PromptList
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
    for given, option, takes in (
        (save, "--save", ("ihalla",)),
        (sample, "--sample", tuple(LISTS)),
        (split, "--split", ("coco", "t2i-compbench")),
    ):
        if given and name in NAMES and name not in takes:
            raise BadRequest(
                f"The option {option} does not go with {name!r}: it is for {' and '.join(takes)}."
            )
    if name == "ihalla":
        return _load_ihalla(Path(path), save, as_json)
    if name in READERS:
        read = _read_input(lambda: READERS[name](Path(path)))
        return _print_summary(name, read.summary(), read.complaints, as_json)
    if name not in LISTS:
        raise BadRequest(
            f"There is no benchmark {name!r}: this version reads {', '.join(map(repr, NAMES))}."
        )
    found = _read_input(lambda: LISTS[name](path, split))
    drawn = found.sampled(sample, seed)
    return _print_summary(
        name,
        found.summary() | ({"sampled": len(drawn)} if sample else {}),
        found.complaints,
        as_json,
        drawn,
    )


def _drawbench(path: str, split: str | None) -> PromptList:
    from hallascope.data.benchmarks.drawbench import read_drawbench

    return read_drawbench(path)


def _coco(path: str, split: str | None) -> PromptList:
    from hallascope.data.benchmarks.coco import read_coco

    return read_coco(path, split)


def _t2i_compbench(path: str, split: str | None) -> PromptList:
    from hallascope.data.benchmarks.t2i_compbench import read_t2i_compbench

    return read_t2i_compbench(path, split)


def _factualbench(path: Path) -> Any:
    from hallascope.data.benchmarks.factualbench import read_factualbench

    return read_factualbench(path)


def _haloquest(path: Path) -> Any:
    from hallascope.data.benchmarks.haloquest import read_haloquest

    return read_haloquest(path)


LISTS: dict[str, Callable[[str, str | None], PromptList]] = {
    "drawbench": _drawbench,
    "coco": _coco,
    "t2i-compbench": _t2i_compbench,
}
READERS: dict[str, Callable[[Path], Any]] = {
    "factualbench": _factualbench,
    "haloquest": _haloquest,
}  # what they give has a summary and complaints
NAMES = ("ihalla", *READERS, *LISTS)


def _load_ihalla(folder: Path, save: bool, as_json: bool) -> int:
    from hallascope.data.benchmarks.ihalla import read_ihalla

    found = _read_input(lambda: read_ihalla(folder))
    summary = found.summary()
    if save:
        services = create_services()
        summary["saved"] = len(
            [
                services.sets.save(prompt.question_set)
                for prompt in found.prompts
                if prompt.questions
            ]
        )
    return _print_summary("ihalla", summary, found.complaints, as_json)


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
) -> int:
    if as_json:
        prompts = {"prompts": drawn} if drawn else {}
        say(
            printing.document(
                {"benchmark": name, "summary": summary, "complaints": list(complaints), **prompts}
            )
        )
    else:
        table = ["", printing.table(_COLUMNS, drawn), ""] if drawn else []
        say(
            "\n".join(
                [
                    *(f"{what}: {value}" for what, value in summary.items()),
                    *table,
                    *map(str, complaints),
                ]
            )
        )
    return FAILURES if complaints else DONE
