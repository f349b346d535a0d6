"""Writes the methods paragraph of runs, from what their records hold and from nothing else."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hallascope import metrics
from hallascope.data.citations.bibtex import bibtex_entries, citation_keys
from hallascope.data.models.services import find
from hallascope.data.requests import Role
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import ORIGIN_LAYOUT, UPLOADED
from hallascope.engine.export.folder import HoldsSecret, Secrets
from hallascope.engine.export.formats import ExportSource, RunContent, library_version
from hallascope.engine.export.records import SharedPicture
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.label_correction import correct_by_people
from hallascope.engine.storage.evaluations import StoredEvaluation
from hallascope.engine.storage.scores import INJECTED
from hallascope.metrics.aggregate import interval_method
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS
from hallascope.metrics.true_answers import JudgeErrors, count_errors

_UNANSWERED = ("unreadable", "failed")


@dataclass(frozen=True)
class MethodsText:
    """Holds the paragraph, and the BibTeX entries that it cites, by key."""

    paragraph: str
    entries: dict[str, str]

    @property
    def bibtex(self) -> str:
        """Return all entries as one file."""
        return "\n".join(self.entries.values())


def describe_methods(source: ExportSource) -> MethodsText:
    """Return the methods paragraph of runs, true of what is stored of them, with its BibTeX.

    Raises BadRequest where the runs have no image, HoldsSecret where a prompt holds a key.
    """
    contents = list(source.iterate_runs())
    by_place = {picture.generation: picture for one in contents for picture in one.pictures}
    pictures = list(by_place.values())
    if not any(picture.image for picture in pictures):
        raise BadRequest("The run has no image yet: describe it when it has been evaluated.")
    evaluations = _count_once(evaluation for one in contents for evaluation in one.evaluations)
    prompts = list(dict.fromkeys(one.run.request.prompt for one in contents))
    names = list(dict.fromkeys(evaluation.metric for evaluation in evaluations))
    own_version = library_version() or "(not installed)"
    sentences = [
        *_image_sentences(source, pictures, prompts),
        f"All scores were computed with HallaScope {own_version} [hallascope].",
        *(sentence for name in names for sentence in _metric_sentences(evaluations, name)),
        *_interval_sentences(prompts, names),
        *_answer_sentences(evaluations),
        *_correction_sentences(source, contents, names),
    ]
    paragraph = " ".join(sentences)
    if secret := Secrets().find(paragraph):
        raise HoldsSecret(f"The paragraph would hold {secret}: take it out of the prompt.")
    return MethodsText(paragraph, bibtex_entries(names))


def _count_once(evaluations: Iterable[StoredEvaluation]) -> list[StoredEvaluation]:
    """Return the evaluations without those that another run has of the same image."""
    by_what = {
        (
            each.generation,
            each.metric,
            each.report.version,
            each.judge_revision,
            each.trial,
            frozenset(each.lineup.items()),
            each.judge,
        ): each
        for each in evaluations
    }
    return list(by_what.values())


# --- images ---


def _image_sentences(
    source: ExportSource, pictures: Sequence[SharedPicture], prompts: Sequence[str]
) -> Iterator[str]:
    generated: list[SharedPicture] = []
    imported: list[SharedPicture] = []
    brought: list[SharedPicture] = []
    for picture in pictures:
        if picture.image:
            own = brought if picture.model == UPLOADED else generated
            (imported if ORIGIN_LAYOUT in picture.settings else own).append(picture)
    asked = _count(len(prompts), "prompt") if len(prompts) > 1 else f"the prompt “{prompts[0]}”"
    if generated:
        yield (
            f"We generated {_count(len(generated), 'image')} of {asked} with"
            f" {_listed(_model_texts(generated))}."
        )
    specs = {model: find(source.services.registry.specs, model) for model in _models(generated)}
    if simulated := [model for model, spec in specs.items() if spec and spec.kind == "simulated"]:
        verb = "is a simulated generator" if len(simulated) == 1 else "are simulated generators"
        yield f"{_listed(simulated)} {verb}, whose errors are drawn on purpose and known."
    for elsewhere, by in ((imported, f" with {_listed(_models(imported))}"), (brought, "")):
        if elsewhere:
            number = len(elsewhere)
            images = _count(number, "image")
            yield f"{images} made elsewhere{by} {_were(number)} evaluated for {asked}."
    injected = Counter(str(p.settings[INJECTED]) for p in generated if p.settings.get(INJECTED))
    for knowledge, number in sorted(injected.items()):
        yield f"For {_count(number, 'image')} the model was also given {knowledge} knowledge."
    if failed := sum(picture.state == "failed" for picture in pictures):
        yield f"{_count(failed, 'image')} could not be made and {_were(failed)} left out."


def _model_texts(pictures: Sequence[SharedPicture]) -> list[str]:
    """Return every generator with its revision and seeds, in the order of the images."""
    seeds: dict[tuple[str, str], set[int]] = defaultdict(set)
    for picture in pictures:
        seeds[picture.model, picture.revision].add(picture.seed)
    return [
        f"{model} (revision {revision}, {seed_text(sorted(numbers))})"
        for (model, revision), numbers in seeds.items()
    ]


def _models(pictures: Sequence[SharedPicture]) -> list[str]:
    return list(dict.fromkeys(picture.model for picture in pictures))


def seed_text(seeds: Sequence[int]) -> str:
    """Return seeds in words, which are in order and differ: "seeds 0 to 3", "seeds 0, 5"."""
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    follow = all(later - earlier == 1 for earlier, later in pairwise(seeds))
    if follow and len(seeds) > 2:
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"seeds {', '.join(map(str, seeds))}"


# --- metrics ---


def _metric_sentences(evaluations: Sequence[StoredEvaluation], name: str) -> Iterator[str]:
    of_metric = [each for each in evaluations if each.metric == name]
    for version_ in dict.fromkeys(each.report.version for each in of_metric):
        rows = [each for each in of_metric if each.report.version == version_]
        cite = "".join(f" [{key}]" for key in citation_keys(name))
        images = len({each.generation for each in rows})
        trials = len({each.trial for each in rows})
        repeated = f", {trials} times each" if trials > 1 else ""
        mark = wording_mark(version_)
        wording = f", with the wording {mark}" if mark.version else ""
        yield (
            f"{metrics.title(name)}{cite}, version {version_}, was computed on"
            f" {_count(images, 'image')}{repeated}{wording}{_models_used(rows)}."
        )


def _models_used(rows: Sequence[StoredEvaluation]) -> str:
    """Return who filled the roles of a metric, the judge with its revision."""
    roles: dict[Role, dict[str, None]] = defaultdict(dict)
    for row in rows:
        if row.judge:
            revision = f" (revision {row.judge_revision})" if row.judge_revision else ""
            roles["judge"][f"{row.judge}{revision}"] = None
        for role, model in row.lineup.items():
            if role != "judge":
                roles[role][model] = None
    parts = [f"{role} {' and '.join(models)}" for role, models in roles.items()]
    return f"; {', '.join(parts)}" if parts else ""


# --- numbers ---


def _interval_sentences(prompts: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    if not names:
        return
    if len(prompts) < 2:
        yield "Scores are means over the images of one prompt, so that there is no interval."
        return
    methods = {interval_method(metrics.score(name, "score").bounds) for name in names}
    how = "; ".join(INTERVAL_METHODS[method] for method in sorted(methods))
    yield (
        "Scores are means over prompts, of which each weighs the same; intervals are 95 % intervals"
        f" by prompt ({how})."
    )


def _answer_sentences(evaluations: Sequence[StoredEvaluation]) -> Iterator[str]:
    states: Counter[str] = Counter()
    errors = JudgeErrors()
    for evaluation in evaluations:
        states.update(verdict.state for verdict in evaluation.report.verdicts)
        if evaluation.truths:
            errors += count_errors(evaluation.report.verdicts, evaluation.truths)
    asked = states.total()
    unanswered = sum(states[state] for state in _UNANSWERED)
    if unanswered:
        yield (
            f"Of {_count(asked, 'question')}, {unanswered:,} had no answer that could be read and"
            f" {_were(unanswered)} left out, not counted as wrong."
        )
    elif asked:
        yield f"Every one of {_count(asked, 'question')} was answered."
    if abstained := states["abstained"]:
        times = "once" if abstained == 1 else f"{abstained:,} times"
        yield f"The judge chose “None of the above” {times} where another choice was expected."
    if errors.known:
        yield errors.sentence


def _correction_sentences(
    source: ExportSource, contents: Sequence[RunContent], names: Sequence[str]
) -> Iterator[str]:
    reports = (evaluation.report for one in contents for evaluation in one.evaluations)
    corrected = {report.prompt for report in reports if report.corrected_by}
    if corrected:
        yield (
            f"What {_count(len(corrected), 'prompt')} asked for was corrected by people before the"
            " evaluation."
        )
    if "ihalla" not in names:
        return
    store = source.services.store
    query = Query("ihalla", filters=Filters(runs=tuple(one.run.id for one in contents)))
    rows = [row for row in correct_by_people(store, board(store, query)).rows if row.score]
    if rows:
        yield (
            "Scores corrected by people’s labels use prediction-powered inference by prompt"
            f" ({'; '.join(row.sentence.rstrip('.') for row in rows)})."
        )


# --- words ---


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _listed(texts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
