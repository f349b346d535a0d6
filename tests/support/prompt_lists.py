"""Tells what a reader complained of."""

from hallascope.data.benchmarks.prompt_lists import PromptList


def complaint_texts(found: PromptList) -> list[str]:
    return [str(complaint) for complaint in found.complaints]
