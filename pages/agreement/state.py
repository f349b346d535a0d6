"""Compares metrics with people, from tables of three kinds or from what people said here."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple, cast

from hallascope.data.files.ratings import StudyTables
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.comparison import (
    TABLE_KINDS,
    AgreementOptions,
    RatingStudies,
    RecognizedTable,
    TableKind,
    compare_preferences,
    other_kind,
    read_answer_table,
    read_preference_tables,
    read_tables,
    recognize_table,
    study_answers,
    study_tables,
)
from hallascope.engine.judge_eval.people import People
from hallascope.engine.services import Services
from hallascope.pages.agreement.agreement_view import AgreementView
from hallascope.pages.agreement.answer_view import answer_view
from hallascope.pages.agreement.preference_view import preference_view
from hallascope.pages.agreement.rating_view import rating_view

SOURCES: Mapping[str, str] = {
    "tables": "Upload tables",
    "ihalla": "People’s answers to the five questions",
    "grade": "People’s grades from 1 to 7",
}
KindChoice = Literal["auto", "ratings", "preferences", "answers"]
KINDS: Mapping[KindChoice, str] = {
    "auto": "Recognize it by its columns",
    "ratings": "Ratings",
    "preferences": "Preferences between two items",
    "answers": "Answers to questions",
}
WELCOME = "Add your tables and press Compare, try an example, or choose answers of the Labels tab."
# what a public app takes; the time grows with the square of items and of metrics
MAX_ROWS = 3_000
MAX_ITEMS = 1_000
MAX_METRICS = 12
MAX_SECONDS = 60.0  # of one comparison on a public app
SecondsClock = Callable[[], float]
NO_OPTIONS = AgreementOptions()


class ComparisonProgress(NamedTuple):
    """Counts the comparisons that are done."""

    done: int
    total: int


class ComparisonInput(NamedTuple):
    """Holds what is compared: one of SOURCES, and for tables their files and one of KINDS.

    `people` is the file of what people say; answers to questions need no scores.
    """

    source: str
    scores: str | None = None
    people: str | None = None
    kind: str = "auto"


Steps = Iterator[ComparisonProgress | AgreementView]


def steps(
    services: Services,
    given: ComparisonInput,
    options: AgreementOptions = NO_OPTIONS,
    clock: SecondsClock = time.monotonic,
) -> Steps:
    """Compare metrics with people: yield the progress, and what the page shows last.

    Nothing is computed ahead of the next step. Raises BadRequest with one sentence where a table is
    missing, cannot be read or is too large, and on a public app where it takes longer than
    MAX_SECONDS; StoreError.
    """
    start = clock()
    for step in _unlimited_steps(services, given, options):
        yield step
        if isinstance(step, ComparisonProgress) and public() and clock() - start > MAX_SECONDS:
            raise BadRequest(
                f"The comparison took longer than the {MAX_SECONDS:g} seconds that this app gives"
                " it: bring fewer items or metrics, or run HallaScope on your own machine."
            )


def _unlimited_steps(
    services: Services, given: ComparisonInput, options: AgreementOptions
) -> Steps:
    if given.source != "tables":
        yield from _compare_ratings(services, _of_people(services, given.source, options))
        return
    if not given.people:
        raise BadRequest(
            "The people’s table is missing: add one with ratings, preferences or answers,"
            " try an example, or choose answers of the Labels tab."
        )
    recognized = choose_kind(Path(given.people), given.kind)
    try:
        for step in _table_steps(services, recognized.kind, given, options):
            if isinstance(step, AgreementView):
                words = step.words
                step = step._replace(words=f"{recognition_words(recognized)}: {words}")
            yield step
    except BadRequest as error:
        other = other_kind(Path(given.people), recognized.kind)
        if other is None:
            raise
        problem = str(error).rstrip(".")
        raise BadRequest(
            f"{problem}; the columns are those of {TABLE_KINDS[other]}: choose this kind, or let it"
            " be recognized."
        ) from error


def choose_kind(people: Path, kind: str) -> RecognizedTable:
    """Return the kind that is chosen, or the one that the columns show. Raises BadRequest."""
    if kind in TABLE_KINDS:
        return RecognizedTable(cast(TableKind, kind), ())
    return recognize_table(people)


def recognition_words(recognized: RecognizedTable) -> str:
    """Return what a table is taken for, and by which columns, as the start of a sentence."""
    kind = TABLE_KINDS[recognized.kind].capitalize()
    *columns, last = recognized.columns or ("",)
    if not last:
        return kind
    return f"{kind}, recognized by the columns {', '.join(columns)} and {last}"


def _table_steps(
    services: Services, kind: TableKind, given: ComparisonInput, options: AgreementOptions
) -> Steps:
    assert given.people
    people = Path(given.people)
    if kind == "answers":
        yield from _compare_answers(people, options)
        return
    scores = Path(given.scores) if given.scores else None
    if kind == "preferences":
        if scores is None:
            raise BadRequest(
                "The table of scores is missing: preferences are compared with the scores of "
                "metrics, so add both tables."
            )
        yield _compare_preferences(scores, people, options)
    else:
        studies = _of_tables(scores, people, options)
        yield from _compare_ratings(services, studies)


# --- ratings ---


def _compare_ratings(services: Services, studies: RatingStudies) -> Steps:
    _check_size("items", len(set().union(*studies.scores.values())), MAX_ITEMS)
    _check_size("metrics", len(studies.scores), MAX_METRICS)
    for done, total in studies.draw():
        yield ComparisonProgress(done, total)
    yield rating_view(services, studies)


def _of_people(services: Services, source: str, options: AgreementOptions) -> RatingStudies:
    """Return the study of what people said here; they rate one dimension, in known values."""
    people = People(services)
    ratings = people.ratings(source)
    if not ratings:
        raise BadRequest(
            f"No such answers are stored yet ({SOURCES.get(source, source)}): give some on the"
            " Labels tab."
        )
    tables = StudyTables(people.metrics(), {"": ratings}, {}, ())
    return study_tables(tables, replace(options, dimension=""))


def _of_tables(scores: Path | None, ratings: Path, options: AgreementOptions) -> RatingStudies:
    tables = read_tables(scores, ratings, options)
    _check_size("rows of scores", sum(map(len, tables.scores.values())), MAX_ROWS)
    rows = sum(len(values) for items in tables.ratings.values() for values in items.values())
    _check_size("rows of ratings", rows, MAX_ROWS)
    return study_tables(tables, options)


# --- preferences and answers ---


def _compare_preferences(
    scores: Path, preferences: Path, options: AgreementOptions
) -> AgreementView:
    tables = read_preference_tables(scores, preferences, options)
    _check_size("rows of scores", len(tables.scored.numbers), MAX_ROWS)
    _check_size("rows of preferences", len(tables.preferred.preferences), MAX_ROWS)
    _check_size("metrics", len(tables.scored.by_name()), MAX_METRICS)
    return preference_view(compare_preferences(tables, options))


def _compare_answers(answers: Path, options: AgreementOptions) -> Steps:
    table = read_answer_table(answers, options)
    _check_size("rows of answers", len(table.answers), MAX_ROWS)
    _check_size("items", len({asked.item for asked in table.questions}), MAX_ITEMS)
    _check_size("metrics", len(table.by_name(metrics=True)), MAX_METRICS)
    studies = study_answers(table, options)
    for done, total in studies.items.draw():
        yield ComparisonProgress(done, total)
    yield answer_view(studies)


def _check_size(what: str, number: int, most: int) -> None:
    """Raise BadRequest where a public app is given more than it compares."""
    if public() and number > most:
        raise BadRequest(
            f"The tables have {number:,} {what}, and this app compares at most {most:,}: "
            "bring a part of them, or run HallaScope on your own machine."
        )
