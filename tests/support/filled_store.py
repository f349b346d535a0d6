"""Fills a store with evaluations that nobody judged: any number of prompts, models, pictures and
trials, with any states.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from hallascope.data.evidence import Evidence
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import COIS, Category, CoI, Question, Report, Score, State, Verdict
from hallascope.data.requests import Setting
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.metrics.ihalla.plan import score, strict


@dataclass(frozen=True)
class Said:
    """One evaluation to be kept.

    `states`: of one question each; `cois`: what they are about, in order.

    `values`: scores by name in the place of those of questions, each of `counted` things.
    `reading`: what the prompt was read to ask for.
    """

    prompt: str = "a cat"
    model: str = "m/one"
    states: Sequence[State] = ("correct",)
    seed: int = 0
    trial: int = 0
    run: str = "r"
    judge: str = "j/one"
    version: str = "1"
    metric: str = "ihalla"
    category: str | None = Category.BIOLOGY.value
    domain: str | None = "animal"
    level: str | None = None
    task: str | None = None
    benchmark_field: str | None = None
    difficulty: str | None = None
    cois: Sequence[CoI] = COIS
    settings: dict[str, Setting] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    counted: int = 1
    reading: PromptReading | None = None

    @property
    def generation(self) -> str:
        return f"{self.prompt}|{self.model}|{self.seed}|{self.settings}"

    @property
    def image(self) -> str:
        return sha256(self.generation.encode()).hexdigest()

    @property
    def report(self) -> Report:
        evidence = Evidence(reading=self.reading) if self.reading else None
        return replace(self._scored, evidence=evidence)

    @property
    def _scored(self) -> Report:
        if self.values:
            scores = {name: Score(value, self.counted, 0) for name, value in self.values.items()}
            return Report(
                metric=self.metric,
                version=self.version,
                prompt=self.prompt,
                image=self.image,
                scores=scores,
            )
        pairs = zip(self.states, self.cois, strict=False)
        verdicts = tuple(
            Verdict(
                question=Question(text=f"{i}?", choices=("Yes", "No"), gold="A", coi=coi),
                answer=None,
                state=state,
                raw="",
            )
            for i, (state, coi) in enumerate(pairs)
        )
        scores = {"score": score(verdicts), "strict": strict(verdicts)}
        return Report(
            metric=self.metric,
            version=self.version,
            prompt=self.prompt,
            image=self.image,
            scores=scores,
            verdicts=verdicts,
        )


def keep(store: Store, said: Said, *, is_held_back: bool = False) -> None:
    """Keep it as a run would."""
    place = PictureSlot(
        id=said.generation,
        prompt=said.prompt,
        model=said.model,
        revision="1",
        seed=said.seed,
        settings=said.settings,
    )
    store.start_run(said.run, EvaluateRequest(prompt=said.prompt, models=(said.model,)), [place])
    one = Evaluation(
        generation=said.generation,
        model=said.model,
        image=said.image,
        metric=said.metric,
        judge=said.judge,
        trial=said.trial,
        report=said.report,
        lineup={"judge": said.judge},
    )
    store.keep_evaluation(
        run=said.run,
        evaluation=one,
        judge_revision="1",
        facets=Facets(
            category=said.category or "",
            domain=said.domain or "",
            level=said.level or "",
            task=said.task or "",
            field=said.benchmark_field or "",
            difficulty=said.difficulty or "",
        ),
        is_held_back=is_held_back,
    )
