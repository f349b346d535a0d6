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
from hallascope.data.prompts.templates import Template, template
from hallascope.data.records import Domain
from hallascope.data.requests import Answer, Failure, Reply, Request, Write
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.factualbench.prompt_synthesis_replies import (
    FEASIBLE_SCHEMA,
    PROMPT_SCHEMA,
    FeasibilityReply,
    read_feasible,
    read_prompt,
)

MOST_WORDS = 60  # a prompt of more words is not taken; 40 are asked for
TEMPERATURE = 1.0  # our reading: the paper gives none
_FOREGROUND: tuple[Domain, ...] = ("animal", "plant", "food", "person", "artifact")
# which concepts a task takes (section 3.2); the order of the tasks is the paper's
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
    front = [concept for concept in concepts if concept.domain in TAKES[task]]
    places = [concept for concept in concepts if concept.domain == "location"]
    if task not in PAIRED:
        return tuple(
            Proposal(task, (concept,)) for concept in chance.sample(front, min(count, len(front)))
        )
    if len(front) < 2 or (task == "background" and not places):
        return ()
    found: dict[frozenset[str], Proposal] = {}
    for _ in range(20 * count):
        drawn = chance.sample(front, 2)
        behind = bool(places) and (
            task == "background" or (task == "interaction" and len(found) % 2 == 1)
        )
        drawn += [chance.choice(places)] if behind else []
        found.setdefault(frozenset(concept.name for concept in drawn), Proposal(task, tuple(drawn)))
        if len(found) == count:
            break
    return tuple(found.values())[:count]


def make(
    proposal: Proposal, draw: int = 0, prompts: Path | None = None
) -> PlanSteps[PromptCandidate]:
    """Is it feasible, and which four phrases; then one of these, by chance, as a prompt.

    The first level needs no writer.

    `draw` 0 leaves the writer at its own settings; every other number is a fresh draw. Raises
    TemplateError, before anything is asked, where a template of the folder cannot be used.
    """
    first = template("factualbench_feasible", prompts, ("concepts", "task"))
    second = template("factualbench_write", prompts, ("concepts", "task", "phrase"))
    if proposal.task == "memorization":
        return PromptCandidate(proposal=proposal, prompt=memorization(proposal.concepts[0], "made"))
    candidate = PromptCandidate(
        proposal=proposal, templates={form.path.stem: form.version for form in (first, second)}
    )
    (reply,) = yield [_write(first, proposal, "", FEASIBLE_SCHEMA, draw)]
    candidate = _feasible(candidate, text_reply(reply, "writer"))
    if candidate.problem or not candidate.feasible:
        return candidate
    phrase = random.Random(f"{draw} {[concept.name for concept in proposal.concepts]}").choice(
        candidate.phrases
    )
    (reply,) = yield [
        _write(second, proposal, _phrase_lines(proposal, phrase), PROMPT_SCHEMA, draw)
    ]
    return _with_prompt(candidate, phrase, text_reply(reply, "writer"))


def _write(
    form: Template, proposal: Proposal, phrase: str, schema: Mapping[str, object], draw: int
) -> Write:
    listed = "\n".join(
        f"- {spoken_name(one.name)} ({one.domain or 'domain not given'}){_defined(one)}"
        for one in proposal.concepts
    )
    text = form.fill({"concepts": listed, "task": proposal.task, "phrase": phrase})
    temperature, seed = (TEMPERATURE, draw) if draw else (None, None)
    return Write(text, form.version, schema, temperature, seed)


def _defined(concept: ConceptRef) -> str:
    return f": {line(concept.definition)}" if concept.definition else ""


def _phrase_lines(proposal: Proposal, phrase: tuple[str, ...]) -> str:
    if len(phrase) < 2:
        return phrase[0]
    return "\n".join(
        f"{spoken_name(concept.name)}: {said}"
        for concept, said in zip(proposal.concepts, phrase, strict=True)
    )


def _feasible(candidate: PromptCandidate, reply: Answer | Failure) -> PromptCandidate:
    if isinstance(reply, Failure):
        return replace(candidate, problem=reply.message)
    found: FeasibilityReply = read_feasible(reply.text, candidate.proposal.texts_per_phrase)
    candidate = replace(
        candidate, feasible=found.feasible, reason=found.reason, phrases=found.phrases
    )
    if found.feasible is None:
        return replace(
            candidate,
            problem=(
                "The writer does not say whether it is feasible: ask again, or choose another"
                " writer."
            ),
        )
    if found.feasible and not found.phrases:
        return replace(
            candidate,
            problem=(
                "The writer gives no phrase that can be used: ask again, or choose another writer."
            ),
        )
    return candidate


def _with_prompt(
    candidate: PromptCandidate, phrase: tuple[str, ...], reply: Answer | Failure
) -> PromptCandidate:
    if isinstance(reply, Failure):
        return replace(candidate, problem=reply.message)
    proposal = candidate.proposal
    text = read_prompt(reply.text)
    if not text:
        return replace(
            candidate,
            problem="The writer's reply holds no prompt: ask again, or choose another writer.",
        )
    if len(text.split()) > MOST_WORDS:
        return replace(
            candidate,
            problem=(
                f"The writer's prompt has {len(text.split())} words: ask again for at most"
                f" {MOST_WORDS}."
            ),
        )
    unnamed = [
        spoken_name(one.name)
        for one, span in zip(proposal.concepts, mentions(text, proposal.concepts), strict=True)
        if not span
    ]
    if unnamed:
        return replace(
            candidate,
            problem=(
                f"The writer's prompt does not name {' and '.join(unnamed)}: ask again, or write it"
                " by hand."
            ),
        )
    return replace(
        candidate,
        prompt=FactualPrompt(
            prompt=text,
            concepts=proposal.concepts,
            task=proposal.task,
            variations=phrase,
            source="made",
        ),
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a reply to one of these plans is worth keeping in a cache."""
    if not isinstance(request, Write) or not isinstance(reply, Answer):
        return False
    if request.schema == PROMPT_SCHEMA:
        return bool(read_prompt(reply.text)) and not reply.truncated
    return any(read_feasible(reply.text, each).feasible is not None for each in (1, 2))
