"""Judges of the transformers library that answer questions about a picture (BLIP and its like).

They do not follow instructions, so they are not shown the prompt text: the choices are ranked by the
likelihood of their words as the answer. What probability the four choices leave over is "None of the above";
where that is no choice, a judge that is likelier to say "I cannot tell" says so, which no reader takes for a choice.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backends.base import BadWeights, Limits, ModelSpec, OnStep
from backends.cropping import cut
from backends.folders import locate as locate
from backends.quiet import quiet
from data.records import CANNOT_TELL, LETTERS, NONE_OF_THE_ABOVE, Picture
from data.requests import Answer, Ask, Failure
from data.seeing import Box

if TYPE_CHECKING:
    import torch


class VisualQuestionAnswering:
    """Any model of ``AutoModelForVisualQuestionAnswering`` with a text decoder, e.g. ``Salesforce/blip-vqa-base``.

    The picture is seen once for all questions about it; questions and choices go through in one batch. A model whose
    configuration says ``"pictures": 2`` was trained on pairs: it is shown the states of both pictures, picture and reference.
    Safetensors only and no remote code: a folder with other weights is refused with BadWeights.
    """

    limits = Limits(batch=40, concurrency=1)

    def __init__(self, spec: ModelSpec) -> None:
        import torch
        from transformers import AutoModelForVisualQuestionAnswering, AutoProcessor

        self.spec = spec
        source = locate(spec.repository or spec.id)
        options: dict[str, Any] = {"trust_remote_code": False}
        if spec.revision:
            options["revision"] = spec.revision
        try:
            with _quiet():
                self.processor = AutoProcessor.from_pretrained(source, **options)
                model = AutoModelForVisualQuestionAnswering.from_pretrained(source, use_safetensors=True, dtype=torch.float32, **options)
            self.model = model.eval()
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise BadWeights(
                f"{spec.id} could not be loaded from {source!r}: {reason} Get the folder again, or remove the entry."
            ) from error
        self.revision = self.fingerprint(spec)
        self._lock = threading.Lock()

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """The revision that the loaded model will have, found without loading it."""
        return spec.revision or _fingerprint(locate(spec.repository or spec.id))

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Whether the folder is there; a Hub model counts as there once it is downloaded."""
        source = Path(locate(spec.repository or spec.id))
        if (spec.repository or "").startswith("embedded:") and not (source / "model.safetensors").exists():
            return f"its weights are not in {source.name!r}: install the package again, or train it (`make train-judge`)."
        return None

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        """Answers in the order of the requests; questions about one picture are best given next to each other."""
        import torch

        replies: list[Answer | Failure] = []
        with self._lock, torch.inference_mode():
            for (pictures, region), group in groupby(requests, key=lambda r: (r.images, r.region)):
                replies.extend(self._about(pictures, region, list(group)))
        return replies

    def _about(self, pictures: tuple[Picture, ...], region: Box | None, requests: Sequence[Ask]) -> list[Answer | Failure]:
        import torch

        if reason := self._too_many(len(pictures)):
            return [Failure("broken", reason)] * len(requests)
        seen = torch.cat([self._see(picture, None if n else region) for n, picture in enumerate(pictures)], dim=1)
        states, mask = self._read(seen, [r.question for r in requests])
        ranked = self._rank(states, mask, [(i, words) for i, r in enumerate(requests) for words in _ranked(r.choices)])
        return [
            _choose(r.choices, ranked[i]) if r.choices else Answer(self._say(states[i : i + 1], mask[i : i + 1]))
            for i, r in enumerate(requests)
        ]

    def _too_many(self, count: int) -> str | None:
        """Why a question about so many pictures cannot be answered; None where it can."""
        most = int(getattr(self.model.config, "pictures", 1))
        if 1 <= count <= most:
            return None
        if most == 1:
            return f"{self.spec.title} looks at exactly one picture a question, not at {count}: ask it about one, or choose another judge."
        return f"{self.spec.title} looks at a picture, or at it and its reference, not at {count} pictures: ask about one or two."

    def _see(self, picture: Picture, region: Box | None = None) -> torch.Tensor:
        """States of the patches of the picture, or of its region, shape (1, patches, width)."""
        from PIL import Image

        with Image.open(picture.path) as image:
            shown = cut(image.convert("RGB"), region, square=True)
            pixels = self.processor.image_processor(shown, return_tensors="pt")["pixel_values"]
        seen: torch.Tensor = self.model.vision_model(pixel_values=pixels).last_hidden_state
        return seen

    def _read(self, patches: torch.Tensor, questions: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """States of the questions' words with the picture in mind, shape (questions, words, width), and their mask."""
        tokens = self.processor.tokenizer(
            list(questions),
            padding=True,
            truncation=True,
            max_length=self.model.config.text_config.max_position_embeddings,
            return_tensors="pt",
        )
        states = self.model.text_encoder(
            input_ids=tokens["input_ids"],
            attention_mask=tokens["attention_mask"],
            encoder_hidden_states=patches.expand(len(questions), -1, -1),
        ).last_hidden_state
        return states, tokens["attention_mask"]

    def _rank(self, states: torch.Tensor, mask: torch.Tensor, pairs: Sequence[tuple[int, str]]) -> dict[int, dict[str, float]]:
        """For each question the probability of each choice as the whole answer, in [0, 1]."""
        import torch

        found: dict[int, dict[str, float]] = {i: {} for i, _ in pairs}
        if not pairs:
            return found
        tokens = self.processor.tokenizer(
            [choice for _, choice in pairs],
            padding=True,
            truncation=True,
            max_length=self.model.config.text_config.max_position_embeddings,
            return_tensors="pt",
        )
        words = tokens["input_ids"].clone()
        words[:, 0] = self.model.decoder_start_token_id
        rows = torch.tensor([i for i, _ in pairs])
        scores = self.model.text_decoder(
            input_ids=words, attention_mask=tokens["attention_mask"], encoder_hidden_states=states[rows], encoder_attention_mask=mask[rows]
        ).logits
        each = scores[:, :-1].float().log_softmax(-1).gather(-1, words[:, 1:, None])[..., 0]
        whole = (each * tokens["attention_mask"][:, 1:]).sum(-1).exp()
        for (i, choice), probability in zip(pairs, whole.tolist(), strict=True):
            found[i][choice] = probability
        return found

    def _say(self, states: torch.Tensor, mask: torch.Tensor, longest: int = 24) -> str:
        """The likeliest answer in words, one word after the other."""
        import torch

        words = torch.tensor([[self.model.decoder_start_token_id]])
        for _ in range(longest):
            scores = self.model.text_decoder(input_ids=words, encoder_hidden_states=states, encoder_attention_mask=mask).logits
            following = scores[:, -1].argmax(-1, keepdim=True)
            words = torch.cat([words, following], dim=1)
            if int(following) == self.processor.tokenizer.sep_token_id:
                break
        text: str = self.processor.tokenizer.decode(words[0], skip_special_tokens=True)
        return text[:1].upper() + text[1:]


_quiet = partial(quiet, "transformers")


def _ranked(choices: Sequence[str]) -> tuple[str, ...]:
    """The words whose likelihood decides: the choices without None of the above, or with "I cannot tell" where that is none of them."""
    if NONE_OF_THE_ABOVE in choices:
        return tuple(c for c in choices if c != NONE_OF_THE_ABOVE)
    return tuple(dict.fromkeys((*choices, CANNOT_TELL))) if choices else ()


def _choose(choices: Sequence[str], ranked: dict[str, float]) -> Answer:
    """The likeliest choice as ``A) text``; None of the above has what the others leave over.

    Without None of the above, a judge likelier to say "I cannot tell" than any choice says that: metrics leave it out as unreadable.
    """
    if NONE_OF_THE_ABOVE not in choices and CANNOT_TELL not in choices and ranked[CANNOT_TELL] > max(ranked[c] for c in choices):
        return Answer(CANNOT_TELL)
    rest = max(0.0, 1.0 - sum(ranked.values()))
    chances = tuple(rest if c == NONE_OF_THE_ABOVE else ranked[c] for c in choices)
    total = sum(chances) or 1.0
    best = max(range(len(choices)), key=chances.__getitem__)
    text = f"{LETTERS[best]}) {choices[best]}" if NONE_OF_THE_ABOVE in choices else choices[best]
    return Answer(text, tuple(c / total for c in chances))


def _fingerprint(source: str) -> str:
    """The first 16 hex digits of the weights' SHA-256, for a folder; a Hub id without revision has none."""
    import hashlib

    weights = Path(source) / "model.safetensors"
    if not weights.exists():
        return "unpinned"
    with weights.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
