"""Makes prompts for new concepts as T2I-FactualBench made its own (section 3.2).

The steps are: is it feasible, four phrases, one of them in a sentence.

Plans for any writer; nothing here calls a model. A person accepts what comes of them.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hallascope.data.concept_mentions import mentions, spoken_name
from hallascope.data.concepts import PAIRED, ConceptRef, FactualPrompt, FactualTask, memorization
from hallascope.data.files.tidy import line
from hallascope.data.records import Domain
from hallascope.data.requests import Answer, Failure, Reply, Request, Write
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.factualbench.prompt_synthesis_replies import (
    FEASIBLE_SCHEMA,
    read_feasible,
)
from hallascope.metrics.replies.written_prompts import SCHEMA as PROMPT_SCHEMA
from hallascope.metrics.replies.written_prompts import read_written_prompt

MOST_WORDS = 60  # a prompt of more words is not taken; 40 are asked for
TEMPERATURE = 1.0  # prompts are to differ
_FOREGROUND: tuple[Domain, ...] = ("animal", "plant", "food", "person", "artifact")
# Which concepts a task takes (section 3.2); the order of the tasks is the paper's.
TAKES: Mapping[FactualTask, tuple[Domain, ...]] = {
    "action": ("animal", "artifact", "person", "food", "plant"),
    "attribute": ("animal", "artifact", "food", "plant"),
    "scene": ("location", "celestial", "event"),
    **dict.fromkeys(("size", "differentiating", "interaction", "background"), _FOREGROUND),
}


@dataclass(frozen=True)
class Proposal:
    """Holds the concepts for which a prompt of a task is to be made.

    Of "background", and where it stands last, a location is the background.
    """

    task: FactualTask
    concepts: tuple[ConceptRef, ...]

    @property
    def texts_per_phrase(self) -> int:
        """Return one text for each concept where the task tells them apart, else one in all."""
        return len(self.concepts) if self.task in ("size", "differentiating") else 1


@dataclass(frozen=True, kw_only=True)
class PromptCandidate:
    """Holds what came of a proposal: a prompt for a person to accept, or why there is none.

    `feasible` is None where that was not asked or not read; `reason` is the writer's. `problem` is
    "" or one sentence.
    """

    proposal: Proposal
    prompt: FactualPrompt | None = None
    feasible: bool | None = None
    reason: str = ""
    phrases: tuple[tuple[str, ...], ...] = ()
    problem: str = ""
    templates: Mapping[str, str] = field(default_factory=dict)


def proposals(
    concepts: Sequence[ConceptRef], task: FactualTask, count: int, seed: int = 0
) -> tuple[Proposal, ...]:
    """Return at most `count` proposals of a task, drawn by chance.

    The same seed gives the same, and none comes twice.

    Of the pairs every second has a location as background where the task is interaction and there
    is one; "background" always has.
    """
    if task == "memorization":
        return tuple(Proposal(task, (concept,)) for concept in concepts[:count])
    chance = random.Random(f"{task} {seed}")
    foreground = [concept for concept in concepts if concept.domain in TAKES[task]]
    if task in PAIRED:
        locations = [concept for concept in concepts if concept.domain == "location"]
        return _paired_proposals(foreground, locations, task, count, chance)
    drawn = chance.sample(foreground, min(count, len(foreground)))
    return tuple(Proposal(task, (concept,)) for concept in drawn)


def _paired_proposals(
    foreground: Sequence[ConceptRef],
    locations: Sequence[ConceptRef],
    task: FactualTask,
    count: int,
    chance: random.Random,
) -> tuple[Proposal, ...]:
    """Return proposals of two concepts, with a location behind them where the task has one."""
    if len(foreground) < 2 or (task == "background" and not locations):
        return ()
    proposals_by_names: dict[frozenset[str], Proposal] = {}
    for _ in range(20 * count):
        concepts = chance.sample(foreground, 2)
        every_second = task == "interaction" and len(proposals_by_names) % 2 == 1
        if locations and (task == "background" or every_second):
            concepts.append(chance.choice(locations))
        names = frozenset(concept.name for concept in concepts)
        proposals_by_names.setdefault(names, Proposal(task, tuple(concepts)))
        if len(proposals_by_names) == count:
            break
    return tuple(proposals_by_names.values())[:count]


def make(
    proposal: Proposal, draw: int = 0, prompts: Path | None = None
) -> PlanSteps[PromptCandidate]:
    """Ask whether a task is feasible and for four phrases; then for a prompt of one of these.

    The phrase is drawn by chance. The first level needs no writer.

    `draw` 0 leaves the writer at its own settings; every other number is a fresh draw. Raises
    TemplateError, before anything is asked, where a template of the folder cannot be used.
    """
    first = template("factualbench_feasible", prompts)
    second = template("factualbench_write", prompts)
    if proposal.task == "memorization":
        return PromptCandidate(proposal=proposal, prompt=memorization(proposal.concepts[0], "made"))
    candidate = PromptCandidate(
        proposal=proposal, templates={form.path.stem: form.version for form in (first, second)}
    )
    (reply,) = yield [_write(first, proposal, "", FEASIBLE_SCHEMA, draw)]
    candidate = _with_feasibility(candidate, text_reply(reply, "writer"))
    if candidate.problem or not candidate.feasible:
        return candidate
    names = [concept.name for concept in proposal.concepts]
    phrase = random.Random(f"{draw} {names}").choice(candidate.phrases)
    lines = _phrase_lines(proposal, phrase)
    (reply,) = yield [_write(second, proposal, lines, PROMPT_SCHEMA, draw)]
    return _with_prompt(candidate, phrase, text_reply(reply, "writer"))


def _write(
    form: Template, proposal: Proposal, phrase: str, schema: Mapping[str, object], draw: int
) -> Write:
    concepts = "\n".join(_concept_line(concept) for concept in proposal.concepts)
    text = form.fill({"concepts": concepts, "task": proposal.task, "phrase": phrase})
    if not draw:
        return Write(text, form.version, schema)
    return Write(text, form.version, schema, TEMPERATURE, draw)


def _concept_line(concept: ConceptRef) -> str:
    text = f"- {spoken_name(concept.name)} ({concept.domain or 'domain not given'})"
    if concept.definition:
        text += f": {line(concept.definition)}"
    return text


def _phrase_lines(proposal: Proposal, phrase: tuple[str, ...]) -> str:
    if len(phrase) < 2:
        return phrase[0]
    return "\n".join(
        f"{spoken_name(concept.name)}: {text}"
        for concept, text in zip(proposal.concepts, phrase, strict=True)
    )


def _with_feasibility(candidate: PromptCandidate, reply: Answer | Failure) -> PromptCandidate:
    if isinstance(reply, Failure):
        return replace(candidate, problem=reply.message)
    feasibility = read_feasible(reply.text, candidate.proposal.texts_per_phrase)
    problem = ""
    if feasibility.feasible is None:
        problem = (
            "The writer does not say whether it is feasible: ask again, or choose another writer."
        )
    elif feasibility.feasible and not feasibility.phrases:
        problem = (
            "The writer gives no phrase that can be used: ask again, or choose another writer."
        )
    return replace(
        candidate,
        feasible=feasibility.feasible,
        reason=feasibility.reason,
        phrases=feasibility.phrases,
        problem=problem,
    )


def _with_prompt(
    candidate: PromptCandidate, phrase: tuple[str, ...], reply: Answer | Failure
) -> PromptCandidate:
    if isinstance(reply, Failure):
        return replace(candidate, problem=reply.message)
    text = read_written_prompt(reply.text)
    concepts = candidate.proposal.concepts
    if problem := _prompt_problem(text, concepts):
        return replace(candidate, problem=problem)
    prompt = FactualPrompt(
        prompt=text,
        concepts=concepts,
        task=candidate.proposal.task,
        variations=phrase,
        source="made",
    )
    return replace(candidate, prompt=prompt)


def _prompt_problem(text: str, concepts: Sequence[ConceptRef]) -> str:
    """Return why a written prompt cannot be used; "" where it can."""
    if not text:
        return "The writer's reply holds no prompt: ask again, or choose another writer."
    words = len(text.split())
    if words > MOST_WORDS:
        return f"The writer's prompt has {words} words: ask again for at most {MOST_WORDS}."
    unnamed = [
        spoken_name(concept.name)
        for concept, span in zip(concepts, mentions(text, concepts), strict=True)
        if not span
    ]
    if unnamed:
        return (
            f"The writer's prompt does not name {' and '.join(unnamed)}: ask again, or write it"
            " by hand."
        )
    return ""


def readable(request: Request, reply: Reply, *, proposal: Proposal) -> bool:
    """Return whether a reply to the plan of a proposal can be used, and so is worth keeping."""
    if not isinstance(request, Write) or not isinstance(reply, Answer) or reply.truncated:
        return False
    if request.schema == PROMPT_SCHEMA:
        return not _prompt_problem(read_written_prompt(reply.text), proposal.concepts)
    return not _with_feasibility(PromptCandidate(proposal=proposal), reply).problem
