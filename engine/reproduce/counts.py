"""Reads I-HallA's benchmark, counts it for tables of sizes, and finds the prompts of a domain."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hallascope.data.benchmarks.ihalla import read_ihalla
from hallascope.data.benchmarks.ihalla_difficulty import ImageType, PromptDifficulty
from hallascope.data.records import Difficulty
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.reproduce.cells import CellSource, CellSources, whole_field
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, ReproduceOptions
from hallascope.primer import scenes

NO_CATEGORY = "The benchmark's files name no category of their prompts."
NO_DIFFICULTY = (
    "No difficulty of these images is known: put difficulty.csv beside the benchmark's files."
)
NO_BENCHMARK = "Name the benchmark with --data ihalla=PATH."


class BenchmarkPrompt(NamedTuple):
    """Holds a prompt with its category, "" where it is not known, its domain, and its questions.

    `difficulty` is by the type of image, empty where it is not known.
    """

    prompt: str
    category: str
    domain: str
    cois: tuple[str, ...]
    difficulty: PromptDifficulty = MappingProxyType({})


def benchmark_prompts(options: ReproduceOptions) -> list[BenchmarkPrompt]:
    """Return the prompts of I-HallA, or of Primer; [] where no path is given. Raises BadRequest."""
    if options.world == "primer":
        prompts = scenes.benchmark(options.sample or PRIMER_SAMPLE)
        sets = [scenes.parse(prompt).questions() for prompt in prompts]
        return [
            BenchmarkPrompt(
                own.prompt,
                own.category or "",
                own.category.field if own.category else "",
                tuple(question.coi for question in own.questions),
            )
            for own in sets
        ]
    path = options.data.get("ihalla")
    if path is None:
        return []
    try:
        benchmark = read_ihalla(Path(path))
    except (ValueError, OSError) as error:
        raise BadRequest(sentence(error)) from error
    return [
        BenchmarkPrompt(
            prompt.prompt,
            prompt.category or "",
            prompt.field,
            tuple(question.coi for question in prompt.questions),
            prompt.difficulty,
        )
        for prompt in benchmark.prompts
    ]


def count_benchmark(
    sources: CellSources, options: ReproduceOptions
) -> dict[tuple[int, int], OurCell]:
    """Return how many prompts, or questions of a composition of interest, each cell has.

    Raises BadRequest where the benchmark cannot be read.
    """
    count = partial(_count, prompts=benchmark_prompts(options))
    return {place: count(source) for place, source in sources.items()}


def _count(source: CellSource, prompts: Sequence[BenchmarkPrompt]) -> OurCell:
    if source.reason:
        return OurCell(reason=source.reason)
    if not prompts:
        return OurCell(reason=NO_BENCHMARK)
    own = prompts_of(source, prompts)
    if own is None:
        return OurCell(reason=NO_CATEGORY)
    if source.difficulty and source.image_type:
        return _count_difficulty(own, source.difficulty, source.image_type)
    if not source.coi:
        return OurCell(value=float(len(own)), n=len(own))
    counts = Counter(coi for prompt in own for coi in prompt.cois)
    return OurCell(value=float(counts[source.coi]), n=len(own))


def _count_difficulty(
    prompts: Sequence[BenchmarkPrompt], difficulty: Difficulty, image_type: ImageType
) -> OurCell:
    """Return how many images of a type are of a difficulty, among those whose difficulty is known.

    `left_out` is how many are not.
    """
    known = [prompt.difficulty.get(image_type) for prompt in prompts]
    levels = [level for level in known if level]
    if not levels:
        return OurCell(reason=NO_DIFFICULTY)
    return OurCell(
        value=float(levels.count(difficulty)), n=len(levels), left_out=len(known) - len(levels)
    )


def prompts_of(
    source: CellSource, prompts: Sequence[BenchmarkPrompt]
) -> list[BenchmarkPrompt] | None:
    """Return the prompts of the categories of a cell; None where no category is known.

    All categories of a domain are the domain, which is known by the file that a prompt stands in.
    """
    field = whole_field(source.categories)
    if field:
        return [prompt for prompt in prompts if prompt.domain == field]
    if not source.categories:
        return list(prompts)
    if not any(prompt.category for prompt in prompts):
        return None
    return [prompt for prompt in prompts if prompt.category in source.categories]
