"""Counts the benchmarks of I-HallA and HaloQuest for tables of sizes, and finds their prompts."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.benchmarks.ihalla import IHallaPrompt, read_ihalla
from hallascope.data.benchmarks.ihalla_difficulty import IMAGE_TYPES, ImageType
from hallascope.data.records import Difficulty
from hallascope.engine.errors import refuse
from hallascope.engine.reproduce.cells import CellSource, CellSources, whole_field
from hallascope.engine.reproduce.judge_trials import NO_HALOQUEST, read_questions
from hallascope.engine.reproduce.results import OurCell, OurCells, fill_cells
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, ReproduceOptions
from hallascope.primer import scenes

NO_CATEGORY = "The benchmark's files name no category of their prompts."
NO_DIFFICULTY = (
    "No difficulty of these images is known: put difficulty.csv beside the benchmark's files."
)
NO_BENCHMARK = "Name the benchmark with --data ihalla=PATH."
ALL = "all"  # every split, or every entry of one
EVALUATION = "eval"  # the split of Primer's questions


def benchmark_prompts(options: ReproduceOptions) -> Sequence[IHallaPrompt]:
    """Return the prompts of I-HallA, or of Primer; () where no path is given. Raises BadRequest."""
    if options.world == "primer":
        prompts = scenes.benchmark(options.sample or PRIMER_SAMPLE)
        sets = [scenes.parse(prompt).questions() for prompt in prompts]
        return [
            IHallaPrompt(
                index=number,
                prompt=own.prompt,
                field=own.category.field,
                questions=own.questions,
                category=own.category,
            )
            for number, own in enumerate(sets)
            if own.category
        ]
    path = options.data.get("ihalla")
    if path is None:
        return ()
    with refuse(ValueError, OSError):
        return read_ihalla(Path(path)).prompts


def count_benchmark(sources: CellSources, options: ReproduceOptions) -> OurCells:
    """Return how many prompts, or questions of a composition of interest, each cell has.

    Raises BadRequest where the benchmark cannot be read.
    """
    return fill_cells(sources, partial(_count, prompts=benchmark_prompts(options)))


def _count(source: CellSource, prompts: Sequence[IHallaPrompt]) -> OurCell:
    if not prompts:
        return OurCell(reason=NO_BENCHMARK)
    own = prompts_of(source, prompts)
    if own is None:
        return OurCell(reason=NO_CATEGORY)
    types = (source.image_type,) if source.image_type else IMAGE_TYPES
    if source.difficulty:
        return _count_difficulty(own, source.difficulty, types)
    if not source.coi:
        return OurCell(value=float(len(own) * len(types)), n=len(own) * len(types))
    cois = [question.coi for prompt in own for question in prompt.questions]
    return OurCell(value=float(sum(coi == source.coi for coi in cois)), n=len(own))


def _count_difficulty(
    prompts: Sequence[IHallaPrompt], difficulty: Difficulty, types: Sequence[ImageType]
) -> OurCell:
    """Return how many images of these types are of a difficulty, among those where it is known.

    `left_out` is how many are not.
    """
    known = [prompt.difficulty.get(image_type) for prompt in prompts for image_type in types]
    levels = [level for level in known if level]
    if not levels:
        return OurCell(reason=NO_DIFFICULTY)
    return OurCell(
        value=float(levels.count(difficulty)), n=len(levels), left_out=len(known) - len(levels)
    )


def prompts_of(source: CellSource, prompts: Sequence[IHallaPrompt]) -> list[IHallaPrompt] | None:
    """Return the prompts of the categories of a cell; None where no category is known.

    All categories of a domain are the domain, which is known by the file that a prompt stands in.
    """
    field = whole_field(source.categories)
    if field:
        return [prompt for prompt in prompts if prompt.field == field]
    if not source.categories:
        return list(prompts)
    if not any(prompt.category for prompt in prompts):
        return None
    return [prompt for prompt in prompts if prompt.category in source.categories]


# --- HaloQuest


def count_haloquest(sources: CellSources, options: ReproduceOptions) -> OurCells:
    """Return how many entries each cell has. Raises BadRequest where the files cannot be read."""
    if options.world == "paper" and "haloquest" not in options.data:
        return {place: OurCell(reason=NO_HALOQUEST) for place in sources}
    return fill_cells(sources, partial(_count_entries, entries=_entries(options)))


def _entries(options: ReproduceOptions) -> list[tuple[str, HaloQuestion]]:
    """Return the split and the question of each entry."""
    if options.world == "primer":
        from hallascope.primer.benchmark import haloquest

        items = haloquest.items(options.sample or PRIMER_SAMPLE, options.seed)
        return [(EVALUATION, item.question) for item in items]
    return [
        (row.split, row.question)
        for row in read_questions(options).rows
        for _ in range(1 + len(row.repeated))  # an entry that stands twice counts twice
    ]


def _count_entries(source: CellSource, entries: Sequence[tuple[str, HaloQuestion]]) -> OurCell:
    splits = {split for split, _ in entries}
    missing = {"train", EVALUATION} - splits if source.split == ALL else {source.split} - splits
    if missing:
        return OurCell(reason=f"The files hold no entry of the split {sorted(missing)[0]!r}.")
    own = [question for split, question in entries if source.split in (ALL, split)]
    counted = sum(source.part in (ALL, each.image_type, each.hallucination) for each in own)
    return OurCell(value=float(counted), n=len(own))
