"""Holds the command that puts judges on trial where the truth is known, and keeps the outcome."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from hallascope.backends.base import Judge
from hallascope.cli.options import (
    DEFAULT_JUDGE,
    OURS,
    JsonOption,
    JudgeOption,
    Natural,
    Positive,
    SpendingOptions,
    WordingOption,
)
from hallascope.cli.output import printing, trials
from hallascope.cli.terminal import DONE, FAILURES, Progress, complain, split_names
from hallascope.data.benchmarks.haloquest import HaloRow, read_haloquest
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    HaloTrialItem,
    haloquest_items,
    items_with_replies,
    primer_items,
    sample_rows,
    score_replies,
    summarize_overlaps,
    try_halo,
)
from hallascope.engine.judge_eval.harness import TrialProgress
from hallascope.engine.judge_eval.ihalla import BENCHMARK
from hallascope.engine.judge_eval.labeled import try_on_labels
from hallascope.engine.judge_eval.runner import JudgeTrialRequest, run_judge_trials
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services, create_services
from hallascope.engine.trials.records import Trial
from hallascope.engine.trials.store import TrialStore
from hallascope.metrics.haloquest.auto_eval import AutoEvalName

PRIMER_HALO = "primer-halo"
BENCHMARKS = ("haloquest", PRIMER_HALO)
LABELED = "--labeled"
_TAKERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("images", "trials", "orders", "difficulty", "each_concept"), (BENCHMARK,)),
    **dict.fromkeys(("path", "image_folder", "download", "replies"), ("haloquest",)),
    **dict.fromkeys(("grader", "auto_eval", "sample"), BENCHMARKS),
    "labeler": (LABELED,),
}
IMAGES = 200
_CAPPED = (
    "The budget ended before all questions were answered, so that nothing is said of that judge:"
    " give a larger --budget, and the same command goes on where it stopped."
)
PRIMER_SAMPLE = 300  # Primer's questions that are asked by default


@dataclass(frozen=True, kw_only=True)
class HaloQuestOptions:
    """Holds which of HaloQuest's questions are asked, and how replies are graded.

    Args:
        path: HaloQuest's table, or the folder that holds it.
        image_folder: The folder of HaloQuest's images.
        download: Fetch missing images from the web.
        grader: The model that grades replies; default: rules.
        auto_eval: How the grader is asked: reasoned (main points first, as the paper), schema (the
            verdict as JSON) or text (the verdict in words).
        replies: Grade the replies of this table `item, reply, value` instead of asking.
        sample: Only so many questions, drawn by the seed; 0: all.
    """

    path: Path | None = None
    image_folder: Path | None = None
    download: bool = False
    grader: str | None = None
    auto_eval: AutoEvalName = "reasoned"
    replies: Path | None = None
    sample: Natural = 0


_NO_OPTIONS = asdict(HaloQuestOptions())


def trial(
    *,
    spending: SpendingOptions,
    halo: HaloQuestOptions,
    judge: JudgeOption = DEFAULT_JUDGE,
    benchmark: str = BENCHMARK,
    images: Positive = IMAGES,
    seed: int = 0,
    trials: Positive = 1,
    orders: Positive = 1,
    difficulty: bool = False,
    each_concept: Natural = 0,
    labeled: Path | None = None,
    labeler: str | None = None,
    wording: WordingOption = OURS,
    as_json: JsonOption = False,
) -> int:
    """Test how often a judge is right where the truth is known, by composition of interest.

    It prints how many wrong facts the judge flags, how many correct facts it accepts, how it
    answers, and what that costs.

    Args:
        judge: The judge to test; for Primer questions several, separated by commas.
        benchmark: Where the truth is known: primer, primer-halo or haloquest.
        images: How many held-out images.
        seed: Which held-out images.
        trials: How often each question is asked, for consistency.
        orders: In how many orders of its choices each question is asked.
        difficulty: Also ask five times of each image: is it normal or weird?
        each_concept: Also try so many images of each concept, for figures by concept and fact only.
        labeled: Test on this folder of labeled images instead (`hallascope label make`).
        labeler: Only labels of this person.
    """
    judges = split_names(judge)
    if labeled and wording != OURS:
        raise BadRequest("Labeled images are judged in our wording: leave --wording out.")
    if labeled and benchmark != BENCHMARK:
        raise BadRequest("Labeled images are a benchmark themselves: leave --benchmark out.")
    if benchmark not in (BENCHMARK, *BENCHMARKS):
        known = ", ".join(map(repr, (BENCHMARK, *BENCHMARKS)))
        raise BadRequest(
            f"There is no benchmark {benchmark!r} to try a judge on: this version has {known}."
        )
    given = {
        "images": images != IMAGES,
        "trials": trials > 1,
        "orders": orders > 1,
        "difficulty": difficulty,
        "each_concept": each_concept,
        "labeler": labeler,
        **{name: value != _NO_OPTIONS[name] for name, value in asdict(halo).items()},
    }
    _require_takers(LABELED if labeled else benchmark, given)
    if labeled:
        return _try_on_labels(_single_judge(judges), labeled, labeler, as_json)
    if benchmark in BENCHMARKS:
        asked = None if halo.replies else _single_judge(judges)
        return _try_haloquest(asked, benchmark, seed, halo, spending.policy, wording, as_json)
    request = JudgeTrialRequest(
        judges=judges,
        pictures=images,
        seed=seed,
        trials=trials,
        orders=orders,
        difficulty=difficulty,
        each_concept=each_concept,
        wording=wording,
    )
    return _try_on_primer(request, spending.policy, as_json)


def _require_takers(kind: str, given: Mapping[str, object]) -> None:
    """Raise BadRequest where an option is given that this kind of trial does not take."""
    for name, value in given.items():
        if value and kind not in _TAKERS[name]:
            option = name.replace("_", "-")
            raise BadRequest(
                f"The option --{option} does not go with {kind}: it is for"
                f" {' and '.join(_TAKERS[name])}."
            )


def _single_judge(judges: Sequence[str]) -> str:
    if len(judges) != 1:
        raise BadRequest(
            "Several judges are compared on Primer's questions only: name one for this benchmark."
        )
    return judges[0]


def _try_on_primer(request: JudgeTrialRequest, terms: SpendingPolicy, as_json: bool) -> int:
    """Run every judge's trial on Primer's questions, store and print it."""

    services = create_services()
    outcomes: list[Trial] = []
    progress = Progress("images")
    for outcome in run_judge_trials(services, request, terms):
        if isinstance(outcome, TrialProgress):
            what = f"replies of {outcome.judge}" if outcome.judge else "images"
            progress(outcome.done, outcome.of, what)
            continue
        outcomes.append(outcome)
        TrialStore(services.store.folder).keep(outcome)
    printing.print_result(
        as_json,
        trials.trial_document(outcomes),
        lambda: trials.trial_text(outcomes),
        next_step=f"hallascope leaderboard --judge {request.judges[0]}",
    )
    if len(outcomes) < len(request.judges):
        complain(_CAPPED)
        return FAILURES
    return FAILURES if any(each.unanswered for each in outcomes) else DONE


def _local_judge(services: Services, name: str) -> Judge:
    """Return a judge that no service answers for: what it answers here counts for no budget."""
    if services.registry.require(name, "judge").kind == "api":
        raise BadRequest(
            f"{name} is a judge of a service, and a trial by --labeled counts for no"
            " budget: leave that option out, or name a judge that runs on this machine."
        )
    return services.registry.judge(name)


def _try_on_labels(name: str, folder: Path, labeler: str | None, as_json: bool) -> int:
    """Count on how many labeled questions the judge says what the person says, and print it."""
    services = create_services()
    judge = _local_judge(services, name)
    with refuse(BadTable, OSError):
        outcome = try_on_labels(judge, folder, labeler, Progress("images"))
    printing.print_result(
        as_json, trials.labeled_document(outcome), lambda: trials.labeled_text(outcome)
    )
    TrialStore(services.store.folder).keep(outcome)
    return FAILURES if outcome.unanswered or outcome.complaints else DONE


def _try_haloquest(
    judge: str | None,
    benchmark: str,
    seed: int,
    options: HaloQuestOptions,
    terms: SpendingPolicy,
    wording: str,
    as_json: bool,
) -> int:
    """Count how often a judge replies rightly to a question that tempts it to invent."""
    services = create_services()
    # a model that cannot run here is refused before anything is read or drawn
    models: list[tuple[str | None, Role]] = [(judge, "judge"), (options.grader, "writer")]
    for name, role in models:
        if name:
            services.registry.require(name, role, terms.keys)
    complaints: list[Complaint] = []
    notes: list[Complaint] = []
    with tempfile.TemporaryDirectory() as folder:
        items = (
            list(primer_items(options.sample or PRIMER_SAMPLE, seed, Path(folder)))
            if benchmark == PRIMER_HALO
            else _haloquest_items(services, options, seed, complaints, notes)
        )
        outcome = try_halo(
            services=services,
            items=items,
            judge=judge,
            grader=options.grader,
            benchmark=benchmark,
            auto_eval=options.auto_eval,
            terms=terms,
            wording=wording,
            seed=seed,
            on_progress=Progress("questions"),
        )
    if judge:
        TrialStore(services.store.folder).keep(outcome)
    overlaps = summarize_overlaps(score_replies(outcome))
    record = trials.haloquest_document(outcome, overlaps)
    printing.print_result(
        as_json,
        record | {"complaints": complaints, "notes": notes},
        lambda: trials.haloquest_text(outcome, overlaps, complaints, notes),
    )
    return FAILURES if outcome.left_out or complaints else DONE


def _haloquest_items(
    services: Services,
    options: HaloQuestOptions,
    seed: int,
    complaints: list[Complaint],
    notes: list[Complaint],
) -> list[HaloTrialItem]:
    """Return the questions with their images or replies, and add what was wrong or odd.

    Raises BadRequest where what was named cannot be read.
    """
    if options.path is None:
        raise BadRequest("HaloQuest's questions are not here: name its file or folder with --path.")
    if options.image_folder and not options.image_folder.is_dir():
        raise BadRequest(
            f"There is no folder {str(options.image_folder)!r}: name one that holds images with"
            " --image-folder."
        )
    with refuse(BadTable):
        benchmark = read_haloquest(options.path)
        complaints += benchmark.complaints
        notes += benchmark.notes
        rows = sample_rows(benchmark, options.sample, seed)
        if not options.replies:
            return _items_with_images(services, options, rows)
        replies, wrong = read_replies(options.replies, rows)
    complaints += wrong
    return list(items_with_replies(replies))


def _items_with_images(
    services: Services, options: HaloQuestOptions, rows: Sequence[HaloRow]
) -> list[HaloTrialItem]:
    downloads = Downloads(services.store.folder / "downloads") if options.download else None
    items: list[HaloTrialItem] = []
    progress = Progress("images")
    for item in haloquest_items(rows, options.image_folder, downloads, services.import_picture):
        items.append(item)
        progress(len(items), len(rows))
    return items
