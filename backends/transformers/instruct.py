"""Holds what models that follow instructions share: how they are asked and scored.

What several questions begin with alike, their images among it, is read once. Choices are not read
out of what a model says: their likelihood as its answer is taken from its scores, so that every
answer is one of them and carries its probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends.base import CallLimits, OnStep
from hallascope.backends.images import crop, open_rgb
from hallascope.backends.loading import Flaw
from hallascope.backends.transformers import choice_ranking, prefix_cache
from hallascope.backends.transformers.model import NumberSetting, TransformersModel, end_tokens
from hallascope.backends.transformers.prefix_cache import CachedPrefix
from hallascope.data.records import JudgingProtocol
from hallascope.data.requests import Answer, Ask, Failure, Write

if TYPE_CHECKING:
    from PIL.Image import Image


class InstructModel(TransformersModel):
    """Runs a causal language model with a chat template, which may be shown images.

    Settings: `max_tokens` of a reply; `temperature` (0: the likeliest word, always) and `seed`,
    where a request does not say; `pictures`, how many one question may be about; `dtype`, `device`.
    """

    limits = CallLimits(batch=40, concurrency=1)
    is_large = True
    numbers: ClassVar[Mapping[str, NumberSetting]] = {
        "max_tokens": NumberSetting(1000, 1, step=1),
        "temperature": NumberSetting(0, 0),
        "pictures": NumberSetting(math.inf, 1, step=1),
    }

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        if not self._load_processor(source, options).chat_template:
            raise Flaw(
                "it has no template for a conversation, so that it follows no instructions: choose"
                " another model"
            )
        return super()._load_model(source, options)

    def reply_to_questions(
        self, requests: Sequence[Ask], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the answers in the order of the requests.

        Questions about one image are best given next to each other. Raises Stopped.
        """
        return self._reply_by_image(
            requests, lambda group: self._reply_to_group(group, on_step), on_step
        )

    def write(
        self, requests: Sequence[Write], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the texts in the order of the requests. Raises Stopped."""
        questions = [
            Ask(
                images=(),
                text=r.text,
                question=r.text,
                temperature=r.temperature,
                seed=r.seed,
            )
            for r in requests
        ]
        return self.reply_to_questions(questions, on_step)

    # --- questions about the same images ---

    def _reply_to_group(
        self, requests: Sequence[Ask], on_step: OnStep | None
    ) -> list[Answer | Failure]:
        pictures = requests[0].images
        reason = self._too_many(len(pictures))
        if reason:
            return [Failure("broken", reason)] * len(requests)
        images = [
            crop(open_rgb(picture), None if n else requests[0].region)
            for n, picture in enumerate(pictures)
        ]
        inputs, head, tails = self._tokenize(images, [r.text for r in requests])
        if head is None:
            # What follows the images cannot be told from them, so nothing is shared.
            return [reply for r in requests for reply in self._reply_to_group([r], on_step)]
        reason = self._too_long(len(head) + max(map(len, tails)))
        if reason:
            return [Failure("broken", reason)] * len(requests)
        shared = min(prefix_cache.common_length(tails), min(map(len, tails)) - 1)
        prefix = prefix_cache.read_prefix(self.model, inputs, [*head, *tails[0][:shared]])
        return self._answers(prefix, [tail[shared:] for tail in tails], requests, on_step)

    def _too_many(self, count: int) -> str | None:
        """Return why a question about so many images cannot be answered; None where it can."""
        most = self.number("pictures")
        if count <= most:
            return None
        few = "one image" if most == 1 else f"{most:g} images"
        return (
            f"{self.spec.title} looks at {few} a question, not at {count}: ask it about fewer, or"
            " choose another judge."
        )

    def _too_long(self, length: int) -> str | None:
        """Return why a text of so many tokens cannot be read; None where it can."""
        config = self.model.config.get_text_config()
        most = getattr(config, "max_position_embeddings", None) or length
        if length <= most:
            return None
        return (
            f"{self.spec.title} reads at most {most} tokens and this is {length}: ask it less at"
            " once, or about a smaller image."
        )

    def _tokenize(
        self, images: Sequence[Image], texts: Sequence[str]
    ) -> tuple[Mapping[str, Any], list[int] | None, list[list[int]]]:
        """Return the inputs of the first text, the shared tokens, and those that follow in each.

        The shared tokens go up to the end of the images. They are None where there are several
        texts and their parts cannot be told apart.
        """
        prompts = [self._prompt(len(images), text) for text in texts]
        inputs = self._inputs(images, prompts[0])
        ids: list[int] = inputs["input_ids"][0].tolist()
        tails = [self._tail(prompt) for prompt in prompts]
        if len(texts) == 1 and ids[-len(tails[0]) :] != tails[0]:
            tails = [ids[-1:]]
        head_length = len(ids) - len(tails[0])
        if tails[0] and ids[head_length:] == tails[0]:
            return inputs, ids[:head_length], tails
        return inputs, None, tails

    def _prompt(self, pictures: int, text: str) -> str:
        """Return the conversation as the model was trained on it, up to where its answer begins.

        Models that can think aloud do not.
        """
        content: Any = [*[{"type": "image"}] * pictures, {"type": "text", "text": text}]
        prompt: str = self.tokenizer.apply_chat_template(
            [{"role": "user", "content": content}],
            chat_template=self.processor.chat_template,
            tokenize=False,
            add_generation_prompt=True,
            enable_thinking=False,
        )
        return prompt

    def _inputs(self, images: Sequence[Image], prompt: str) -> Any:
        """Return the model's inputs of one text, with its images."""
        return self.tokenizer(
            [prompt], add_special_tokens=self._lacks_first_token(prompt), return_tensors="pt"
        ).to(self.device)

    def _lacks_first_token(self, prompt: str) -> bool:
        """Return whether the token that opens every text is still to be added.

        Some templates write it themselves.
        """
        first = self.tokenizer.bos_token
        return not (first and prompt.startswith(first))

    def _tail(self, prompt: str) -> list[int]:
        """Return the tokens that follow the last image."""
        special = self._lacks_first_token(prompt)
        ids: list[int] = self.tokenizer(prompt, add_special_tokens=special)["input_ids"]
        return ids

    # --- answers ---

    def _answers(
        self,
        prefix: CachedPrefix,
        tails: Sequence[list[int]],
        requests: Sequence[Ask],
        on_step: OnStep | None,
    ) -> list[Answer | Failure]:
        probabilities = self._answer_probabilities(prefix, tails, requests)
        replies: list[Answer | Failure] = []
        for i, (request, tail) in enumerate(zip(requests, tails, strict=True)):
            if i in probabilities:
                replies.append(self._choose(request, probabilities[i]))
            else:
                replies.append(self._generate(prefix, tail, request, on_step))
        return replies

    def _answer_probabilities(
        self, prefix: CachedPrefix, tails: Sequence[list[int]], requests: Sequence[Ask]
    ) -> dict[int, list[float]]:
        """Return the probability of each possible answer, by the number of a question with choices.

        Choices are ranked by their letters where the prompt lists them so, else by their words.
        """
        offers = [choice_ranking.possible_answers(request) for request in requests]
        ranked = [i for i, request in enumerate(requests) if request.offered]
        letters = [i for i in ranked if choice_ranking.is_lettered(requests[i])]
        words = [i for i in ranked if i not in letters]
        probabilities: dict[int, list[float]] = {}
        for rows, rank in (
            (letters, self._letter_probabilities),
            (words, self._word_probabilities),
        ):
            if rows:
                found = rank(prefix, [tails[i] for i in rows], [offers[i] for i in rows])
                probabilities |= zip(rows, found, strict=True)
        return probabilities

    def _letter_probabilities(
        self, prefix: CachedPrefix, tails: Sequence[list[int]], offers: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        """Return each letter's probability as the next token for each question, in any spelling."""
        logs = prefix_cache.next_token_log_probs(self.model, prefix, tails)
        letters = {letter for offer in offers for letter in offer}
        ids = {letter: self._letter_tokens(letter) for letter in letters}
        return [
            [float(log_probs[ids[letter]].exp().sum()) for letter in offer]
            for log_probs, offer in zip(logs, offers, strict=True)
        ]

    def _letter_tokens(self, letter: str) -> list[int]:
        """Return the tokens that are a letter, with and without a space before it."""
        texts = (letter, f" {letter}")
        tokens = [self.tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
        return sorted({ids[-1] for ids in tokens})

    def _word_probabilities(
        self, prefix: CachedPrefix, tails: Sequence[list[int]], offers: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        """Return each offer's probability as the whole answer to each question, in any spelling."""
        choices = choice_ranking.spelled_choices(self.tokenizer, offers)
        pairs = [(tails[choice.question], choice.ids) for choice in choices]
        ends = end_tokens(self.model, self.tokenizer)
        logs = prefix_cache.likelihoods(self.model, prefix, pairs, ends)
        return choice_ranking.sum_over_spellings(offers, choices, logs)

    def _choose(self, request: Ask, probabilities: Sequence[float]) -> Answer | Failure:
        import torch

        # The sum may also be no number, or too small for one.
        if not 0 < sum(probabilities) < math.inf:
            return self._failure_of_no_probability()
        draw = self._sampler(request)
        if draw is prefix_cache.likeliest:
            place = max(range(len(probabilities)), key=probabilities.__getitem__)
        else:
            place = draw(torch.tensor(probabilities, dtype=torch.float64).log())
        return choice_ranking.answer(request, place, probabilities)

    def _generate(
        self, prefix: CachedPrefix, tail: list[int], request: Ask, on_step: OnStep | None
    ) -> Answer | Failure:
        tell: Callable[[int], None] = (
            (lambda count: on_step(count, 0)) if on_step else lambda count: None
        )
        ids, broken_off = prefix_cache.generate(
            self.model,
            prefix,
            tail,
            end_tokens(self.model, self.tokenizer),
            int(self.number("max_tokens")),
            draw=self._sampler(request),
            tell=tell,
        )
        text = str(self.tokenizer.decode(ids, skip_special_tokens=True)).strip()
        if not text:
            return self._failure_of_empty_reply()
        protocol: JudgingProtocol | None = "free" if request.choices else None
        return Answer(text, truncated=broken_off, protocol=protocol)

    def _sampler(self, request: Ask) -> prefix_cache.TokenSampler:
        own = request.temperature
        temperature = self.number("temperature") if own is None else own
        if not temperature:
            return prefix_cache.likeliest
        seed = request.seed if request.seed is not None else self.spec.settings.get("seed")
        return prefix_cache.make_sampler(temperature, None if seed is None else int(seed))

    @property
    def tokenizer(self) -> Any:
        """The part of the processor that reads and writes words."""
        return getattr(self.processor, "tokenizer", self.processor)
