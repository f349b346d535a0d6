"""Has a parser read prompts beside any run; what it replies is kept, and a run takes it from there.

A prompt is read in one request.
"""

from collections.abc import Mapping, Sequence

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.requests import Failure
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.run.driver import PlanResult
from hallascope.engine.services import Services
from hallascope.metrics.reading.case_reading import ask_parser, is_readable_reading
from hallascope.metrics.reading.model_reading import reading_template


def parse_prompts(
    services: Services,
    prompts: Sequence[str],
    parser: str,
    policy: SpendingPolicy = DEFAULT_POLICY,
) -> Mapping[str, PromptReading | Failure]:
    """Return what a parser reads from each prompt, or why it reads nothing.

    Raises BadRequest, UnknownModel, Unavailable or StoreError.
    """
    models, driver, _ = services.bind([(parser, "parser")], policy)
    form = reading_template()
    for prompt in dict.fromkeys(prompts):
        driver.add(prompt, ask_parser(prompt, form), models, readable=is_readable_reading)
    readings: dict[str, PromptReading | Failure] = {}
    for event in driver.events():
        if isinstance(event, PlanResult):
            readings[str(event.key)] = event.result
    return readings
