"""Gathers the prompts of a sweep from where its specification says they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hallascope.data.benchmarks.prompt_files import read_entries
from hallascope.data.benchmarks.prompt_lists import ListedPrompt, PromptList, read_prompts
from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.tables import Complaint
from hallascope.data.records import QuestionSet
from hallascope.data.yaml_file import Fault
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.sweep.spec import PromptSource, Spec

# prompts of Primer that a sample is drawn from at least: a small one must not be a list of its
# first concepts
PRIMER_PROMPTS = 200


class SweepPrompt(NamedTuple):
    """Holds a prompt, with its concepts where a benchmark names them."""

    prompt: str
    factual: FactualPrompt | None = None


class SourceContents(NamedTuple):
    """Holds all prompts of a source, and what was wrong with the rest.

    `questions` are sets that it brings for its prompts, `factual` the concepts of its prompts.
    """

    prompts: Iterable[str]
    complaints: Sequence[object] = ()
    questions: Iterable[QuestionSet] = ()
    factual: Mapping[str, FactualPrompt] = {}


@dataclass
class GatheredPrompts:
    """Holds the prompts of all sources, each once, in order.

    Complaints are sentences about what was left out.
    """

    entries: list[SweepPrompt] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def add(self, entries: Iterable[SweepPrompt]) -> None:
        """Add the prompts that can be used and are not there yet."""
        prompts = {entry.prompt for entry in self.entries}
        for entry in entries:
            try:
                prompt = checked_prompt(entry.prompt)
            except BadRequest as error:
                self.complaints.append(f"{entry.prompt[:60]!r}: {error}")
                continue
            if prompt not in prompts:
                prompts.add(prompt)
                self.entries.append(entry._replace(prompt=prompt))


def gather(
    spec: Spec,
    save: Callable[[QuestionSet], object],
    save_ihalla: Callable[[QuestionSet], object] | None = None,
) -> GatheredPrompts:
    """Return all prompts; `save` stores the questions that sources bring.

    `save_ihalla` stores those of I-HallA in its place. Raises BadSpec where a source cannot be
    read.
    """
    gathered = GatheredPrompts()
    faults: list[Fault] = []
    for source in spec.prompts:
        try:
            contents = _READERS[source.kind](source, spec.file.parent)
        except (ValueError, OSError, BadRequest) as error:
            faults.append(Fault(source.line, sentence(error)))
            continue
        gathered.complaints += [str(complaint) for complaint in contents.complaints]
        prompts = _sample_prompts(contents.prompts, source)
        chosen = set(prompts)
        keep = save_ihalla if save_ihalla and source.kind == "ihalla" else save
        for questions in contents.questions:
            if questions.prompt in chosen:
                try:
                    keep(questions)
                except BadRequest as error:
                    gathered.complaints.append(f"{questions.prompt!r}: {error}")
        gathered.add(SweepPrompt(prompt, contents.factual.get(prompt)) for prompt in prompts)
    if not faults and not gathered.entries:
        reason = gathered.complaints[0] if gathered.complaints else "they are empty"
        message = f"Nothing of these prompts can be used: {reason}"
        faults.append(Fault(spec.line("prompts"), message))
    spec.complain(faults)
    return gathered


# --- sources ---


def _sample_prompts(prompts: Iterable[str], source: PromptSource) -> list[str]:
    distinct = list(dict.fromkeys(prompts))
    if source.sample is None:
        return distinct
    listed = tuple(ListedPrompt(prompt, "") for prompt in distinct)
    chosen = PromptList(source.kind, source.path, listed, ()).sample(source.sample, source.seed)
    return [prompt.prompt for prompt in chosen]


def _source_path(source: PromptSource, folder: Path) -> Path:
    return folder / Path(source.path).expanduser()


def _text(source: PromptSource, folder: Path) -> SourceContents:
    return SourceContents([source.path])


def _primer(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.primer import scenes

    count = max(source.sample or 0, PRIMER_PROMPTS)
    return SourceContents(scenes.benchmark(count))


def _file(source: PromptSource, folder: Path) -> SourceContents:
    complaints: list[Complaint] = []
    path = _source_path(source, folder)
    read = read_prompts(path.name, read_entries(path, complaints), complaints)
    return SourceContents(read, complaints)


def _questions(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.files import question_files

    sets, complaints = question_files.read_question_file(_source_path(source, folder))
    if not sets:
        raise ValueError(
            str(complaints[0]) if complaints else f"the file {source.path!r} holds no questions"
        )
    return _with_questions(sets, complaints)


def _ihalla(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.ihalla import read_ihalla

    benchmark = read_ihalla(_source_path(source, folder))
    sets = [prompt.question_set for prompt in benchmark.prompts if prompt.questions]
    return _with_questions(sets, benchmark.complaints)


def _with_questions(sets: Sequence[QuestionSet], complaints: Sequence[Complaint]) -> SourceContents:
    named = [questions for questions in sets if questions.prompt]
    return SourceContents([each.prompt for each in named], complaints, named)


def _factualbench(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.factualbench import read_factualbench

    benchmark = read_factualbench(_source_path(source, folder))
    factual = {prompt.prompt: prompt for prompt in benchmark.prompts}
    return SourceContents(factual, benchmark.complaints, factual=factual)


def _prompt_list(source: PromptSource, folder: Path) -> SourceContents:
    from hallascope.data.benchmarks.prompt_lists import read_prompt_list

    of_hub = source.path.startswith("hub:")
    path = source.path if of_hub else _source_path(source, folder)
    read = read_prompt_list(source.kind, path, source.split)
    return SourceContents([prompt.prompt for prompt in read.prompts], read.complaints)


_READERS: Mapping[str, Callable[[PromptSource, Path], SourceContents]] = {
    "text": _text,
    "primer": _primer,
    "file": _file,
    "questions": _questions,
    "ihalla": _ihalla,
    "factualbench": _factualbench,
    "t2i-compbench": _prompt_list,
    "drawbench": _prompt_list,
    "coco": _prompt_list,
}
