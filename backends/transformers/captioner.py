"""Runs models that a short prompt instructs: BLIP-2, InstructBLIP, PaliGemma, Florence-2.

They are captioners and judges. They were not trained on conversations, so they are not shown the
prompt text of a metric but one of the form they know, as the entry of each says. Choices are ranked
by the likelihood of their words as the answer (Dai et al., InstructBLIP, NeurIPS 2023, section 2.4:
"vocabulary ranking").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.backends.images import crop, open_rgb
from hallascope.backends.transformers.choice_ranking import (
    likeliest,
    spelled_choices,
    sum_over_spellings,
)
from hallascope.backends.transformers.model import NumberSetting, TransformersModel, end_tokens
from hallascope.backends.transformers.prefix_cache import pad_right
from hallascope.data.requests import Answer, Ask, Describe, Failure

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

MODEL_TYPES = ("blip-2", "instructblip", "paligemma", "florence2")
TOWERS = ("vision_model", "vision_tower")
# Questions, or answers to be ranked, that go through the model at once.
BATCH = 16


class PromptedCaptioner(TransformersModel):
    """Runs a model of ``AutoModelForImageTextToText``, e.g. ``Salesforce/instructblip-flan-t5-xl``.

    An image is encoded once for all questions. Settings: `describe`, its prompt for a description,
    and `ask`, that for a question, in which ``{question}`` stands for it and ``{text}`` for the
    whole prompt text of a metric; `max_tokens` of a reply; `dtype`, `device`. It says the likeliest
    words, at any temperature.
    """

    limits = CallLimits(batch=40, concurrency=1)

    model_classes: ClassVar[Mapping[str, str]] = dict.fromkeys(
        MODEL_TYPES, "AutoModelForImageTextToText"
    )
    is_large = True
    numbers: ClassVar[Mapping[str, NumberSetting]] = {"max_tokens": NumberSetting(200, 1, step=1)}

    @classmethod
    def check(cls, spec: ModelSpec) -> str | None:
        """Return why the settings make no sense or the folder is missing, None otherwise."""
        for name in ("ask", "describe"):
            prompt = spec.settings.get(name, "")
            if not isinstance(prompt, str):
                return (
                    f"its setting {name!r} is {prompt!r}: give a text, with {{question}} where the"
                    " question belongs."
                )
        return super().check(spec)

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        processor, model = super()._load_model(source, options)
        processor.tokenizer.padding_side = "right" if has_text_encoder(model) else "left"
        tower = next(
            module for name, module in model.named_modules() if name.rpartition(".")[2] in TOWERS
        )
        tower.forward = _SharedVisionTower(tower.forward)
        return processor, model

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        """Return the answers in the order of the requests.

        Questions about one image are best given next to each other. Raises Stopped.
        """
        form = str(self.spec.settings.get("ask") or "{question}")
        return self._reply_in_form(requests, form, on_step)

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the descriptions in the order of the requests. Raises Stopped."""
        form = str(self.spec.settings.get("describe") or "")
        return self._reply_in_form([request.as_question() for request in requests], form, on_step)

    def _reply_in_form(
        self, requests: Sequence[Ask], form: str, on_step: OnStep | None
    ) -> list[Answer | Failure]:
        return self._reply_by_image(
            requests, lambda group: self._reply_to_group(group, form, on_step), on_step
        )

    # --- questions about one image ---

    def _reply_to_group(
        self, requests: Sequence[Ask], form: str, on_step: OnStep | None
    ) -> list[Answer | Failure]:
        pictures = requests[0].images
        if len(pictures) != 1:
            message = (
                f"{self.spec.title} looks at exactly one image a question, not at"
                f" {len(pictures)}: choose another judge for that."
            )
            return [Failure("broken", message)] * len(requests)
        image = crop(open_rgb(pictures[0]), requests[0].region)
        prompts = [
            form.replace("{question}", request.question).replace("{text}", request.text)
            for request in requests
        ]
        inputs = self._inputs(image, prompts)
        ranked = [i for i, request in enumerate(requests) if request.offered]
        free = [i for i, request in enumerate(requests) if not request.offered]
        answers = self._choose(inputs, ranked, [requests[i].choices for i in ranked])
        replies = dict(zip(ranked, answers, strict=True))
        for start in range(0, len(free), BATCH):
            rows = free[start : start + BATCH]
            answers = self._generate(_select_rows(inputs, rows), on_step)
            replies |= zip(rows, answers, strict=True)
        for i in free:
            reply = replies[i]
            if requests[i].choices and isinstance(reply, Answer):
                replies[i] = replace(reply, protocol="free")
        return [replies[i] for i in range(len(requests))]

    def _inputs(self, image: Image, prompts: Sequence[str]) -> dict[str, torch.Tensor]:
        """Return the prompts at one length, and the image once.

        Prompts are padded on the side where no answer follows.
        """
        import torch

        arrays = self.processor(
            images=[image] * len(prompts), text=list(prompts), padding=True, return_tensors="np"
        )
        inputs = {
            name: torch.from_numpy(value).to(self.device)
            for name, value in arrays.items()
            if name not in ("pixel_values", "labels")
        }
        pixels = torch.from_numpy(arrays["pixel_values"][:1])
        return {**inputs, "pixel_values": pixels.to(self.device, getattr(torch, self.dtype))}

    def _generate(
        self, inputs: dict[str, torch.Tensor], on_step: OnStep | None
    ) -> list[Answer | Failure]:
        most = int(self.number("max_tokens"))
        stop = {"stopping_criteria": [_progress_criterion(on_step)]} if on_step else {}
        ids = self.model.generate(
            **inputs, max_new_tokens=most, do_sample=False, num_beams=1, **stop
        )
        prompt_length = 0 if has_text_encoder(self.model) else inputs["input_ids"].shape[1]
        texts = self.processor.tokenizer.batch_decode(
            ids[:, prompt_length:], skip_special_tokens=True
        )
        replies: list[Answer | Failure] = []
        for text in map(str.strip, texts):
            if text:
                replies.append(Answer(text[:1].upper() + text[1:]))
            else:
                replies.append(self._failure_of_empty_reply())
        return replies

    # --- ranking ---

    def _choose(
        self,
        inputs: dict[str, torch.Tensor],
        rows: Sequence[int],
        offers: Sequence[tuple[str, ...]],
    ) -> list[Answer | Failure]:
        """Return the likeliest of each row's choices, each as the whole answer in any spelling."""
        choices = spelled_choices(self.processor.tokenizer, offers)
        logs: list[float] = []
        for start in range(0, len(choices), BATCH):
            batch = choices[start : start + BATCH]
            prompts = _select_rows(inputs, [rows[spelled.question] for spelled in batch])
            logs += self._answer_log_probs(prompts, [spelled.ids for spelled in batch])
        replies: list[Answer | Failure] = []
        probabilities = sum_over_spellings(offers, choices, logs)
        for offer, of_offer in zip(offers, probabilities, strict=True):
            if 0 < sum(of_offer) < math.inf:
                replies.append(likeliest(offer, of_offer))
            else:
                replies.append(self._failure_of_no_probability())
        return replies

    def _answer_log_probs(
        self, inputs: dict[str, torch.Tensor], answers: Sequence[list[int]]
    ) -> list[float]:
        """Return the log-probability of each answer and its end after its prompt."""
        import torch

        logs = []
        ends = sorted(end_tokens(self.model, self.processor.tokenizer))
        for ids, scores in zip(answers, self._answer_scores(inputs, answers), strict=True):
            steps = scores.float().log_softmax(-1)
            end = torch.logsumexp(steps[-1, ends], dim=-1)
            logs.append(float(steps[range(len(ids)), ids].sum() + end))
        return logs

    def _answer_scores(
        self, inputs: dict[str, torch.Tensor], answers: Sequence[list[int]]
    ) -> list[torch.Tensor]:
        """Return the scores of each answer's tokens and of its end, (answer + 1, tokens)."""
        if has_text_encoder(self.model):
            starts = [1] * len(answers)
            decoded = pad_right([[self._start_token, *ids] for ids in answers], self.device)
            scores = self.model(**inputs, decoder_input_ids=decoded).logits
        else:
            prompts = [
                row[mask.bool()].tolist()
                for row, mask in zip(inputs["input_ids"], inputs["attention_mask"], strict=True)
            ]
            starts = [len(ids) for ids in prompts]
            scores = self.model(**inputs | self._append_answers(prompts, answers, inputs)).logits
        return [
            row[start - 1 : start + len(ids)]
            for start, ids, row in zip(starts, answers, scores, strict=True)
        ]

    def _append_answers(
        self,
        prompts: Sequence[list[int]],
        answers: Sequence[list[int]],
        inputs: dict[str, torch.Tensor],
    ) -> dict[str, torch.Tensor]:
        """Return the inputs of each prompt with its answer right behind it.

        Where the model reads a prompt in both directions (PaliGemma), `token_type_ids` tell the two
        apart.
        """
        pairs = list(zip(prompts, answers, strict=True))
        ids = pad_right([[*prompt, *answer] for prompt, answer in pairs], self.device)
        appended = {"input_ids": ids, "attention_mask": ids.new_ones(ids.shape)}
        if "token_type_ids" in inputs:
            types = [[0] * len(prompt) + [1] * len(answer) for prompt, answer in pairs]
            appended["token_type_ids"] = pad_right(types, self.device)
        return appended

    @property
    def _start_token(self) -> int:
        """The id of the token that begins an answer in the decoder."""
        configs = (
            self.model.generation_config,
            self.model.config,
            self.model.config.get_text_config(),
        )
        starts = (getattr(config, "decoder_start_token_id", None) for config in configs)
        return int(next(start for start in starts if start is not None))


def has_text_encoder(model: Any) -> bool:
    """Return whether an encoder reads the prompt and the answer begins anew in a decoder."""
    return bool(model.config.is_encoder_decoder or model.config.text_config.is_encoder_decoder)


def _select_rows(inputs: dict[str, torch.Tensor], rows: Sequence[int]) -> dict[str, torch.Tensor]:
    """Return some of the prompts, each as often as it is named.

    The one image belongs to all of them, and lies in memory once.
    """
    chosen = {name: value[list(rows)] for name, value in inputs.items() if name != "pixel_values"}
    return {**chosen, "pixel_values": inputs["pixel_values"].expand(len(rows), -1, -1, -1)}


def _progress_criterion(on_step: OnStep) -> Callable[..., Any]:
    """Return a stopping criterion that tells the number of words so far, and never stops."""
    count = 0

    def tell(ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        nonlocal count
        count += 1
        on_step(count, 0)
        return ids.new_zeros(len(ids)).bool()

    return tell


class _SharedVisionTower:
    """Computes a vision tower once for an image that stands in all rows of a batch.

    The next batch with the image does not compute it again.
    """

    def __init__(self, forward: Callable[..., Any]) -> None:
        self._forward = forward
        # The image is held, so that no other can take its place in memory.
        self._last: tuple[torch.Tensor, Any] | None = None

    def __call__(self, pixel_values: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        rows = len(pixel_values)
        if rows > 1 and pixel_values.stride(0):
            return self._forward(pixel_values, *args, **kwargs)
        picture = pixel_values[:1]
        if (
            self._last is None
            or self._last[0].data_ptr() != picture.data_ptr()
            or self._last[0].shape != picture.shape
        ):
            self._last = (picture, self._forward(picture, *args, **kwargs))
        output = self._last[1]
        return type(output)(**{name: _spread(value, rows) for name, value in output.items()})


def _spread(value: Any, rows: int) -> Any:
    """Return a tensor of one row as that many rows; anything else as it is."""
    if hasattr(value, "expand") and value.dim() and len(value) == 1:
        return value.expand(rows, *value.shape[1:])
    return value
