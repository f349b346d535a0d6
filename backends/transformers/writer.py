"""Runs writers: language models that follow instructions (Qwen, Phi, Mistral, Llama).

They look at no images.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hallascope.backends.transformers.instruct import InstructModel


class TextWriter(InstructModel):
    """Runs a model of ``AutoModelForCausalLM`` with a chat template.

    An example is ``Qwen/Qwen2.5-0.5B-Instruct``.
    """

    model_classes: ClassVar[Mapping[str, str]] = {"": "AutoModelForCausalLM"}
    processor_class = "AutoTokenizer"
