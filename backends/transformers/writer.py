"""Runs writers: language models that follow instructions (Qwen, Phi, Mistral, Llama).

They look at no pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.instruct import InstructModel
from hallascope.data.requests import Answer, Failure, Write


class TextWriter(InstructModel):
    """Runs a model of ``AutoModelForCausalLM`` with a chat template.

    An example is ``Qwen/Qwen2.5-0.5B-Instruct``.
    """

    model_classes: ClassVar[Mapping[str, str]] = {"": "AutoModelForCausalLM"}
    processor_class = "AutoTokenizer"

    def write(
        self, requests: Sequence[Write], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the texts in the order of the requests. Raises Stopped."""
        return self._write(requests, on_step)
