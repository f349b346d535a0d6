"""Has a parser read prompts beside any run; what it replies is kept, and a run takes it from there.

A prompt is read in one request.
"""

from collections.abc import Callable, Mapping, Sequence

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.requests import Failure
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostEstimate, cost_line
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.run.calls import cache
from hallascope.engine.run.driver import PlanResult
from hallascope.engine.run.estimate import costs
from hallascope.engine.services import Services
from hallascope.metrics.reading.case_reading import ask_parser, is_readable_reading
from hallascope.metrics.reading.model_reading import reading_request, reading_template

OnPrompt = Callable[[int, int], None]


def parse_prompts(
    services: Services,
    prompts: Sequence[str],
    parser: str,
    policy: SpendingPolicy = DEFAULT_POLICY,
    on_prompt: OnPrompt = lambda done, total: None,
) -> Mapping[str, PromptReading | Failure]:
    """Return what a parser reads from each prompt, or why it reads nothing.

    `on_prompt` is given how many prompts are read, of how many. Raises BadRequest, UnknownModel,
    Unavailable or StoreError.
    """
    models, driver, _ = services.bind([(parser, "parser")], policy)
    form = reading_template()
    distinct = list(dict.fromkeys(prompts))
    for prompt in distinct:
        driver.add(prompt, ask_parser(prompt, form), models, readable=is_readable_reading)
    readings: dict[str, PromptReading | Failure] = {}
    for event in driver.events():
        if isinstance(event, PlanResult):
            readings[str(event.key)] = event.result
            on_prompt(len(readings), len(distinct))
    return readings


def parsing_estimate(
    services: Services,
    prompts: Sequence[str],
    parser: str,
    policy: SpendingPolicy = DEFAULT_POLICY,
) -> CostEstimate:
    """Return what a parser is likely to cost for the prompts that it has not read yet.

    Raises BadRequest, UnknownModel or Unavailable.
    """
    spec = services.registry.require(parser, "parser", policy.keys)
    if not costs(spec):
        return CostEstimate()
    model = services.registry.binder(policy.keys)(parser)
    form = reading_template()
    requests = {
        cache.key(request, model.model, model.revision, model.settings): request
        for request in (reading_request(prompt, form) for prompt in prompts)
    }
    kept = cache.kept_replies(services.store, requests.items())
    missing = [request for key, request in requests.items() if key not in kept]
    if not missing:
        return CostEstimate()
    return CostEstimate((cost_line(parser, missing, spec.price, spec.settings),))
