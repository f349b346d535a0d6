"""Holds concepts with a reference picture, and prompts with level and task.

They are the nouns of T2I-FactualBench (Huang et al. 2024, section 3).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from hallascope.data.records import Domain, Picture, Question

FactualLevel = Literal["SKCM", "SKCU", "MKCC"]
LEVELS: tuple[FactualLevel, ...] = get_args(FactualLevel)
LEVEL_TITLES: dict[FactualLevel, str] = {
    "SKCM": "Single Knowledge Concept Memorization",
    "SKCU": "Single Knowledge Concept Understanding",
    "MKCC": "Multiple Knowledge Concepts Composition",
}
FactualTask = Literal[
    "memorization",
    "action",
    "attribute",
    "scene",
    "size",
    "differentiating",
    "interaction",
    "background",
]
TASKS: tuple[FactualTask, ...] = get_args(FactualTask)
# the tasks that take several concepts
PAIRED: tuple[FactualTask, ...] = (
    "size",
    "differentiating",
    "interaction",
    "background",
)


@dataclass(frozen=True, kw_only=True)
class ConceptRef:
    """Holds a knowledge concept, and the picture that shows how it looks.

    `name` is in words ("beagle dog"), `phrase` how a sentence calls it with its article ("a beagle
    dog"), "" where that is not known. `file` is where the reference picture lies as a benchmark
    gives it, `reference` the same once it is taken in; None where it is gone.
    """

    name: str
    domain: Domain | None = None
    definition: str = ""
    reference: Picture | None = None
    file: Path | None = None
    phrase: str = ""


@dataclass(frozen=True, kw_only=True)
class FactualPrompt:
    """Holds a prompt of T2I-FactualBench: its concepts, its task, and what the task asks for.

    `variations` are in words: the action, attribute or scene; of size and differentiating one for
    each concept ("large", "small"). `injected` is the prompt with the definitions, as a benchmark
    gives it. `checks` are questions for judges that rank choices: all are answered right where the
    task is done, and several concepts are there. `note` says where it stands for a task that cannot
    be had as the paper means it.
    """

    prompt: str
    concepts: tuple[ConceptRef, ...]
    task: FactualTask = "memorization"
    variations: tuple[str, ...] = ()
    injected: str = ""
    source: str = ""
    checks: tuple[Question, ...] = ()
    note: str = ""

    @property
    def level(self) -> FactualLevel:
        """Return the level: MKCC for several concepts, whatever the task.

        One concept is SKCM where it is only to be shown, else SKCU (paper, table 2).
        """
        if len(self.concepts) > 1:
            return "MKCC"
        return "SKCM" if self.task == "memorization" else "SKCU"

    @property
    def domains(self) -> tuple[Domain, ...]:
        """Return the domains of its concepts, each once."""
        return tuple(dict.fromkeys(concept.domain for concept in self.concepts if concept.domain))

    @property
    def task_text(self) -> str:
        """Return what the task asks for, in words; "" where it only asks for the concept."""
        if self.task == "memorization":
            return ""
        # A background concept stands last and has no variation of its own.
        if 1 < len(self.variations) <= len(self.concepts):
            return "; ".join(
                f"{concept.name}: {variation}"
                for concept, variation in zip(self.concepts, self.variations, strict=False)
            )
        return "; ".join(self.variations) or self.prompt


def with_references(
    prompt: FactualPrompt, take: Callable[[ConceptRef], Picture | None]
) -> FactualPrompt:
    """Return the prompt with every reference picture that `take` can give, from file or drawn."""
    return replace(
        prompt,
        concepts=tuple(replace(concept, reference=take(concept)) for concept in prompt.concepts),
    )


def memorization(concept: ConceptRef, source: str = "") -> FactualPrompt:
    """Return the prompt of the first level: "An image of {concept}" (paper, section 3.2)."""
    return FactualPrompt(
        prompt=f"An image of {concept.phrase or concept.name}", concepts=(concept,), source=source
    )
