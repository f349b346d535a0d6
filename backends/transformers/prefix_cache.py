"""Continues from a beginning that several texts share, which is read once.

It is kept as the states of a causal language model.

What follows the beginning is scored in batches, or continued word by word. It knows token ids, and
no text and no picture.
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
TOGETHER = 16  # texts that go through the model at once
TokenSampler = Callable[
    ["torch.Tensor"], int
]  # from the scores of all tokens, shape (tokens,), to one of them


@dataclass(frozen=True)
class CachedPrefix:
    """The states of what was read (`cache`.

    None: nothing), how many tokens that is, and the position of the token that follows.

    A picture may take fewer positions than tokens (the rotary positions of Qwen-VL have three
    axes).
    """

    cache: Any = None
    length: int = 0
    position: int = 0


def begin(model: Any, inputs: Mapping[str, Any], ids: Ids) -> CachedPrefix:
    """Read a beginning.

    `inputs` are those of the processor for one text that begins with it, with its pictures; `ids`
    its tokens.
    """
    import torch

    if not ids:
        return CachedPrefix()
    aligned = {
        name: value for name, value in inputs.items() if value.shape == inputs["input_ids"].shape
    }
    shown = {name: value for name, value in inputs.items() if name not in aligned}
    parts = {name: _fitted(value, len(ids)) for name, value in aligned.items()}
    parts |= {
        "input_ids": torch.tensor([list(ids)], device=model.device),
        "attention_mask": torch.ones(1, len(ids), device=model.device),
    }
    read = model(**shown, **parts, use_cache=True, **_logit_options(model, 1))
    return CachedPrefix(read.past_key_values, len(ids), len(ids) + _shift(model, bool(shown)))


def next_token_log_probs(
    model: Any, begun: CachedPrefix, texts: Sequence[Ids]
) -> list[torch.Tensor]:
    """Return for each text the log-probabilities of the token after it, shape (tokens,).

    No text may be empty.
    """
    return [
        scores[0] for scores in _scores(model, begun, texts, [[len(text) - 1] for text in texts])
    ]


def likelihoods(
    model: Any, begun: CachedPrefix, pairs: Sequence[tuple[Ids, Ids]], ends: Collection[int]
) -> list[float]:
    """Return for each text and its answer the log-probability of that answer and of its end.

    The end is any of `ends`.
    """
    import torch

    places = [list(range(len(text) - 1, len(text) + len(answer))) for text, answer in pairs]
    found = []
    for (_, answer), scores in zip(
        pairs, _scores(model, begun, [[*t, *a] for t, a in pairs], places), strict=True
    ):
        said = scores[range(len(answer)), list(answer)].sum()
        found.append(float(said + torch.logsumexp(scores[-1, sorted(ends)], dim=-1)))
    return found


def say(
    model: Any,
    begun: CachedPrefix,
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

    cache = deepcopy(begun.cache)
    following = list(text)
    position = begun.position
    said = list[int]()
    while len(said) < most:
        ids = torch.tensor([following], device=model.device)
        read = model(
            input_ids=ids,
            position_ids=_places(ids, position),
            past_key_values=cache,
            use_cache=True,
            **_logit_options(model, 1),
        )
        cache = read.past_key_values
        position = position + len(following)
        token = draw(read.logits[0, -1].float())
        if token in ends:
            return said, False
        said.append(token)
        following = [token]
        tell(len(said))
    return said, True


def likeliest(scores: torch.Tensor) -> int:
    """The token with the highest score; of equals the first."""
    return int(scores.argmax())


def make_sampler(temperature: float, seed: int | None) -> TokenSampler:
    """Draws tokens at a temperature above 0; with the same seed the same ones."""
    import torch

    chance = torch.Generator()
    if seed is None:
        chance.seed()
    else:
        chance.manual_seed(seed)
    return lambda scores: int(
        torch.multinomial((scores.cpu() / temperature).softmax(-1), 1, generator=chance)
    )


def common(texts: Sequence[Ids]) -> int:
    """How many tokens all the texts begin with alike."""
    return sum(
        1 for _ in takewhile(lambda tokens: len(set(tokens)) == 1, zip(*texts, strict=False))
    )


# --- one call of the model
# ---------------------------------------------------------------------------------------------


def _scores(
    model: Any, begun: CachedPrefix, texts: Sequence[Ids], places: Sequence[Sequence[int]]
) -> list[torch.Tensor]:
    """Return for each text the log-probabilities at some places, shape (places, tokens)."""
    together = TOGETHER if _repeats(begun.cache) else 1
    found: list[torch.Tensor] = []
    for start in range(0, len(texts), together):
        chosen = slice(start, start + together)
        found.extend(_batch(model, begun, texts[chosen], places[chosen]))
    return found


def _batch(
    model: Any, begun: CachedPrefix, texts: Sequence[Ids], places: Sequence[Sequence[int]]
) -> list[torch.Tensor]:
    """The texts are filled up on the right, where nothing that comes before can see it."""
    import torch

    longest = max(map(len, texts))
    ids = torch.tensor(
        [[*text, *[text[-1]] * (longest - len(text))] for text in texts], device=model.device
    )
    wanted = sorted({place for each in places for place in each})
    kept = _logit_options(model, torch.tensor(wanted, device=model.device))
    read = model(
        input_ids=ids,
        position_ids=_places(ids, begun.position),
        past_key_values=_repeated(begun.cache, len(texts)),
        use_cache=True,
        **kept,
    ).logits
    rows = wanted if kept else range(longest)
    return [
        read[n, [rows.index(place) for place in each]].float().log_softmax(-1)
        for n, each in enumerate(places)
    ]


def _repeated(cache: Any, times: int) -> Any:
    """The states for so many texts at once; those that were read stay as they are."""
    copied = deepcopy(cache)
    if copied is not None and times > 1:
        copied.batch_repeat_interleave(times)
    return copied


def _repeats(cache: Any) -> bool:
    """Whether the states can be had several times: those of linear attention cannot."""
    return cache is None or all(hasattr(layer, "batch_repeat_interleave") for layer in cache.layers)


def _places(ids: torch.Tensor, start: int) -> torch.Tensor:
    """The positions of tokens, shape (texts, tokens), from `start` on."""
    import torch

    return torch.arange(start, start + ids.shape[1], device=ids.device).expand(ids.shape)


def _shift(model: Any, shown: bool) -> int:
    """By how many positions pictures made the next token come earlier (below 0) than its number."""
    shift = getattr(model.base_model, "rope_deltas", None) if shown else None
    return 0 if shift is None else int(shift.flatten()[0])


def _fitted(values: torch.Tensor, length: int) -> torch.Tensor:
    """What goes with the tokens of a whole text, of its first `length` alone.

    What it lacks is text, and no picture: 0.
    """
    import torch

    return torch.nn.functional.pad(values[:, :length], (0, max(0, length - values.shape[1])))


def _logit_options(model: Any, logits: Any) -> dict[str, Any]:
    """Which scores are wanted, for models that can leave out the others."""
    return (
        {"logits_to_keep": logits}
        if "logits_to_keep" in signature(model.forward).parameters
        else {}
    )
