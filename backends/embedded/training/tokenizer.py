"""Makes the tokenizer of the vision models, a stock CLIP one with every known word whole.

It spells out any other word.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from tokenizers.pre_tokenizers import ByteLevel
from torch import Tensor
from transformers import CLIPTokenizer

START = "<|startoftext|>"
END = "<|endoftext|>"
TOKENS = 32  # of a phrase or caption at most
_LETTERS = re.compile(r"[^\W\d_]+")


def make_tokenizer(texts: Iterable[str]) -> CLIPTokenizer:
    """Merge byte pairs until every word of the texts is one token, always in the same way."""
    words = sorted(
        {word for text in texts for word in _LETTERS.findall(text.lower()) if word.isascii()}
    )
    letters = sorted(ByteLevel.alphabet())
    merges = _learn_merges([[*word[:-1], f"{word[-1]}</w>"] for word in words])
    tokens = dict.fromkeys(
        [
            START,
            END,
            *letters,
            *(f"{letter}</w>" for letter in letters),
            *("".join(pair) for pair in merges),
        ]
    )
    vocabulary = {token: number for number, token in enumerate(tokens)}
    return CLIPTokenizer(vocab=vocabulary, merges=merges, model_max_length=TOKENS)


def _learn_merges(words: list[list[str]]) -> list[tuple[str, str]]:
    """Return pairs in the order of merging: the most frequent first, equal ones by the alphabet."""
    merges = []
    counts = Counter(pair for word in words for pair in pairwise(word))
    while counts:
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        for i, word in enumerate(words):
            if best in pairwise(word):
                words[i] = _merge(word, best)
                counts.subtract(pairwise(word))
                counts.update(pairwise(words[i]))
        counts = +counts
    return merges


def _merge(word: list[str], pair: tuple[str, str]) -> list[str]:
    pieces: list[str] = []
    for piece in word:
        if pieces and (pieces[-1], piece) == pair:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def as_tokens(tokenizer: CLIPTokenizer, texts: list[str]) -> Tensor:
    """Return texts as token numbers (N, L), no longer than the longest of them."""
    tokens: Tensor = tokenizer(
        texts, padding="longest", max_length=TOKENS, truncation=True, return_tensors="pt"
    )["input_ids"]
    return tokens


def reset_lengths(tokenizer: CLIPTokenizer) -> CLIPTokenizer:
    """Remove the lengths of the texts it read last, which are not to be saved, and return it."""
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    return tokenizer
