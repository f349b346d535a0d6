"""Nearly all prompts that people wrote are perfect where each is its own caption."""

from hallascope.data.files.readings.gold_readings import gold_readings
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.matching import compare
from hallascope.metrics.fig.pairs import attribute_words
from hallascope.metrics.parsing.reading import read_prompt

# 449 of 454, as many as where the prompt itself was parsed and not its reading.
LEAST_SHARE = 0.988


def _is_perfect(prompt: str) -> bool | None:
    """Return whether a prompt has all that it asks for, and nothing else; None if unreadable."""
    reading = read_prompt(prompt, attribute_words(ATTRIBUTES))
    if reading.unreadable:
        return None
    stages = compare(reading, prompt)
    return all(row.strict for row in stages.rows) and not stages.extras


def test_a_prompt_held_against_itself_is_perfect() -> None:
    judged = {gold.prompt: _is_perfect(gold.prompt) for gold in gold_readings("development")}
    readable = {prompt: perfect for prompt, perfect in judged.items() if perfect is not None}
    assert len(readable) > 400
    imperfect = [prompt for prompt, perfect in readable.items() if not perfect]
    assert len(imperfect) <= (1 - LEAST_SHARE) * len(readable), imperfect
