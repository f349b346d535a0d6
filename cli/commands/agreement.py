"""Holds the command that compares metrics with people: scores and ratings from two tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from hallascope.cli.options import JsonOption, Natural
from hallascope.cli.output import printing
from hallascope.cli.output.agreement import agreement_text, answer_text, preference_text
from hallascope.cli.terminal import DONE, FAILURES, Progress, split_names, write_file
from hallascope.data.files.tables import Complaint
from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.comparison import (
    TABLE_KINDS,
    AgreementOptions,
    RatingStudies,
    TableKind,
    agreement_document,
    answer_document,
    compare_preferences,
    other_kind,
    preference_document,
    read_answer_table,
    read_preference_tables,
    read_tables,
    study_answers,
    study_tables,
)


def agreement(
    *,
    scores: Path | None = None,
    ratings: Path | None = None,
    preferences: Path | None = None,
    answers: Path | None = None,
    scale: str = "",
    missing: str = "",
    against: str = "",
    dimension: str = "",
    out: Path | None = None,
    seed: Natural = 0,
    as_json: JsonOption = False,
) -> int:
    """Measure how well metrics agree with people, and how far people agree with each other.

    It prints correlations and pairwise accuracy with intervals. A column `group` names the prompt
    of an item: groups are then resampled, and correlations within groups are printed, too. A column
    `dimension` names what is rated.

    Args:
        scores: A table `item, metric, value`, for ratings and preferences; not needed where the
            ratings' table holds scores, as TIFA's does.
        ratings: A table `item, rater, value`, or `item, value`.
        preferences: Instead of ratings: a table `item_a, item_b, rater, choice`; a choice is a, b,
            tie or unreadable.
        answers: Instead of scores and ratings: a table `item, question, rater, metric, answer,
            depends_on`; each row names a rater or a metric.
        scale: The lowest and highest rating, such as 1..5, and nominal, ordinal or interval;
            default: guessed.
        missing: Values that mean no value, separated by commas, such as NA,-1.
        against: Compare every metric with this one only.
        dimension: Only this dimension of the ratings.
        out: Also write the whole document to this file, as JSON.
        seed: The seed of the bootstrap.
    """
    options = AgreementOptions(
        scale=scale, missing=split_names(missing), against=against, dimension=dimension, seed=seed
    )
    people: Mapping[TableKind, Path | None] = {
        "ratings": ratings,
        "preferences": preferences,
        "answers": answers,
    }
    given = [(kind, path) for kind, path in people.items() if path]
    if len(given) != 1:
        raise BadRequest(
            f"What people say is {' and '.join(f'--{kind}' for kind, _ in given) or 'missing'}:"
            " name one table with --ratings, --preferences or --answers."
        )
    [(kind, path)] = given
    with _hint_at_kind(path, kind):
        record, lines, left_out = _compare(kind, scores, path, options)
    if out:
        write_file(out, printing.document(record) + "\n")
    printing.print_result(as_json, record, lines)
    return FAILURES if left_out else DONE


@contextmanager
def _hint_at_kind(path: Path, kind: TableKind) -> Iterator[None]:
    """Add to an error that the columns of the table are those of another kind, where they are."""
    try:
        yield
    except BadRequest as error:
        other = other_kind(path, kind)
        if other is None:
            raise
        problem = str(error).rstrip(".")
        raise BadRequest(
            f"{problem}; the columns of {path.name!r} are those of {TABLE_KINDS[other]}: name it"
            f" with --{other}."
        ) from error


def _compare(
    kind: TableKind, scores: Path | None, people: Path, options: AgreementOptions
) -> tuple[dict[str, Any], Callable[[], str], Sequence[Complaint]]:
    """Return what a comparison prints, for programs and for people, and what it leaves out."""
    if kind == "preferences":
        if scores is None:
            raise BadRequest("The table of scores is missing: name it with --scores.")
        result = compare_preferences(read_preference_tables(scores, people, options), options)
        return preference_document(result), partial(preference_text, result), result.left_out
    if kind == "answers":
        answers = study_answers(read_answer_table(people, options), options)
        _draw(answers.items)
        return answer_document(answers), partial(answer_text, answers), answers.left_out
    studies = study_tables(read_tables(scores, people, options), options)
    _draw(studies)
    return agreement_document(studies), partial(agreement_text, studies), studies.left_out


def _draw(studies: RatingStudies) -> None:
    progress = Progress("comparisons")
    for done, total in studies.draw():
        progress(done, total)
