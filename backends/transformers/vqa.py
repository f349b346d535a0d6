"""Runs judges that answer questions about an image and describe it, such as BLIP.

They do not follow instructions, so they are not shown the prompt text: the choices are ranked by
the likelihood of their words as the answer. A tenth of the probability that the choices leave over
is that of "None of the above" (see `choice_ranking`). Where that is no choice, a judge that is
likelier to say "I cannot tell" says so, which no reader takes for a choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends import domain, feature_domain, signs, weights
from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.backends.images import crop, open_rgb
from hallascope.backends.transformers.choice_ranking import choices_to_rank, choose
from hallascope.backends.transformers.model import TransformersModel
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Describe, Failure
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.signs import QUESTION as SIGN_QUESTION

if TYPE_CHECKING:
    import torch

WEIGHTS = "model.safetensors"
PAIRS = "pairs"
# `primer/judge` was trained to answer this with a caption
# (`hallascope.primer.extra_questions.CAPTION`).
DESCRIBE = "Describe this."
# How the questions begin that a model that ships answers well on Primer, behind the name of a thing
# and a colon where there is one; it also answers whether a prompt is shown ("two red circles?").
LEARNED = re.compile(
    r"((to |on )?(what|which)|where|when|how|describe this|is (this|there|the)|are the(re)?)\b",
    re.I,
)
# The most tokens of an answer in words.
MAX_TOKENS = 24


class VisualQuestionAnswering(TransformersModel):
    """Runs a model of ``AutoModelForVisualQuestionAnswering`` with a text decoder.

    An example is ``Salesforce/blip-vqa-base``. The image is encoded once for all questions about
    it; questions and choices go through in one batch. A model whose configuration says
    ``"pictures": 2`` was trained on pairs: it is shown the states of both images, image and
    reference. Where its folder holds a folder `pairs`, of weights of its kind, those answer what is
    asked of an image and its reference. Where it holds `domain.safetensors`, an image of another
    kind than those it was trained on is a Failure (see `feature_domain`).
    """

    limits = CallLimits(batch=40, concurrency=1, one_image=True)
    model_classes: ClassVar[Mapping[str, str]] = {"": "AutoModelForVisualQuestionAnswering"}

    def __init__(self, spec: ModelSpec) -> None:
        super().__init__(spec)
        # Whether an image is of the kind it was trained on, by the SHA-256 of the image.
        self._inside: dict[str, bool] = {}
        self._encoded: tuple[tuple[str, Box | None], torch.Tensor] | None = None
        self.comparing: VisualQuestionAnswering | None = None
        pairs = Path(weights.locate(spec.source)) / PAIRS
        if (pairs / WEIGHTS).exists():
            self.comparing = VisualQuestionAnswering(replace(spec, repository=str(pairs)))

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the revision to be loaded, found without loading it.

        For a folder it depends on its weights alone.
        """
        folder = Path(weights.locate(spec.source))
        if spec.revision or not (folder / WEIGHTS).exists():
            return TransformersModel.fingerprint(spec)
        files = [folder / WEIGHTS, folder / PAIRS / WEIGHTS, folder / feature_domain.FILE]
        if spec.is_embedded:
            files.append(domain.FOLDER / domain.WEIGHTS)
        return "+".join(weights.sha256(file)[:16] for file in files if file.is_file())

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from hallascope.backends.embedded import conv_blip

        conv_blip.register()
        self.features_known = feature_domain.read_domain(Path(source))
        return super()._load_model(source, options)

    @cached_property
    def words(self) -> set[str]:
        """The words that a model that ships has learned."""
        return {*self.processor.tokenizer.get_vocab(), *_words(_texts_of_facts())}

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        """Return the answers in the order of the requests.

        Questions about one image are best given next to each other.
        """
        import torch

        replies: list[Answer | Failure] = []
        with self._lock, torch.inference_mode():
            for (pictures, region), group in groupby(requests, key=lambda r: (r.images, r.region)):
                self._encoded = None
                if pictures and (sign := signs.find_sign(self.spec, pictures[0])):
                    replies.extend(self._reply_on_sign(sign, request) for request in group)
                    continue
                strange = next(filter(None, map(self.check_domain, pictures)), None)
                if strange:
                    replies.extend(strange for _ in group)
                    continue
                judge = (self.comparing if len(pictures) > 1 else None) or self
                asked = list(group)
                foreign = [self.foreign_reply(ask) for ask in asked]
                learned = [ask for ask, reply in zip(asked, foreign, strict=True) if not reply]
                answers = iter(judge._reply_to_group(pictures, region, learned))
                replies.extend(reply or next(answers) for reply in foreign)
        return replies

    def _reply_on_sign(self, sign: signs.DrawnSign, request: Ask) -> Answer | Failure:
        """Return a description of a sign, or its text; it answers nothing else about signs."""
        if request.question == DESCRIBE:
            return Answer(sign.description)
        if request.question == SIGN_QUESTION and request.choices:
            ranked = (*choices_to_rank(request.choices), CANNOT_TELL)
            return choose(request.choices, {each: float(each == sign.line.text) for each in ranked})
        return self._refuse(request)

    def foreign_reply(self, request: Ask) -> Answer | Failure | None:
        """Return the reply to a question that a model that ships has not learned to answer.

        It knows the words of Primer and the forms of its questions. None where it can be asked, and
        for every other model.
        """
        if not self.spec.is_embedded:
            return None
        asked = request.question.rpartition(": ")[2]
        words = _words((request.question, *request.choices))
        if words <= self.words and (LEARNED.match(asked) or _is_prompt(asked)):
            return None
        return self._refuse(request)

    def _refuse(self, request: Ask) -> Answer | Failure:
        if not request.choices:
            return Answer(CANNOT_TELL)
        return Failure("outside", domain.refusal(self.spec, request.question))

    def check_domain(self, picture: Picture) -> Failure | None:
        """Return why nothing can be said of an image of a kind that the model was not trained on.

        None where it is of their kind: by its style, and by its features where the folder of the
        weights says what they were trained on.
        """
        known = picture.is_drawn and self.spec.is_embedded
        if known or self.features_known is None:
            return super().check_domain(picture)
        if picture.sha256 not in self._inside:
            inside = self.features_known.holds(self.features(picture))
            self._inside[picture.sha256] = inside or feature_domain.is_flat(open_rgb(picture))
        if self._inside[picture.sha256]:
            return super().check_domain(picture)
        return Failure("outside", domain.refusal(self.spec))

    def features(self, picture: Picture) -> torch.Tensor:
        """Return the mean of the vision tower over the patches of the image, shape (width,)."""
        import torch

        with torch.inference_mode():
            return self._encode_image(picture)[0, 1:].mean(0)

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Return the descriptions in the order of the requests.

        The prompt text is left aside, as with questions.
        """
        return self.ask([request.as_question(DESCRIBE) for request in requests], on_step)

    def _reply_to_group(
        self, pictures: tuple[Picture, ...], region: Box | None, requests: Sequence[Ask]
    ) -> list[Answer | Failure]:
        import torch

        if not requests:
            return []
        reason = self._wrong_number(len(pictures))
        if reason:
            return [Failure("broken", reason)] * len(requests)
        first, *references = pictures
        encoded = [self._encode_image(first, region)]
        encoded += [self._encode_image(picture) for picture in references]
        patches = torch.cat(encoded, dim=1)
        states, mask = self._encode_questions(patches, [request.question for request in requests])
        pairs = [
            (i, choice)
            for i, request in enumerate(requests)
            for choice in choices_to_rank(request.choices)
        ]
        probabilities = self._choice_probabilities(states, mask, pairs)
        replies: list[Answer | Failure] = []
        for i, request in enumerate(requests):
            if request.choices:
                replies.append(choose(request.choices, probabilities[i]))
            else:
                replies.append(Answer(self._generate(states[i : i + 1], mask[i : i + 1])))
        return replies

    def _wrong_number(self, count: int) -> str | None:
        """Return why a question about so many images cannot be answered; None where it can."""
        most = int(getattr(self.model.config, "pictures", 1))
        if 1 <= count <= most:
            return None
        if most == 1:
            return (
                f"{self.spec.title} looks at exactly one image a question, not at {count}: ask it"
                " about one, or choose another judge."
            )
        return (
            f"{self.spec.title} looks at an image, or at it and its reference, not at {count}"
            " images: ask about one or two."
        )

    def _encode_image(self, picture: Picture, region: Box | None = None) -> torch.Tensor:
        """Return the states of the patches of the image or its region, (1, patches, width).

        Those of the last image are kept, as its features are looked at before its questions.
        """
        key = (picture.sha256, region)
        encoded = self._encoded
        if encoded is None or encoded[0] != key:
            image = crop(open_rgb(picture), region, square=True)
            inputs = self.processor.image_processor(image, return_tensors="pt")
            pixels = inputs["pixel_values"].to(self.device)
            states = self.model.vision_model(pixel_values=pixels).last_hidden_state
            encoded = self._encoded = (key, states)
        return encoded[1]

    def _encode_questions(
        self, patches: torch.Tensor, questions: Sequence[str]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the questions' states, (questions, words, width), and their mask."""
        tokens = self._tokenize(questions)
        states = self.model.text_encoder(
            input_ids=tokens["input_ids"],
            attention_mask=tokens["attention_mask"],
            encoder_hidden_states=patches.expand(len(questions), -1, -1),
        ).last_hidden_state
        return states, tokens["attention_mask"]

    def _tokenize(self, texts: Sequence[str]) -> Any:
        return self.processor.tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=self.model.config.text_config.max_position_embeddings,
            return_tensors="pt",
        ).to(self.device)

    def _choice_probabilities(
        self, states: torch.Tensor, mask: torch.Tensor, pairs: Sequence[tuple[int, str]]
    ) -> dict[int, dict[str, float]]:
        """Return for each question the probability of each choice as the whole answer, in [0, 1].

        `pairs` are the number of a question and a choice.
        """
        import torch

        probabilities: dict[int, dict[str, float]] = {i: {} for i, _ in pairs}
        if not pairs:
            return probabilities
        rows = torch.tensor([i for i, _ in pairs])
        choices = [choice for _, choice in pairs]
        of_choices = self._answer_probabilities(states[rows], mask[rows], choices)
        for (i, choice), probability in zip(pairs, of_choices, strict=True):
            probabilities[i][choice] = probability
        return probabilities

    def _answer_probabilities(
        self, states: torch.Tensor, mask: torch.Tensor, answers: Sequence[str]
    ) -> list[float]:
        """Return the probability of each answer as the whole answer to its own question.

        The states of the questions are (answers, words, width), their mask (answers, words).
        """
        tokens = self._tokenize(answers)
        words = tokens["input_ids"].clone()
        words[:, 0] = self.model.decoder_start_token_id
        scores = self.model.text_decoder(
            input_ids=words,
            attention_mask=tokens["attention_mask"],
            encoder_hidden_states=states,
            encoder_attention_mask=mask,
        ).logits
        log_probs = scores[:, :-1].float().log_softmax(-1)
        of_words = log_probs.gather(-1, words[:, 1:, None])[..., 0]
        probabilities: list[float] = (
            (of_words * tokens["attention_mask"][:, 1:]).sum(-1).exp().tolist()
        )
        return probabilities

    def _generate(self, states: torch.Tensor, mask: torch.Tensor) -> str:
        """Return the answer of the likeliest word after each word."""
        import torch

        words = torch.tensor([[self.model.decoder_start_token_id]], device=self.device)
        for _ in range(MAX_TOKENS):
            scores = self.model.text_decoder(
                input_ids=words, encoder_hidden_states=states, encoder_attention_mask=mask
            ).logits
            following = scores[:, -1].argmax(-1, keepdim=True)
            words = torch.cat([words, following], dim=1)
            if int(following) == self.processor.tokenizer.sep_token_id:
                break
        decoded: str = self.processor.tokenizer.decode(words[0], skip_special_tokens=True)
        # The tokenizer takes words with hyphens apart.
        text = re.sub(r"(?<=\w) - (?=\w)", "-", decoded)
        return text[:1].upper() + text[1:]


def _words(texts: Iterable[str]) -> set[str]:
    return set(re.findall(r"[^\W_]+", " ".join(texts).lower()))


def _texts_of_facts() -> Iterator[str]:
    """Yield the questions of Primer's facts with their answers."""
    for concept in concepts():
        for fact in (*concept.facts, *([concept.variation.fact] if concept.variation else ())):
            yield from (fact.question, *fact.values.values(), *fact.others)


def _is_prompt(question: str) -> bool:
    """Return whether a question is a prompt of Primer with a question mark."""
    try:
        scenes.parse(question.rstrip("?"))
    except scenes.CannotDraw:
        return False
    return True
