"""Gathers the prompts of a sweep from where its specification says they are; it asks no model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hallascope.data.benchmarks.prompt_files import entries
from hallascope.data.benchmarks.prompt_lists import ListedPrompt, PromptList, prompt_of
from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.sheets import Complaint
from hallascope.data.records import QuestionSet
from hallascope.data.yaml_file import Fault
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.sweep.spec import PromptSource, Spec

# prompts that a sample of Primer is drawn from, so that a small one is no list of its first
# concepts
LEAST = 200


class SweepPrompt(NamedTuple):
    """A prompt, with its concepts where a benchmark says them."""

    prompt: str
    factual: FactualPrompt | None = None


class SourceContents(NamedTuple):
    """What a source gave: entries, and what was wrong with the rest.

    `questions` are sets that it brings for its prompts.
    """

    entries: Sequence[SweepPrompt]
    complaints: Sequence[object] = ()
    questions: Iterable[QuestionSet] = ()


@dataclass
class GatheredPrompts:
    """The prompts of all sources, each once, in order.

    Complaints are sentences about what was left out.
    """

    entries: list[SweepPrompt] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def gather(spec: Spec, save: Callable[[QuestionSet], object]) -> GatheredPrompts:
    """All prompts; `save` keeps the questions that sources bring.

    Raises BadSpec where a source cannot be read.
    """
    found = GatheredPrompts()
    faults = list[Fault]()
    met = set[str]()
    for source in spec.prompts:
        try:
            read = _READERS[source.kind](source, spec.file.parent)
        except (ValueError, OSError, BadRequest) as error:
            faults.append(Fault(source.line, sentence(error)))
            continue
        found.complaints += [str(one) for one in read.complaints]
        _keep(read.questions, save, found)
        for entry in read.entries:
            _add(entry, found, met)
    if not faults and not found.entries:
        faults.append(
            Fault(
                spec.line("prompts"),
                "Nothing of these prompts can be used: "
                + (found.complaints or ["they are empty"])[0],
            )
        )
    spec.complain(faults)
    return found


def _keep(
    questions: Iterable[QuestionSet], save: Callable[[QuestionSet], object], found: GatheredPrompts
) -> None:
    for one in questions:
        try:
            save(one)
        except BadRequest as error:
            found.complaints.append(f"{one.prompt!r}: {error}")


def _add(entry: SweepPrompt, found: GatheredPrompts, met: set[str]) -> None:
    """One more, unless its prompt is there already or cannot be used."""
    try:
        prompt = checked_prompt(entry.prompt)
    except BadRequest as error:
        found.complaints.append(f"{entry.prompt[:60]!r}: {error}")
        return
    if prompt not in met:
        met.add(prompt)
        found.entries.append(entry._replace(prompt=prompt))


# --- sources
# --------------------------------------------------------------------------------------------------


def _sample_prompts(prompts: Sequence[ListedPrompt], source: PromptSource) -> list[SweepPrompt]:
    listed = PromptList(source.kind, source.path, tuple(prompts), ())
    chosen = listed.prompts if source.sample is None else listed.sampled(source.sample, source.seed)
    return [SweepPrompt(one.prompt) for one in chosen]


def _source_path(source: PromptSource, folder: Path) -> Path:
    return folder / Path(source.path).expanduser()


def _text(source: PromptSource, folder: Path) -> SourceContents:
    return SourceContents([SweepPrompt(source.path)])


def _primer(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.primer import scenes

    count = source.sample or LEAST
    return SourceContents(
        _sample_prompts(
            [ListedPrompt(prompt, "") for prompt in scenes.benchmark(max(count, LEAST))], source
        )
    )


def _file(source: PromptSource, folder: Path) -> SourceContents:
    complaints: list[Complaint] = []
    found: list[ListedPrompt] = []
    path = _source_path(source, folder)
    for entry in entries(path, complaints):
        try:
            found.append(ListedPrompt(prompt_of(entry), str(entry.row)))
        except ValueError as problem:
            complaints.append(
                Complaint(path.name, None, entry.row, f"{problem}; the prompt is left out")
            )
    return SourceContents(_sample_prompts(found, source), complaints)


def _questions(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.files import question_files

    sets, complaints = question_files.read_question_file(_source_path(source, folder))
    if not sets:
        raise ValueError(
            str(complaints[0]) if complaints else f"the file {source.path!r} holds no questions"
        )
    return _with_questions(sets, complaints, source)


def _ihalla(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.ihalla import read_ihalla

    found = read_ihalla(_source_path(source, folder))
    return _with_questions(
        [prompt.question_set for prompt in found.prompts if prompt.questions],
        found.complaints,
        source,
    )


def _with_questions(
    sets: Sequence[QuestionSet], complaints: Sequence[Complaint], source: PromptSource
) -> SourceContents:
    chosen = _sample_prompts([ListedPrompt(one.prompt, "") for one in sets if one.prompt], source)
    names = {entry.prompt for entry in chosen}
    return SourceContents(chosen, complaints, [one for one in sets if one.prompt in names])


def _factualbench(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.factualbench import read_factualbench

    found = read_factualbench(_source_path(source, folder))
    known = {prompt.prompt: prompt for prompt in found.prompts}
    chosen = _sample_prompts([ListedPrompt(prompt, "") for prompt in known], source)
    return SourceContents(
        [SweepPrompt(entry.prompt, known[entry.prompt]) for entry in chosen], found.complaints
    )


def _t2i_compbench(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.t2i_compbench import read_t2i_compbench

    return _from_list(read_t2i_compbench(_source_path(source, folder), source.split), source)


def _drawbench(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.drawbench import read_drawbench

    return _from_list(
        read_drawbench(
            source.path if source.path.startswith("hub:") else _source_path(source, folder)
        ),
        source,
    )


def _coco(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.coco import read_coco

    return _from_list(read_coco(_source_path(source, folder), source.split), source)


def _from_list(found: PromptList, source: PromptSource) -> SourceContents:
    return SourceContents(_sample_prompts(found.prompts, source), found.complaints)


_READERS: Mapping[str, Callable[[PromptSource, Path], SourceContents]] = {
    "text": _text,
    "primer": _primer,
    "file": _file,
    "questions": _questions,
    "ihalla": _ihalla,
    "factualbench": _factualbench,
    "t2i-compbench": _t2i_compbench,
    "drawbench": _drawbench,
    "coco": _coco,
}
