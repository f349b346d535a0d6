"""Chooses how a prompt is varied: by the Primer grammar, by rules of words, or by a writer."""

from hallascope.engine.error_analysis.probe.levels import (
    WRITTEN_VERSIONS,
    AxisName,
    CannotVary,
    PromptVariation,
)
from hallascope.engine.error_analysis.probe.primer_levels import vary_primer_prompt
from hallascope.engine.error_analysis.probe.text_levels import same_meaning, vary_text
from hallascope.metrics.prompt_variants import PromptVariants

AS_IT_IS = "as it is"


def vary_by_rule(prompt: str, axis: AxisName, *, primer_only: bool) -> PromptVariation:
    """Return the levels of a prompt without a writer.

    `primer_only`: models draw the Primer world alone, so the levels are prompts of its grammar.
    Raises CannotVary.
    """
    return vary_primer_prompt(prompt, axis) if primer_only else vary_text(prompt, axis)


def is_written(axis: AxisName, writer: str | None, *, primer_only: bool) -> bool:
    """Return whether a writer writes the levels. Primer's models draw what their grammar says."""
    return bool(writer) and axis in WRITTEN_VERSIONS and not primer_only


def vary_by_writer(prompt: str, axis: AxisName, written: PromptVariants) -> PromptVariation:
    """Return the levels that a writer wrote, after the prompt as it is.

    All are judged by the questions of the prompt. Raises CannotVary where the writer wrote none.
    """
    if not written.prompts:
        raise CannotVary(written.problem)
    levels = same_meaning(prompt, {AS_IT_IS: prompt, **written.prompts})
    missing = [label for label in WRITTEN_VERSIONS[axis] if label not in written.prompts]
    left_out = f" It wrote no version for: {', '.join(missing)}." if missing else ""
    note = f"A writer wrote the versions; read them before you believe a difference.{left_out}"
    return PromptVariation(axis=axis, levels=levels, note=note)
