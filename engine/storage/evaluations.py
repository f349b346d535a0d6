"""Keeps what metrics say of pictures, with the scores that leaderboards average."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import col, select

from hallascope.data.models.specs import Knowledge
from hallascope.data.records import Category, Report
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.people.readings import reading_key
from hallascope.engine.storage.scores import (
    HELD_BACK,
    UNSORTED,
    Facets,
    has_held_back,
    injected_knowledge,
    prompt_key,
    renew_scores,
    score_rows,
    write_scores,
)
from hallascope.engine.storage.tables import (
    LINEUP,
    REPORT,
    REQUEST,
    CorrectedEvaluationRow,
    EvaluationRow,
    Generation,
    OwnerRow,
    Run,
    RunPicture,
)
from hallascope.metrics.running_sums import score_contributions
from hallascope.metrics.true_answers import TrueAnswers

# no two evaluations have the same values of these
_KEY = ("run", "generation", "metric", "judge", "trial")
_NAMES = tuple(name for name in EvaluationRow.model_fields if name != "id")
# Written out, since every image needs them, and to build them takes longer than to run them.
_UPSERT = sa.text(
    f"INSERT INTO evaluation ({', '.join(_NAMES)}) VALUES"
    f" ({', '.join(f':{name}' for name in _NAMES)}) ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET"
    f" {', '.join(f'{name} = excluded.{name}' for name in _NAMES if name not in _KEY)} RETURNING id"
)
_DELETE_VERDICTS = sa.text("DELETE FROM verdict WHERE evaluation = :evaluation")
_INSERT_VERDICT = sa.text(
    'INSERT INTO verdict (evaluation, "index", coi, question, gold, answer, state, raw,'
    " probability) VALUES (:evaluation, :position, :coi, :question, :gold, :answer, :state, :raw,"
    " :probability)"
)
_SELECT_OF_RUN = sa.text(
    "SELECT e.generation, e.model, e.image, e.metric, e.judge, e.trial, e.report, e.cached,"
    " e.lineup FROM evaluation e JOIN runpicture p ON p.generation = e.generation AND p.run = e.run"
    " WHERE e.run = :run ORDER BY p.position, e.metric, e.judge, e.trial"
)
_SELECT_CORRECTED = sa.text(
    "SELECT evaluation FROM corrected_evaluation WHERE prompt = :prompt LIMIT 1"
)
_DELETE_CORRECTION = sa.text("DELETE FROM corrected_evaluation WHERE evaluation = :evaluation")
_SELECT_PICTURE = sa.text("SELECT seed, settings FROM generation WHERE id = :id")


class MetricHistoryEntry(NamedTuple):
    """Holds what a metric said of a picture, its run's request, and the picture's knowledge."""

    request: EvaluateRequest
    evaluation: Evaluation
    injected: Knowledge | None


@dataclass(frozen=True, kw_only=True)
class StoredEvaluation(Evaluation):
    """Holds an evaluation with its run, the revision of its judge, and what its prompt is.

    `truths` are the true answers to the questions of its verdicts, in their order. They follow from
    other records, and are known in exports alone.
    """

    run: str
    judge_revision: str
    prompt: str
    category: str | None
    domain: str | None
    field: str | None = None
    difficulty: str | None = None
    truths: TrueAnswers = ()


class EvaluationStore:
    """Keeps evaluations in `database`."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def evaluations(self, run: str) -> list[Evaluation]:
        """Return the evaluations of a run, in the order of its pictures, metrics and trials."""
        with self.database.read_connection() as connection:
            rows = connection.execute(_SELECT_OF_RUN, {"run": run}).all()
        return [_evaluation(row) for row in rows]

    def evaluation_rows(self, run: str) -> Sequence[EvaluationRow]:
        """Return the rows of a run, in the order of its pictures, metrics, judges and trials."""
        query = (
            select(EvaluationRow)
            .join(
                RunPicture,
                (col(RunPicture.generation) == col(EvaluationRow.generation))
                & (col(RunPicture.run) == col(EvaluationRow.run)),
            )
            .where(EvaluationRow.run == run)
            .order_by(
                col(RunPicture.position),
                col(EvaluationRow.metric),
                col(EvaluationRow.judge),
                col(EvaluationRow.trial),
            )
        )
        return self.database.read(query)

    def evaluations_of(self, images: Iterable[str]) -> list[Evaluation]:
        """Return what was said of these pictures (by SHA-256) in any run.

        Of each picture the oldest stands first.
        """
        return [_evaluation(row) for row in self._rows(col(EvaluationRow.image), images)]

    def evaluations_by_id(self, ids: Iterable[int]) -> dict[int, Evaluation]:
        """Return the evaluations of these ids, as far as they are stored, the oldest first."""
        rows = self._rows(col(EvaluationRow.id), ids)
        return {row.id: _evaluation(row) for row in rows if row.id is not None}

    def _rows(self, column: Any, values: Iterable[Any]) -> list[EvaluationRow]:
        query = select(EvaluationRow).order_by(col(EvaluationRow.id))
        return self.database.read(query, column, sorted(set(values)))

    def metric_history(self, metric: str) -> list[MetricHistoryEntry]:
        """Return what a metric said in all runs, the newest first.

        Of a picture that several runs show, each judge's newest trials alone.
        """
        query = (
            select(EvaluationRow, Run.request, Generation.settings)
            .join(Run, col(Run.id) == col(EvaluationRow.run))
            .join(Generation, col(Generation.id) == col(EvaluationRow.generation))
            .where(EvaluationRow.metric == metric)
            .order_by(col(EvaluationRow.id).desc())
        )
        entries: dict[tuple[str, str, int], MetricHistoryEntry] = {}
        for row, request, settings in self.database.read(query):
            entry = MetricHistoryEntry(
                REQUEST.validate_json(request),
                _evaluation(row),
                injected_knowledge(settings),
            )
            entries.setdefault((row.generation, row.judge, row.trial), entry)
        return list(entries.values())

    def keep_evaluation(
        self,
        run: str,
        evaluation: Evaluation,
        judge_revision: str = "",
        facets: Facets = UNSORTED,
        *,
        is_held_back: bool = False,
    ) -> None:
        """Keep an evaluation with its verdicts.

        One of the same picture, metric, judge and trial is replaced. Its scores, which leaderboards
        average, are written in the same transaction. The field is that of the category, where one
        is known. `is_held_back`: it counts in its run alone, as one that rests on a visitor's
        correction does in any case.
        """
        report = evaluation.report
        known = next((each.field for each in Category if each == facets.category), facets.field)
        facets = facets._replace(field=known)
        row = _evaluation_row(run, evaluation, judge_revision, facets)
        values = storable(row.model_dump(exclude={"id"}))
        if self.database.visitor:  # verdicts and scores are stored beside the report
            self.database.count_stored(2 * len(row.report.encode()))
        with self.database.write_connection() as connection:
            number = connection.execute(_UPSERT, values).scalar_one()
            connection.execute(_DELETE_VERDICTS, {"evaluation": number})
            if report.verdicts:
                verdicts = [
                    storable(
                        {
                            "evaluation": number,
                            "position": index,
                            "coi": verdict.question.coi,
                            "question": verdict.question.text,
                            "gold": verdict.question.gold,
                            "answer": verdict.answer,
                            "state": verdict.state,
                            "raw": verdict.raw,
                            "probability": verdict.probability,
                        }
                    )
                    for index, verdict in enumerate(report.verdicts)
                ]
                connection.execute(_INSERT_VERDICT, verdicts)
            picture = {"id": evaluation.generation}
            seed, settings = connection.execute(_SELECT_PICTURE, picture).one()
            row.id = number
            self._keep_correction(connection, number, report)
            scores = score_rows(
                row,
                score_contributions(report),
                facets=facets,
                seed=seed,
                injected=injected_knowledge(settings),
                created=HELD_BACK
                if is_held_back or self._rests_on_visitor(connection, report)
                else time.time(),
            )
            write_scores(connection, scores, is_visitors=self.database.visitor is not None)

    def renew_evaluations(self, run: str, prompt: str, *, counts: bool = False) -> None:
        """Let what a run says of a prompt count on leaderboards, where others rest on a correction.

        The run is begun again, and says what is said of the prompt now: nobody corrects it any
        more, or as before. `counts`: so does what was held back, as it is everybody's now.
        """
        with self.database.read_connection() as connection:
            corrected = connection.execute(_SELECT_CORRECTED, {"prompt": prompt_key(prompt)})
            renewed = [False] if corrected.first() else []
            if counts and has_held_back(connection, run, prompt):
                renewed.append(True)
        if not renewed:
            return
        with self.database.write_connection() as connection:
            for held_back in renewed:
                renew_scores(connection, run, prompt, time.time(), held_back=held_back)

    def _rests_on_visitor(self, connection: sa.Connection, report: Report) -> bool:
        """Return whether an evaluation rests on what a visitor alone says of the prompt."""
        visitor, reading = self.database.visitor, report.reading
        if visitor is None or reading is None or reading.source != "person":
            return False
        owned = sa.select(col(OwnerRow.key)).where(
            col(OwnerRow.kind) == "person", col(OwnerRow.key) == reading.author
        )
        return reading.author == visitor.name or connection.execute(owned).first() is not None

    def _keep_correction(self, connection: sa.Connection, evaluation: int, report: Report) -> None:
        """Note whose reading of the prompt an evaluation rests on, where it is a person's."""
        connection.execute(_DELETE_CORRECTION, {"evaluation": evaluation})
        reading = report.reading
        if reading is None or reading.source != "person":
            return
        row = CorrectedEvaluationRow(
            evaluation=evaluation,
            prompt=prompt_key(report.prompt),
            reading=reading_key(reading),
            author=reading.author,
        )
        self.database.write_rows(connection, CorrectedEvaluationRow, [row.model_dump()])


def _evaluation(row: Any) -> Evaluation:
    return Evaluation(
        generation=row.generation,
        model=row.model,
        image=row.image,
        metric=row.metric,
        judge=row.judge or None,
        trial=row.trial,
        report=REPORT.validate_json(row.report),
        cached=bool(row.cached),
        lineup=LINEUP.validate_json(row.lineup),
    )


def _evaluation_row(
    run: str,
    evaluation: Evaluation,
    judge_revision: str,
    facets: Facets,
) -> EvaluationRow:
    report = evaluation.report
    strict = report.scores.get("strict")
    return EvaluationRow(
        run=run,
        generation=evaluation.generation,
        image=evaluation.image,
        model=evaluation.model,
        metric=evaluation.metric,
        version=report.version,
        judge=evaluation.judge or "",
        judge_revision=judge_revision,
        trial=evaluation.trial,
        prompt=report.prompt,
        category=facets.category or None,
        domain=facets.domain or None,
        field=facets.field or None,
        difficulty=facets.difficulty or None,
        value=report.score.value,
        counted=report.score.counted,
        left_out=report.score.left_out,
        strict=strict.value if strict else None,
        report=REPORT.dump_json(report).decode(),
        cached=evaluation.cached,
        lineup=LINEUP.dump_json(dict(evaluation.lineup)).decode(),
    )
