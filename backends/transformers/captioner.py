"""Runs models that a short prompt instructs: BLIP-2, InstructBLIP, PaliGemma, Florence-2.

They are captioners and judges of the transformers library.

They were not trained on conversations, so that they are not shown the prompt text of a metric but
one of the form they know, as the entry of each says. Choices are ranked by the likelihood of their
words as the answer (Dai et al., InstructBLIP, NeurIPS 2023, section 2.4: "vocabulary ranking").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.backends.cropping import cut
from hallascope.backends.quiet import quiet
from hallascope.backends.transformers.choice_ranking import likeliest, spellings
from hallascope.backends.transformers.model import TransformersModel, see, whole
from hallascope.data.requests import Answer, Ask, Describe, Failure

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

KINDS = ("blip-2", "instructblip", "paligemma", "florence2")
TOWERS = ("vision_model", "vision_tower")
LONGEST = 200  # tokens of a reply, where the setting `max_tokens` does not say
TOGETHER = 16  # questions, or answers to be ranked, that go through the model at once


class PromptedCaptioner(TransformersModel):
    """A model of ``AutoModelForImageTextToText``, e.g. ``Salesforce/instructblip-flan-t5-xl``.

    A picture is seen once for all questions.

    Settings: `describe`, its prompt for a description, and `ask`, that for a question, in which
    ``{question}`` stands for it and ``{text}`` for the whole prompt text of a metric; `max_tokens`
    of a reply; `dtype`, `device`. It says the likeliest words, at any temperature.
    """

    limits = CallLimits(batch=40, concurrency=1)

    @classmethod
    def check(cls, spec: ModelSpec) -> str | None:
        """Whether the settings make sense and the folder is there."""
        for name in ("ask", "describe"):
            if not isinstance(said := spec.settings.get(name, ""), str):
                return (
                    f"its setting {name!r} is {said!r}: give a text, with {{question}} where the"
                    " question belongs."
                )
        most = spec.settings.get("max_tokens", LONGEST)
        if isinstance(most, bool) or not isinstance(most, int) or most < 1:
            return f"its setting 'max_tokens' is {most!r}: give a whole number from 1."
        return super().check(spec)

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoConfig, AutoModelForImageTextToText, AutoProcessor

        kind = AutoConfig.from_pretrained(source, **options).model_type
        if kind not in KINDS:
            raise ValueError(
                f"it is of the kind {kind!r}, and this backend is for {', '.join(KINDS)}"
            )
        processor = AutoProcessor.from_pretrained(source, **options)
        model = whole(AutoModelForImageTextToText, source, options, self.dtype)
        processor.tokenizer.padding_side = "right" if _encodes(model) else "left"
        tower = next(
            module for name, module in model.named_modules() if name.rpartition(".")[2] in TOWERS
        )
        tower.forward = _SharedVisionTower(tower.forward)
        return processor, model

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        """Answers in the order of the requests.

        Questions about one picture are best given next to each other. Raises Stopped.
        """
        form = str(self.spec.settings.get("ask") or "{question}")
        return self._replies(requests, form, on_step)

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Descriptions in the order of the requests. Raises Stopped."""
        asked = [
            Ask(
                images=(r.image,),
                text=r.text,
                question=r.text,
                template=r.template,
                region=r.region,
            )
            for r in requests
        ]
        return self._replies(asked, str(self.spec.settings.get("describe") or ""), on_step)

    def _replies(
        self, requests: Sequence[Ask], form: str, on_step: OnStep | None
    ) -> list[Answer | Failure]:
        import torch

        replies: list[Answer | Failure] = []
        with quiet("transformers"), self._lock, torch.inference_mode():
            for _, group in groupby(requests, key=lambda r: (r.images, r.region)):
                if on_step:
                    on_step(len(replies), len(requests))
                replies.extend(self._reply_to_group(list(group), form, on_step))
        return replies

    # --- questions about one picture
    # -------------------------------------------------------------------------------------

    def _reply_to_group(
        self, requests: Sequence[Ask], form: str, on_step: OnStep | None
    ) -> list[Answer | Failure]:
        pictures = requests[0].images
        if len(pictures) != 1:
            message = (
                f"{self.spec.title} looks at exactly one picture a question, not at"
                f" {len(pictures)}: choose another judge for that."
            )
            return [Failure("broken", message)] * len(requests)
        image = cut(see(pictures[0]), requests[0].region)
        prompts = [
            form.replace("{question}", r.question).replace("{text}", r.text) for r in requests
        ]
        inputs = self._inputs(image, prompts)
        found: dict[int, Answer | Failure] = {}
        if choices := [i for i, r in enumerate(requests) if r.choices]:
            likely = self._likely(inputs, {i: requests[i].choices for i in choices})
            found |= {i: self._choice(requests[i].choices, likely[i]) for i in choices}
        free = [i for i, r in enumerate(requests) if not r.choices]
        for start in range(0, len(free), TOGETHER):
            some = free[start : start + TOGETHER]
            found |= zip(some, self._say(_rows(inputs, some), on_step), strict=True)
        return [found[i] for i in range(len(requests))]

    def _inputs(self, image: Image, prompts: Sequence[str]) -> dict[str, torch.Tensor]:
        """Return the prompts at one length and the picture, which stands there once.

        They are filled up on the side where no answer follows.
        """
        import torch

        read = self.processor(
            images=[image] * len(prompts), text=list(prompts), padding=True, return_tensors="np"
        )
        inputs = {
            name: torch.from_numpy(value).to(self.device)
            for name, value in read.items()
            if name not in ("pixel_values", "labels")
        }
        pixels = torch.from_numpy(read["pixel_values"][:1]).to(
            self.device, getattr(torch, self.dtype)
        )
        return {**inputs, "pixel_values": pixels}

    def _say(
        self, inputs: dict[str, torch.Tensor], on_step: OnStep | None
    ) -> list[Answer | Failure]:
        most = int(self.spec.settings.get("max_tokens") or LONGEST)
        stop = {"stopping_criteria": [_progress_criterion(on_step)]} if on_step else {}
        said = self.model.generate(
            **inputs, max_new_tokens=most, do_sample=False, num_beams=1, **stop
        )
        asked = 0 if _encodes(self.model) else inputs["input_ids"].shape[1]
        texts = self.processor.tokenizer.batch_decode(said[:, asked:], skip_special_tokens=True)
        return [self._answer(text.strip()) for text in texts]

    def _answer(self, text: str) -> Answer | Failure:
        if text:
            return Answer(text[:1].upper() + text[1:])
        return Failure(
            "empty",
            f"{self.spec.title} answers with nothing: ask it otherwise, or choose another model.",
        )

    # --- ranking
    # ----------------------------------------------------------------------------------------------

    def _likely(
        self, inputs: dict[str, torch.Tensor], choices: dict[int, tuple[str, ...]]
    ) -> dict[int, list[float]]:
        """Return each choice's probability as the whole answer to a question, in any spelling."""
        rows = [
            (i, n, ids)
            for i, each in choices.items()
            for n, words in enumerate(each)
            for ids in spellings(self.processor.tokenizer, words)
        ]
        found = {i: [0.0] * len(each) for i, each in choices.items()}
        for start in range(0, len(rows), TOGETHER):
            some = rows[start : start + TOGETHER]
            logs = self._answer_log_probs(
                _rows(inputs, [i for i, _, _ in some]), [ids for _, _, ids in some]
            )
            for (i, n, _), log in zip(some, logs, strict=True):
                found[i][n] += math.exp(log)
        return found

    def _choice(self, choices: Sequence[str], chances: Sequence[float]) -> Answer | Failure:
        if 0 < sum(chances) < math.inf:
            return likeliest(choices, chances)
        return Failure(
            "broken",
            f"{self.spec.title} gives no choice a probability: get its weights again, or choose"
            " another model.",
        )

    def _answer_log_probs(
        self, inputs: dict[str, torch.Tensor], answers: Sequence[list[int]]
    ) -> list[float]:
        """The log-probability of each answer and its end after its prompt."""
        import torch

        if _encodes(self.model):
            begins = [1] * len(answers)
            scores = self.model(
                **inputs,
                decoder_input_ids=_filled([[self._start, *ids] for ids in answers], inputs),
            ).logits
        else:
            asked = [
                ids[mask.bool()].tolist()
                for ids, mask in zip(inputs["input_ids"], inputs["attention_mask"], strict=True)
            ]
            begins = [len(ids) for ids in asked]
            scores = self.model(**inputs | _joined(asked, answers, inputs)).logits
        found = []
        ends = sorted(self._ends)
        for begin, ids, row in zip(begins, answers, scores, strict=True):
            logs = row[begin - 1 : begin + len(ids)].float().log_softmax(-1)
            found.append(
                float(logs[range(len(ids)), ids].sum() + torch.logsumexp(logs[-1, ends], dim=-1))
            )
        return found

    @property
    def _start(self) -> int:
        said = (
            self.model.generation_config,
            self.model.config,
            self.model.config.get_text_config(),
        )
        return next(
            int(c.decoder_start_token_id)
            for c in said
            if getattr(c, "decoder_start_token_id", None) is not None
        )

    @property
    def _ends(self) -> frozenset[int]:
        """The tokens that end an answer."""
        said = self.model.generation_config.eos_token_id
        ends = said if isinstance(said, list) else [said]
        return frozenset(
            int(end) for end in (*ends, self.processor.tokenizer.eos_token_id) if end is not None
        )


def _encodes(model: Any) -> bool:
    """Return whether an encoder reads the prompt and the answer begins anew in a decoder."""
    return bool(model.config.is_encoder_decoder or model.config.text_config.is_encoder_decoder)


def _joined(
    asked: Sequence[list[int]], answers: Sequence[list[int]], inputs: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Each prompt with its answer right behind it.

    What tells the two apart (PaliGemma reads a prompt to and fro) where it is wanted.
    """
    ids = _filled(
        [[*prompt, *answer] for prompt, answer in zip(asked, answers, strict=True)], inputs
    )
    joined = {"input_ids": ids, "attention_mask": ids.new_ones(ids.shape)}
    if "token_type_ids" in inputs:
        joined["token_type_ids"] = _filled(
            [
                [0] * len(prompt) + [1] * len(answer)
                for prompt, answer in zip(asked, answers, strict=True)
            ],
            inputs,
        )
    return joined


def _filled(rows: Sequence[list[int]], inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return rows filled up on the right with their last number, where nothing can see it."""
    import torch

    longest = max(map(len, rows))
    return torch.tensor(
        [[*row, *[row[-1]] * (longest - len(row))] for row in rows],
        device=inputs["input_ids"].device,
    )


def _rows(inputs: dict[str, torch.Tensor], rows: Sequence[int]) -> dict[str, torch.Tensor]:
    """Some of the prompts, each as often as it is named.

    The one picture belongs to all of them, and lies in memory once.
    """
    chosen = {name: value[list(rows)] for name, value in inputs.items() if name != "pixel_values"}
    return {**chosen, "pixel_values": inputs["pixel_values"].expand(len(rows), -1, -1, -1)}


def _progress_criterion(on_step: OnStep) -> Callable[..., Any]:
    """Tells the number of words so far, and goes on."""
    count = 0

    def tell(ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        nonlocal count
        count += 1
        on_step(count, 0)
        return ids.new_zeros(len(ids)).bool()

    return tell


class _SharedVisionTower:
    """Computes a vision tower once for a picture that stands in all rows of a batch.

    The next batch with the picture does not compute it again.
    """

    def __init__(self, forward: Callable[..., Any]) -> None:
        self._forward = forward
        self._last: tuple[torch.Tensor, Any] | None = (
            None  # the picture is held, so that no other can take its place in memory
        )

    def __call__(self, pixel_values: torch.Tensor, *more: Any, **named: Any) -> Any:
        if len(pixel_values) > 1 and pixel_values.stride(0):
            return self._forward(pixel_values, *more, **named)
        picture = pixel_values[:1]
        if (
            self._last is None
            or self._last[0].data_ptr() != picture.data_ptr()
            or self._last[0].shape != picture.shape
        ):
            self._last = (picture, self._forward(picture, *more, **named))
        seen = self._last[1]
        return type(seen)(
            **{name: _spread(value, len(pixel_values)) for name, value in seen.items()}
        )


def _spread(value: Any, rows: int) -> Any:
    return (
        value.expand(rows, *value.shape[1:])
        if hasattr(value, "expand") and value.dim() and len(value) == 1
        else value
    )
