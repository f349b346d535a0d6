"""Holds the command that compares metrics with people: scores and ratings from two tables.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.agreement import agreement_text
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, progress, say, split_names
from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    agreement_document,
    read_tables,
    study_tables,
)


def agreement(
    scores: Annotated[Path, typer.Option(help="A table `item, metric, value`.")],
    ratings: Annotated[Path, typer.Option(help="A table `item, rater, value`, or `item, value`.")],
    scale: Annotated[
        str,
        typer.Option(
            help=(
                "The lowest and the highest rating, such as 1..5 (ratings outside of it are"
                " rejected), and what the scale is: nominal, ordinal or interval; guessed if it is"
                " not given."
            )
        ),
    ] = "",
    missing: Annotated[
        str,
        typer.Option(help="Values that stand for no value, separated by commas, such as NA,-1."),
    ] = "",
    against: Annotated[
        str,
        typer.Option(help="Compare every metric with this one only, not all with all."),
    ] = "",
    dimension: Annotated[
        str, typer.Option(help="Only this dimension of ratings that have several.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(help="Also write the whole document to this file, as JSON."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """Measure how well metrics agree with people, and how far people agree with each other.

    It gives correlations and pairwise accuracy with intervals. A column `group` in either table
    names the cluster of an item, such as its prompt: then groups are resampled, and correlations
    within groups stand beside the overall ones. A column `dimension` in the ratings names what is
    rated; each dimension stands for itself.
    """
    options = AgreementOptions(
        scale=scale, missing=split_names(missing), against=against, dimension=dimension, seed=seed
    )
    studies = study_tables(read_tables(scores, ratings, options), options)
    for done, total in studies.draw():
        progress(done, total, "comparisons")
    if out:
        _write(out, printing.document(agreement_document(studies)))
    say(printing.document(agreement_document(studies)) if as_json else agreement_text(studies))
    return FAILURES if studies.left_out else DONE


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            f"The file {str(file)!r} cannot be written ({error.strerror or error}): name another"
            " one with --out."
        ) from error
