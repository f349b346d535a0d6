"""Reads what several texts begin with once, as the states of a causal language model.

What follows the beginning is scored in batches, or continued word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from inspect import signature
from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

Ids = Sequence[int]
# Texts that go through the model at once.
BATCH = 16
# Chooses one of all tokens by their scores, shape (tokens,).
TokenSampler = Callable[["torch.Tensor"], int]


@dataclass(frozen=True)
class CachedPrefix:
    """Holds the states of what was read, how many tokens that is, and where the next token stands.

    `cache` is None where nothing was read. An image may take fewer positions than tokens (the
    rotary positions of Qwen-VL have three axes).
    """

    cache: Any = None
    length: int = 0
    position: int = 0


def read_prefix(model: Any, inputs: Mapping[str, Any], ids: Ids) -> CachedPrefix:
    """Read a beginning.

    `inputs` are those of the processor for one text that begins with it, with its images; `ids`
    its tokens.
    """
    import torch

    if not ids:
        return CachedPrefix()
    token_inputs = {
        name: _fit_length(value, len(ids))
        for name, value in inputs.items()
        if value.shape == inputs["input_ids"].shape
    }
    image_inputs = {name: value for name, value in inputs.items() if name not in token_inputs}
    token_inputs |= {
        "input_ids": torch.tensor([list(ids)], device=model.device),
        "attention_mask": torch.ones(1, len(ids), device=model.device),
    }
    output = model(**image_inputs, **token_inputs, use_cache=True, **_logit_options(model, 1))
    # By so many positions images made the next token come earlier (below 0) than its number.
    shift = getattr(model.base_model, "rope_deltas", None) if image_inputs else None
    position = len(ids) + (0 if shift is None else int(shift.flatten()[0]))
    return CachedPrefix(output.past_key_values, len(ids), position)


def next_token_log_probs(
    model: Any, prefix: CachedPrefix, texts: Sequence[Ids]
) -> list[torch.Tensor]:
    """Return for each text the log-probabilities of the token after it, shape (tokens,).

    No text may be empty.
    """
    places = [[len(text) - 1] for text in texts]
    return [logs[0] for logs in _log_probs(model, prefix, texts, places)]


def likelihoods(
    model: Any, prefix: CachedPrefix, pairs: Sequence[tuple[Ids, Ids]], ends: Collection[int]
) -> list[float]:
    """Return for each text and its answer the log-probability of that answer and of its end.

    The end is any of `ends`.
    """
    import torch

    texts = [[*text, *answer] for text, answer in pairs]
    places = [list(range(len(text) - 1, len(text) + len(answer))) for text, answer in pairs]
    sums = []
    for (_, answer), logs in zip(pairs, _log_probs(model, prefix, texts, places), strict=True):
        answer_log_prob = logs[range(len(answer)), list(answer)].sum()
        end_log_prob = torch.logsumexp(logs[-1, sorted(ends)], dim=-1)
        sums.append(float(answer_log_prob + end_log_prob))
    return sums


def generate(
    model: Any,
    prefix: CachedPrefix,
    text: Ids,
    ends: Collection[int],
    most: int,
    *,
    draw: TokenSampler,
    tell: Callable[[int], None],
) -> tuple[list[int], bool]:
    """Return the tokens after a text, and whether they were broken off at `most`.

    The text is not empty; `tell` hears the number of tokens.
    """
    import torch

    cache = deepcopy(prefix.cache)
    position = prefix.position
    following = list(text)
    generated = list[int]()
    while len(generated) < most:
        ids = torch.tensor([following], device=model.device)
        output = model(
            input_ids=ids,
            position_ids=_positions(ids, position),
            past_key_values=cache,
            use_cache=True,
            **_logit_options(model, 1),
        )
        cache = output.past_key_values
        position += len(following)
        token = draw(output.logits[0, -1].float())
        if token in ends:
            return generated, False
        generated.append(token)
        following = [token]
        tell(len(generated))
    return generated, True


def likeliest(scores: torch.Tensor) -> int:
    """Return the token with the highest score; of equals the first."""
    return int(scores.argmax())


def make_sampler(temperature: float, seed: int | None) -> TokenSampler:
    """Return what draws tokens at a temperature above 0; with the same seed the same ones."""
    import torch

    generator = torch.Generator()
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed)
    return lambda scores: int(
        torch.multinomial((scores.cpu() / temperature).softmax(-1), 1, generator=generator)
    )


def common_length(texts: Sequence[Ids]) -> int:
    """Return how many tokens all the texts begin with alike."""
    return sum(
        1 for _ in takewhile(lambda tokens: len(set(tokens)) == 1, zip(*texts, strict=False))
    )


def pad_right(rows: Sequence[Ids], device: Any) -> torch.Tensor:
    """Return rows of one length, each padded with its last number, where nothing can see it."""
    import torch

    longest = max(map(len, rows))
    return torch.tensor([[*row, *[row[-1]] * (longest - len(row))] for row in rows], device=device)


# --- one call of the model ---


def _log_probs(
    model: Any, prefix: CachedPrefix, texts: Sequence[Ids], places: Sequence[Sequence[int]]
) -> list[torch.Tensor]:
    """Return for each text the log-probabilities at some places, shape (places, tokens)."""
    layers = [] if prefix.cache is None else prefix.cache.layers
    # The states of linear attention cannot be repeated for several texts.
    size = BATCH if all(hasattr(layer, "batch_repeat_interleave") for layer in layers) else 1
    logs: list[torch.Tensor] = []
    for start in range(0, len(texts), size):
        batch = slice(start, start + size)
        logs.extend(_batch_log_probs(model, prefix, texts[batch], places[batch]))
    return logs


def _batch_log_probs(
    model: Any, prefix: CachedPrefix, texts: Sequence[Ids], places: Sequence[Sequence[int]]
) -> list[torch.Tensor]:
    import torch

    ids = pad_right(texts, model.device)
    needed = sorted({place for places_of_text in places for place in places_of_text})
    options = _logit_options(model, torch.tensor(needed, device=model.device))
    cache = deepcopy(prefix.cache)
    if cache is not None and len(texts) > 1:
        cache.batch_repeat_interleave(len(texts))
    logits = model(
        input_ids=ids,
        position_ids=_positions(ids, prefix.position),
        past_key_values=cache,
        use_cache=True,
        **options,
    ).logits
    columns = needed if options else range(ids.shape[1])
    return [
        logits[n, [columns.index(place) for place in places_of_text]].float().log_softmax(-1)
        for n, places_of_text in enumerate(places)
    ]


def _positions(ids: torch.Tensor, start: int) -> torch.Tensor:
    """Return the positions of tokens, shape (texts, tokens), from `start` on."""
    import torch

    return torch.arange(start, start + ids.shape[1], device=ids.device).expand(ids.shape)


def _fit_length(values: torch.Tensor, length: int) -> torch.Tensor:
    """Return what goes with the first `length` tokens of a text, (1, length).

    What is missing stands for text, and no image: 0.
    """
    import torch

    return torch.nn.functional.pad(values[:, :length], (0, max(0, length - values.shape[1])))


def _logit_options(model: Any, logits: Any) -> dict[str, Any]:
    """Return which scores are needed, for models that can leave out the others."""
    takes_it = "logits_to_keep" in signature(model.forward).parameters
    return {"logits_to_keep": logits} if takes_it else {}
