"""Chooses how a prompt is varied: by the Primer grammar, or by rules of words."""

from hallascope.engine.error_analysis.probe.levels import AxisName, PromptVariation
from hallascope.engine.error_analysis.probe.primer_levels import vary_primer_prompt
from hallascope.engine.error_analysis.probe.text_levels import vary_text


def vary_by_rule(prompt: str, axis: AxisName, *, primer_only: bool) -> PromptVariation:
    """Return the levels of a prompt without a writer.

    `primer_only`: models draw the Primer world alone, so the levels are prompts of its grammar.
    Raises CannotVary.
    """
    return vary_primer_prompt(prompt, axis) if primer_only else vary_text(prompt, axis)
