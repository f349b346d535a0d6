"""Plans T2I-FactualBench: concepts against references, the task, the composition.

It has up to three rounds (Huang et al. 2024).

Each round is a question of its own to the judge; nothing here calls a model. How a judge is asked
that ranks choices instead of following instructions: `hallascope.metrics.factualbench.choices`.
"""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.files.tidy import line
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, PlanSteps, text_reply
from hallascope.metrics.factualbench import choices
from hallascope.metrics.factualbench.replies import (
    COMPOSITION,
    COMPOSITION_SCHEMA,
    CONCEPT,
    CONCEPT_SCHEMA,
    TASK_SCHEMA,
    read_rating,
    read_task,
    settles_task,
)
from hallascope.metrics.factualbench.report import SCORES, report
from hallascope.metrics.factualbench.verdicts import (
    Rounds,
    RoundVerdict,
    TaskVerdict,
    failed_round,
    missing_reference,
    rated_round,
    task_verdict,
)

NAME = "factualbench"
ABLATION = "factualbench-no-reference"
PROMPT_SHOWN = "factualbench-prompt-shown"
_CAVEAT = "A correct image may look unlike the reference image, such as another breed of dog."
_CAVEAT_WITHOUT = "The judge sees no reference image and may not know the concept."
_CAVEAT_PROMPT = (
    "Do not compare with published numbers: the paper hides the prompt while concepts are judged."
)
READING = 6  # raise it with every change of a reading or scoring rule
_FRAME = re.compile(
    r"^(?:an?|the) (?:image|picture|photo|photograph|drawing|illustration) of ", re.IGNORECASE
)


@dataclass(frozen=True)
class Forms:
    """Holds the templates of the rounds, and whether the judge is shown the reference pictures."""

    concept: Template
    task: Template
    composition: Template
    choice: Template
    seen: bool = True

    def version(self, ranks: bool = False) -> str:
        """Return the version of the templates that are used.

        Another with and without references, and for judges that rank choices.
        """
        used = (self.choice,) if ranks else (self.concept, self.task, self.composition)
        parts = [str(READING), *(form.version for form in used)]
        if ranks:
            parts.append("choices")
        if not self.seen:
            parts.append("no-reference")
        return "+".join(parts)


def forms(
    prompts: Path | None = None, concept: str = "factualbench_concept", seen: bool = True
) -> Forms:
    """Return the templates of a folder, ours where it has none; `concept` names that of round 1.

    Raises TemplateError where one of them cannot be used.
    """
    names = (concept, "factualbench_task", "factualbench_composition", "factualbench_choice")
    first, task, composition, choice = (template(name, prompts) for name in names)
    return Forms(first, task, composition, choice, seen)


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    return _metric(NAME, "T2I-FactualBench", _CAVEAT, forms(prompts))


def without_reference(prompts: Path | None = None) -> Metric:
    """Return the ablation of the paper (table 4), in which the judge sees no reference.

    It goes by what it knows.
    """
    return _metric(
        ABLATION,
        "T2I-FactualBench without reference",
        _CAVEAT_WITHOUT,
        forms(prompts, "factualbench_concept_unseen", seen=False),
    )


def with_prompt(prompts: Path | None = None) -> Metric:
    """Return the variant in which the judge reads the prompt in round 1, too.

    The paper shows it the concept, the image and the reference alone (section 4.2).
    """
    return _metric(
        PROMPT_SHOWN,
        "T2I-FactualBench with prompt",
        _CAVEAT_PROMPT,
        forms(prompts, "factualbench_concept_prompt"),
    )


def _metric(name: str, title: str, caveat: str, using: Forms) -> Metric:
    start = partial(plan, using=using, name=name)
    return Metric(
        name=name,
        title=title,
        definition=(
            "T2I-FactualBench: the mean of the prompt's rounds (concepts, task, "
            "composition), each from 0 to 1."
        ),
        caveat=caveat,
        version=using.version(),
        required_roles=("judge",),
        plan=start,
        scores=SCORES,
        presents="rounds",
        readable=readable,
        needs_questions=False,
        optional_roles=("detector",),
        needs_concepts=True,
        judge_template=using.concept.path.stem,
    )


def plan(case: Case, using: Forms, name: str) -> Plan:
    """Plan one step with all rounds: each concept, then the task, then the composition.

    The rounds do not lean on one another, so they are asked together, each as a question of its
    own. A case that says nothing of its concepts is one concept, named by the prompt, beside the
    case's own reference picture. A concept whose reference is gone is left out and not asked for.
    """
    prompt = case.factual or single_concept_prompt(case)
    if case.judge_ranks_choices:
        rounds = yield from choices.rounds(
            case.image, prompt, using.choice, using.seen, "detector" in case.roles
        )
    else:
        rounds = yield from _rounds(case.image, prompt, using)
    return report(case, prompt, rounds, name, using.version(case.judge_ranks_choices))


def single_concept_prompt(case: Case) -> FactualPrompt:
    """Return what follows from the prompt alone: the first level, with the concept it names."""
    concept = ConceptRef(name=concept_name(case.prompt), reference=case.reference)
    return FactualPrompt(prompt=case.prompt, concepts=(concept,))


def concept_name(prompt: str) -> str:
    """Return what a prompt of the form "An image of X" names; else the prompt itself."""
    return _FRAME.sub("", line(prompt).rstrip(".")) or "what the prompt asks for"


def _rounds(image: Picture, prompt: FactualPrompt, using: Forms) -> PlanSteps[Rounds]:
    judged = [concept for concept in prompt.concepts if concept.reference or not using.seen]
    has_task = prompt.level != "SKCM"
    has_composition = prompt.level == "MKCC"
    requests: list[Request] = [concept_ask(image, prompt, concept, using) for concept in judged]
    if has_task:
        requests.append(task_ask(image, prompt, using))
    if has_composition:
        requests.append(composition_ask(image, prompt, using))

    # The replies come in the order of the requests.
    replies = iter((yield requests) if requests else [])
    concepts = tuple(
        _rated_verdict(concept.name, CONCEPT, next(replies))
        if concept in judged
        else missing_reference(concept)
        for concept in prompt.concepts
    )
    task = _task_verdict(prompt, next(replies)) if has_task else None
    composition = _rated_verdict("", COMPOSITION, next(replies)) if has_composition else None
    return Rounds(concepts, task, composition)


# --- asking


def concept_ask(image: Picture, prompt: FactualPrompt, concept: ConceptRef, using: Forms) -> Ask:
    """Return the request of round 1: the picture first, then the reference.

    The prompt is shown only by a template that has a place for it (paper, section 4.2: the concept,
    the image and the reference).
    """
    values = {
        "concept": concept.name,
        "prompt": line(prompt.prompt),
        "domain": concept.domain or "not given",
    }
    images = (image, concept.reference) if using.seen and concept.reference else (image,)
    return Ask(
        images=images,
        text=using.concept.fill(values),
        question=f"Does the image show {concept.name} as it is?",
        choices=(),
        template=using.concept.version,
        schema=CONCEPT_SCHEMA,
    )


def task_ask(image: Picture, prompt: FactualPrompt, using: Forms) -> Ask:
    """Return the request of round 2.

    One concept is shown its reference (section 4.3); of several none is, as there is room for one.
    """
    values = {
        "concepts": _names(prompt),
        "prompt": line(prompt.prompt),
        "task": prompt.task,
        "wanted": prompt.task_text,
    }
    reference = prompt.concepts[0].reference if len(prompt.concepts) == 1 and using.seen else None
    images = (image, reference) if reference else (image,)
    return Ask(
        images=images,
        text=using.task.fill(values),
        question=f"Is it done: {prompt.task_text}?",
        choices=(),
        template=using.task.version,
        schema=TASK_SCHEMA,
    )


def composition_ask(image: Picture, prompt: FactualPrompt, using: Forms) -> Ask:
    """Return the request of round 3: the picture and the prompt (section 4.4)."""
    values = {"concepts": _names(prompt), "prompt": line(prompt.prompt)}
    return Ask(
        images=(image,),
        text=using.composition.fill(values),
        question=f"Are {_names(prompt)} put together well?",
        choices=(),
        template=using.composition.version,
        schema=COMPOSITION_SCHEMA,
    )


def _names(prompt: FactualPrompt) -> str:
    return ", ".join(concept.name for concept in prompt.concepts)


# --- reading


def _rated_verdict(name: str, criteria: tuple[str, ...], reply: Reply) -> RoundVerdict:
    """Return the verdict of round 1 on a concept, or of round 3, which has no name."""
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return failed_round(name, answer.message)
    return rated_round(name, read_rating(answer.text, criteria), answer.text)


def _task_verdict(prompt: FactualPrompt, reply: Reply) -> TaskVerdict:
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return TaskVerdict(wanted=prompt.task_text, state="failed", note=answer.message)
    concepts = [concept.name for concept in prompt.concepts]
    return task_verdict(prompt.task_text, read_task(answer.text, concepts), answer.text)


def readable(request: Request, reply: Reply) -> bool:
    """Return whether the reply to a round gives what its score rests on."""
    if not isinstance(request, Ask) or not isinstance(reply, Answer):
        return False
    if request.schema == TASK_SCHEMA:
        return settles_task(reply.text)
    if request.schema == CONCEPT_SCHEMA:
        return read_rating(reply.text, CONCEPT).points is not None
    if request.schema == COMPOSITION_SCHEMA:
        return read_rating(reply.text, COMPOSITION).points is not None
    return choices.readable(request, reply)
