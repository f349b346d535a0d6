"""The library: evaluate models, judge images, rank what is stored.

The dashboard and the commands use the same engine.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import Judge
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.comparison import (
    AgreementOptions,
    agreement_document,
    answer_document,
    compare_preferences,
    preference_document,
    read_answer_table,
    read_preference_tables,
    read_tables,
    study_answers,
    study_tables,
)
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.comparisons import compare_models
from hallascope.engine.leaderboard.documents import frame_rows
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query, check_groups
from hallascope.engine.leaderboard.label_correction import correct_by_people
from hallascope.engine.leaderboard.options import require_known_names
from hallascope.inputs import (
    MetricInput,
    ReadingsInput,
    Reference,
    list_images,
    list_prompts,
    pair_prompts,
    read_models,
    table_file,
)
from hallascope.results import AgreementResult, LeaderboardResult, Results, agreement_rows
from hallascope.session import EvaluationSession, open_store

if TYPE_CHECKING:
    from PIL.Image import Image

    from hallascope.inputs import ImageSource, TableInput


def evaluate(
    prompts: str | Iterable[str],
    *,
    models: object,
    metrics: MetricInput | Iterable[MetricInput] = "ihalla",
    judge: str | Judge | Sequence[str | Judge] | None = "primer/judge",
    references: "Mapping[str, Reference | ImageSource] | None" = None,
    roles: Mapping[Role, str] | None = None,
    readings: ReadingsInput | None = None,
    accept_readings: bool = False,
    seed: int = 0,
    count: int = 1,
    trials: int = 1,
    budget: float | None = None,
    home: str | Path | None = None,
    wording: str | Path = OURS,
) -> Results:
    """Draw every prompt with every model, judge the images by every metric, and return all scores.

    `models`: one model, a sequence, or a mapping of names to models. A model is the name of one
    (`hallascope models list`), a loaded pipeline of diffusers, or any function from prompt and seed
    to a PIL image. `metrics`: names, a `Metric`, a function from PIL image and prompt to a number
    from 0 to 1, or a sequence of these. `judge`: the name of one, a loaded judge, or None for
    metrics that ask none; several are a jury that votes by their measured reliability.
    `references`: by prompt, the reference image of its concept. `roles`: models for other roles
    (writer, parser, captioner, detector, segmenter, reader, embedder). `readings`: what the prompts
    ask for, as `PromptReading`s or the file that `hallascope asks` prints; they go before what is
    stored, and what a parser or the rules read. `accept_readings` also scores what the rules are
    not sure of, which has no score else. `count` images a model, with the seeds `seed`, `seed + 1`,
    ...; `trials` repeats the judging. `budget`: the most that the run of each prompt may cost, in
    USD. `home`: the folder of the store, as HALLASCOPE_HOME; what is stored there is not done
    twice. `wording`: the pack of texts that models are sent, or its folder.

    Raises BadRequest, UnknownModel, Unavailable, BadImage or StoreError with one sentence. A model
    that fails later leaves a score without a value, with its failure beside it.
    """
    backends = read_models(models)
    with ExitStack() as stack:
        session = EvaluationSession(
            stack,
            backends=backends,
            judge=judge,
            metrics=metrics,
            roles=roles,
            home=home,
            budget=budget,
            wording=wording,
        )
        listed = list_prompts(prompts)
        session.take_readings(readings, listed)
        request = replace(
            session.request,
            models=tuple(backends),
            seed=seed,
            count=count,
            trials=trials,
            accept_readings=accept_readings,
        )
        for prompt in listed:
            reference = session.reference(prompt, references or {})
            session.run(replace(request, prompt=prompt, **reference))
        return session.results()


def judge_images(
    images: "str | Path | Image | Sequence[ImageSource]",
    prompts: str | Sequence[str] | Mapping[str, str] | None = None,
    *,
    metrics: MetricInput | Iterable[MetricInput] = "ihalla",
    judge: str | Judge | Sequence[str | Judge] | None = "primer/judge",
    references: "Mapping[str, Reference | ImageSource] | None" = None,
    roles: Mapping[Role, str] | None = None,
    readings: ReadingsInput | None = None,
    accept_readings: bool = False,
    trials: int = 1,
    budget: float | None = None,
    home: str | Path | None = None,
    wording: str | Path = OURS,
) -> Results:
    """Judge images that are there already and return all scores.

    `images`: a folder, one image, or a sequence of files and PIL images. `prompts`: one prompt for
    all, one for each image, or a mapping of file names to prompts; None: the folder has a file
    `prompts.csv` with the columns `image` and `prompt`. The rest is as for `evaluate`.

    Raises BadRequest where images and prompts do not go together, and what `evaluate` raises.
    """
    with ExitStack() as stack:
        session = EvaluationSession(
            stack,
            backends={},
            judge=judge,
            metrics=metrics,
            roles=roles,
            home=home,
            budget=budget,
            wording=wording,
        )
        files = [session.file(image) for image in list_images(images)]
        by_prompt: dict[str, list[Path]] = {}
        for file, prompt in pair_prompts(files, prompts):
            by_prompt.setdefault(prompt, []).append(file)
        session.take_readings(readings, by_prompt)
        for prompt, paths in by_prompt.items():
            request = replace(
                session.request,
                prompt=prompt,
                images=tuple(paths),
                trials=trials,
                accept_readings=accept_readings,
            )
            session.run(replace(request, **session.reference(prompt, references or {})))
        return session.results()


def leaderboard(
    metric: str = "ihalla",
    *,
    score: str = "score",
    by: Grouping = "model",
    shipped: bool = False,
    corrected: bool = False,
    labels: str | Path | None = None,
    home: str | Path | None = None,
    **filters: Any,
) -> LeaderboardResult:
    """Rank the models in the store by the mean of a score, with 95 % intervals.

    `by`: model, domain, field (Science or History), category, difficulty, coi, level, task, judge
    or trial. `shipped`: the numbers that come with the program, also where the store has its own.
    `corrected`: beside them the scores of I-HallA as people's answers on the Labels tab correct
    them; `labels`: as the labels of this folder do. `filters` are the fields of
    `hallascope.engine.leaderboard.filters.Filters`, e.g. ``models=("a", "b")``.

    Raises BadRequest where the metric, the score or a filter does not exist, or where the folder
    holds no labels of judged images.
    """
    known = Filters.__dataclass_fields__
    if unknown := [name for name in filters if name not in known]:
        raise BadRequest(f"There is no filter {unknown[0]!r}: choose one of {', '.join(known)}.")
    filters |= {
        name: (value,)
        for name, value in filters.items()
        if isinstance(value, str) and known[name].default == ()
    }
    query = Query(metric, score, by, Filters(**filters))
    check_groups(query)
    source = demo.leaderboard_source(open_store(home), shipped=shipped, filters=query.filters)
    require_known_names(source.store, query)
    ranking = board(source.store, query)
    comparisons = compare_models(source.store, ranking)
    correction = None
    if corrected or labels is not None:
        folder = None if labels is None else Path(labels)
        correction = correct_by_people(source.store, ranking, folder)
    return LeaderboardResult(
        metric=metric,
        score=score,
        by=by,
        unit=ranking.unit,
        rows=tuple(frame_rows(ranking, comparisons, correction)),
        shipped=source.demo,
        interval_method=ranking.interval_method,
        sentences=tuple(comparisons.sentences),
        correction=correction,
    )


def agreement(
    scores: "TableInput | None" = None,
    ratings: "TableInput | None" = None,
    *,
    preferences: "TableInput | None" = None,
    answers: "TableInput | None" = None,
    scale: str = "",
    missing: Sequence[str] = (),
    against: str = "",
    dimension: str = "",
    seed: int = 0,
) -> AgreementResult:
    """Measure how well metrics agree with people, as `hallascope agreement` does.

    What people say is one of three tables. `ratings` have the columns item, rater (optional) and
    value, `preferences` item_a, item_b, rater (optional) and choice; both stand beside `scores`
    with the columns item, metric and value; a table of ratings may hold scores itself. `answers`
    have item, question, answer, and rater or metric, and need no scores. A column group names the
    cluster of an item. Each table is a file (.csv, .tsv, .xlsx, also packed by gzip) or a DataFrame
    of pandas.

    `scale`: the ends and the level of the ratings, such as "1..5", "ordinal" or "ordinal 1..5"; the
    level is guessed if it is not given. `missing`: texts that stand for no value. `against`: the
    one metric with which the others are compared, else all with all. `dimension`: the only
    dimension of the ratings that is compared.

    Raises BadRequest where not one of the three tables is given or a table cannot be read.
    """
    given = [table for table in (ratings, preferences, answers) if table is not None]
    if len(given) != 1:
        raise BadRequest("Give one table of what people say: ratings, preferences or answers.")
    options = AgreementOptions(
        scale=scale, missing=missing, against=against, dimension=dimension, seed=seed
    )
    with TemporaryDirectory(prefix="hallascope-") as name:
        folder = Path(name)
        if answers is not None:
            return _answer_agreement(table_file(answers, folder, "answers"), options)
        score_file = None if scores is None else table_file(scores, folder, "scores")
        if preferences is not None:
            if score_file is None:
                raise BadRequest("Give the table of scores beside what people prefer.")
            return _preference_agreement(
                score_file, table_file(preferences, folder, "preferences"), options
            )
        assert ratings is not None
        return _rating_agreement(score_file, table_file(ratings, folder, "ratings"), options)


def _rating_agreement(
    scores: Path | None, ratings: Path, options: AgreementOptions
) -> AgreementResult:
    studies = study_tables(read_tables(scores, ratings, options), options)
    document = agreement_document(studies)
    rows = [
        row
        for dimension, study in document.get("dimensions", {"": document}).items()
        for row in agreement_rows(study["metrics"], "ratings", dimension)
    ]
    return AgreementResult(tuple(rows), tuple(map(str, studies.left_out)), document)


def _preference_agreement(
    scores: Path, preferences: Path, options: AgreementOptions
) -> AgreementResult:
    result = compare_preferences(read_preference_tables(scores, preferences, options), options)
    document = preference_document(result)
    rows = agreement_rows(document["metrics"], "preferences")
    return AgreementResult(tuple(rows), tuple(map(str, result.left_out)), document)


def _answer_agreement(answers: Path, options: AgreementOptions) -> AgreementResult:
    studies = study_answers(read_answer_table(answers, options), options)
    document = answer_document(studies)
    rows = [
        *agreement_rows(document["questions"]["metrics"], "questions"),
        *agreement_rows(document["items"]["metrics"], "items"),
    ]
    return AgreementResult(tuple(rows), tuple(map(str, studies.left_out)), document)
