"""Runs writers: language models that follow instructions (Qwen, Phi, Mistral, Llama).

They look at no pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.instruct import InstructModel
from hallascope.backends.transformers.model import load_complete
from hallascope.data.requests import Answer, Failure, Write


class TextWriter(InstructModel):
    """Runs a model of ``AutoModelForCausalLM`` with a chat template.

    An example is ``Qwen/Qwen2.5-0.5B-Instruct``.
    """

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(source, **options)
        if not tokenizer.chat_template:
            raise ValueError(
                "it has no template for a conversation, so that it follows no instructions"
            )
        return tokenizer, load_complete(AutoModelForCausalLM, source, options, self.dtype)

    def write(
        self, requests: Sequence[Write], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the texts in the order of the requests. Raises Stopped."""
        return self._write(requests, on_step)
