"""Runs vision-language models that follow instructions (LLaVA, Qwen-VL, SmolVLM).

They are judges, captioners and writers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.instruct import InstructModel
from hallascope.backends.transformers.processors import load_image_processor
from hallascope.data.requests import Answer, Describe, Failure

if TYPE_CHECKING:
    from PIL.Image import Image


class ChatModel(InstructModel):
    """Runs a chat model of ``AutoModelForImageTextToText``, e.g. ``Qwen/Qwen3-VL-2B-Instruct``.

    It has a chat template and a causal language model. An image is read once for all questions
    about it.
    """

    model_classes: ClassVar[Mapping[str, str]] = {"": "AutoModelForImageTextToText"}

    def _load_processor(self, source: str, options: dict[str, Any]) -> Any:
        return load_image_processor(source, options)

    ask = InstructModel.reply_to_questions

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the descriptions in the order of the requests. Raises Stopped."""
        return self.ask([request.as_question() for request in requests], on_step)

    def _inputs(self, images: Sequence[Image], prompt: str) -> Any:
        if not images:
            return super()._inputs(images, prompt)
        return self.processor(
            images=list(images),
            text=[prompt],
            add_special_tokens=self._lacks_first_token(prompt),
            return_tensors="pt",
        ).to(self.device)

    def _tail(self, prompt: str) -> list[int]:
        ids = super()._tail(prompt)
        picture = self.tokenizer.convert_tokens_to_ids(str(self.processor.image_token))
        return ids[len(ids) - ids[::-1].index(picture) :] if picture in ids else ids
