"""Runs scene-graph parsers: models that write a text as triples of subject, predicate and object.

After Li et al., FACTUAL (Findings of ACL 2023): a T5 that was trained on captions of regions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from hallascope.backends.base import CallLimits, OnStep
from hallascope.backends.quiet import quiet
from hallascope.backends.transformers.model import NumberSetting, TransformersModel, end_tokens
from hallascope.data.files.tidy import line
from hallascope.data.requests import Answer, Failure, ReadPrompt

INSTRUCTION = "Generate Scene Graph: "


class SceneGraphParser(TransformersModel):
    """Runs a model of ``AutoModelForSeq2SeqLM`` that was trained to write scene graphs.

    An example is ``lizhuang144/flan-t5-base-VG-factual-sg``, which answers with
    ``( pigs , is , 2 ) , ( pigs , fly on , sky )``. Settings: `max_tokens` of a reply, `dtype`,
    `device`.
    """

    limits = CallLimits(batch=16, concurrency=1)

    model_classes: ClassVar[Mapping[str, str]] = {"": "AutoModelForSeq2SeqLM"}
    processor_class = "AutoTokenizer"
    is_large = True
    numbers: ClassVar[Mapping[str, NumberSetting]] = {"max_tokens": NumberSetting(400, 1, step=1)}

    def parse(
        self, requests: Sequence[ReadPrompt], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the scene graphs as text, in the order of the requests. Raises Stopped."""
        with quiet("transformers"):
            return self._reply_each(requests, self._parse, on_step)

    def _parse(self, request: ReadPrompt) -> Answer | Failure:
        inputs = self.processor([INSTRUCTION + line(request.prompt)], return_tensors="pt")
        length = inputs["input_ids"].shape[1]
        longest = getattr(self.model.config, "n_positions", None) or length
        if length > longest:
            return Failure(
                "broken",
                f"{self.spec.title} reads at most {longest} tokens and this prompt has {length}:"
                " shorten it, or choose another parser.",
            )
        (ids,) = self.model.generate(
            input_ids=inputs["input_ids"].to(self.device),
            attention_mask=inputs["attention_mask"].to(self.device),
            max_new_tokens=int(self.number("max_tokens")),
            do_sample=False,
            num_beams=1,
        )
        text = str(self.processor.decode(ids, skip_special_tokens=True)).strip()
        if not text:
            return self._failure_of_empty_reply()
        is_whole = end_tokens(self.model, self.processor) & set(ids.tolist())
        return Answer(text, truncated=not is_whole)
