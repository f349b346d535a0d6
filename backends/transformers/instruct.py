"""Holds what models that follow instructions share: how they are asked and scored.

What several questions begin with alike, their pictures among it, is read once. Choices are not read
out of what a model says: their likelihood as its answer is taken from its scores, so that every
answer is one of them and carries its probabilities. It does not know how a model is loaded, nor how
it is shown a picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.backends.cropping import cut
from hallascope.backends.quiet import quiet
from hallascope.backends.transformers import choice_ranking, prefix_cache
from hallascope.backends.transformers.choice_ranking import spellings
from hallascope.backends.transformers.model import TransformersModel, see
from hallascope.backends.transformers.prefix_cache import CachedPrefix
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Failure, Write

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST = 1000  # tokens of a reply, where the setting `max_tokens` does not say


class InstructModel(TransformersModel):
    """A causal language model with a chat template, which may be shown pictures.

    Settings: `max_tokens` of a reply; `temperature` (0: the likeliest word, always) and `seed`,
    where a request does not say; `pictures`, how many one question may be about; `dtype`, `device`.
    """

    limits = CallLimits(batch=40, concurrency=1)
    numbers: ClassVar[dict[str, float]] = {
        "max_tokens": 1,
        "temperature": 0,
        "pictures": 1,
    }  # settings and the least of each

    @classmethod
    def check(cls, spec: ModelSpec) -> str | None:
        """Whether the settings make sense and the folder is there."""
        for name, least in cls.numbers.items():
            said = spec.settings.get(name)
            if said is not None and (isinstance(said, bool | str) or not least <= said < math.inf):
                return f"its setting {name!r} is {said!r}: give a number from {least:g}."
        return super().check(spec)

    def _replies(self, requests: Sequence[Ask], on_step: OnStep | None) -> list[Answer | Failure]:
        """Answers in the order of the requests.

        Those about the same pictures are answered together. Raises Stopped.
        """
        import torch

        replies: list[Answer | Failure] = []
        with quiet("transformers"), self._lock, torch.inference_mode():
            for (pictures, region), group in groupby(requests, key=lambda r: (r.images, r.region)):
                if on_step:
                    on_step(len(replies), len(requests))
                replies.extend(self._reply_to_group(pictures, region, list(group), on_step))
        return replies

    def _write(self, requests: Sequence[Write], on_step: OnStep | None) -> list[Answer | Failure]:
        return self._replies(
            [
                Ask(
                    images=(),
                    text=r.text,
                    question=r.text,
                    choices=(),
                    template=r.template,
                    schema=r.schema,
                    temperature=r.temperature,
                    seed=r.seed,
                )
                for r in requests
            ],
            on_step,
        )

    # --- questions about the same
    # ----------------------------------------------------------------------------------------

    def _reply_to_group(
        self,
        pictures: tuple[Picture, ...],
        region: Box | None,
        requests: Sequence[Ask],
        on_step: OnStep | None,
    ) -> list[Answer | Failure]:
        if reason := self._too_many(len(pictures)):
            return [Failure("broken", reason)] * len(requests)
        images = [cut(see(picture), None if n else region) for n, picture in enumerate(pictures)]
        inputs, head, tails = self._prepared(images, [r.text for r in requests])
        if head is None:  # what follows the picture cannot be told from it
            return [
                reply
                for r in requests
                for reply in self._reply_to_group(pictures, region, [r], on_step)
            ]
        if reason := self._too_long(len(head) + max(map(len, tails))):
            return [Failure("broken", reason)] * len(requests)
        shared = min(prefix_cache.common(tails), min(map(len, tails)) - 1)
        begun = prefix_cache.begin(self.model, inputs, [*head, *tails[0][:shared]])
        return self._answers(begun, [tail[shared:] for tail in tails], requests, on_step)

    def _too_many(self, count: int) -> str | None:
        most = int(self.spec.settings.get("pictures") or count)
        if count <= most:
            return None
        few = "one picture" if most == 1 else f"{most} pictures"
        return (
            f"{self.spec.title} looks at {few} a question, not at {count}: ask it about fewer, or"
            " choose another judge."
        )

    def _too_long(self, length: int) -> str | None:
        config = self.model.config.get_text_config()
        most = getattr(config, "max_position_embeddings", None) or length
        if length <= most:
            return None
        return (
            f"{self.spec.title} reads at most {most} tokens and this is {length}: ask it less at"
            " once, or about a smaller picture."
        )

    def _prepared(
        self, images: Sequence[Image], texts: Sequence[str]
    ) -> tuple[Mapping[str, Any], list[int] | None, list[list[int]]]:
        """Return the inputs of the first text, the shared tokens, and those that follow in each.

        The shared ones go up to the end of the pictures.

        The tokens are None where there are several texts and their parts cannot be told apart.
        """
        prompts = [self._prompt(len(images), text) for text in texts]
        inputs = self._inputs(images, prompts[0])
        ids: list[int] = inputs["input_ids"][0].tolist()
        tails = [self._tail(prompt) for prompt in prompts]
        if len(texts) == 1 and ids[-len(tails[0]) :] != tails[0]:
            tails = [ids[-1:]]
        fits = tails[0] and ids[len(ids) - len(tails[0]) :] == tails[0]
        return inputs, ids[: len(ids) - len(tails[0])] if fits else None, tails

    def _prompt(self, pictures: int, text: str) -> str:
        """The conversation as the model was trained on it, up to where its answer begins.

        Models that can think aloud do not.
        """
        content: Any = [*[{"type": "image"}] * pictures, {"type": "text", "text": text}]
        said = [{"role": "user", "content": content}]
        prompt: str = self.tokenizer.apply_chat_template(
            said,
            chat_template=self.processor.chat_template,
            tokenize=False,
            add_generation_prompt=True,
            enable_thinking=False,
        )
        return prompt

    def _inputs(self, images: Sequence[Image], prompt: str) -> Any:
        """What the model is given of one text, with its pictures."""
        return self.tokenizer(
            [prompt], add_special_tokens=self._opens(prompt), return_tensors="pt"
        ).to(self.device)

    def _opens(self, prompt: str) -> bool:
        """Return whether the token that opens every text is still to be added.

        Some templates write it themselves.
        """
        first = self.tokenizer.bos_token
        return not (first and prompt.startswith(first))

    def _tokens(self, prompt: str) -> list[int]:
        ids: list[int] = self.tokenizer(prompt, add_special_tokens=self._opens(prompt))["input_ids"]
        return ids

    def _tail(self, prompt: str) -> list[int]:
        """The tokens that follow the last picture."""
        return self._tokens(prompt)

    # --- answers
    # ----------------------------------------------------------------------------------------------

    def _answers(
        self,
        begun: CachedPrefix,
        tails: Sequence[list[int]],
        requests: Sequence[Ask],
        on_step: OnStep | None,
    ) -> list[Answer | Failure]:
        letters = [i for i, r in enumerate(requests) if choice_ranking.lettered(r)]
        words = [i for i, r in enumerate(requests) if r.choices and i not in letters]
        found: dict[int, Answer | Failure] = {}
        for part, chances in ((letters, self._letters), (words, self._words)):
            if part:
                each = chances(
                    begun,
                    [tails[i] for i in part],
                    [choice_ranking.offered(requests[i]) for i in part],
                )
                found |= {
                    i: self._choice(requests[i], chance)
                    for i, chance in zip(part, each, strict=True)
                }
        return [
            found[i] if i in found else self._say(begun, tail, requests[i], on_step)
            for i, tail in enumerate(tails)
        ]

    def _letters(
        self, begun: CachedPrefix, tails: Sequence[list[int]], offers: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        """Return each letter's probability as the next token for each question, in any spelling."""
        scores = prefix_cache.next_token_log_probs(self.model, begun, tails)
        ids = {letter: self._letter(letter) for offer in offers for letter in offer}
        return [
            [float(each[ids[letter]].exp().sum()) for letter in offer]
            for each, offer in zip(scores, offers, strict=True)
        ]

    def _letter(self, letter: str) -> list[int]:
        """The tokens that are this letter, with and without a space before it."""
        return sorted(
            {
                self.tokenizer(text, add_special_tokens=False)["input_ids"][-1]
                for text in (letter, f" {letter}")
            }
        )

    def _words(
        self, begun: CachedPrefix, tails: Sequence[list[int]], offers: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        """Return each offer's probability as the whole answer to each question, in any spelling."""
        rows = [
            (i, n, ids)
            for i, offer in enumerate(offers)
            for n, words in enumerate(offer)
            for ids in spellings(self.tokenizer, words)
        ]
        likely = prefix_cache.likelihoods(
            self.model, begun, [(tails[i], ids) for i, _, ids in rows], self._ends
        )
        chances = [[0.0] * len(offer) for offer in offers]
        for (i, n, _), log in zip(rows, likely, strict=True):
            chances[i][n] += math.exp(log)
        return chances

    def _choice(self, request: Ask, chances: Sequence[float]) -> Answer | Failure:
        if not 0 < sum(chances) < math.inf:  # no number, or too small for one
            return Failure(
                "broken",
                f"{self.spec.title} gives no choice a probability: get its weights again, or choose"
                " another model.",
            )
        draw = self._draw(request)
        place = (
            max(range(len(chances)), key=chances.__getitem__)
            if draw is prefix_cache.likeliest
            else draw(_logs(chances))
        )
        return choice_ranking.answer(request, place, chances)

    def _say(
        self, begun: CachedPrefix, tail: list[int], request: Ask, on_step: OnStep | None
    ) -> Answer | Failure:
        tell: Callable[[int], None] = (
            (lambda count: on_step(count, 0)) if on_step else lambda count: None
        )
        most = int(self.spec.settings.get("max_tokens") or LONGEST)
        ids, broken_off = prefix_cache.say(
            model=self.model,
            begun=begun,
            text=tail,
            ends=self._ends,
            most=most,
            draw=self._draw(request),
            tell=tell,
        )
        text = str(self.tokenizer.decode(ids, skip_special_tokens=True)).strip()
        if not text:
            return Failure(
                "empty",
                f"{self.spec.title} answers with nothing: ask it otherwise, or choose another"
                " model.",
            )
        return Answer(text, cut=broken_off)

    def _draw(self, request: Ask) -> prefix_cache.TokenSampler:
        settings = self.spec.settings
        said = (
            request.temperature if request.temperature is not None else settings.get("temperature")
        )
        seed = request.seed if request.seed is not None else settings.get("seed")
        if said:
            return prefix_cache.make_sampler(float(said), None if seed is None else int(seed))
        return prefix_cache.likeliest

    @property
    def tokenizer(self) -> Any:
        """The part of the processor that reads and writes words."""
        return getattr(self.processor, "tokenizer", self.processor)

    @property
    def _ends(self) -> frozenset[int]:
        """The tokens that end an answer."""
        said = self.model.generation_config.eos_token_id
        ends = said if isinstance(said, list) else [said]
        return frozenset(
            int(end) for end in (*ends, self.tokenizer.eos_token_id) if end is not None
        )


def _logs(chances: Sequence[float]) -> Any:
    import torch

    return torch.tensor(chances, dtype=torch.float64).log()
