"""Makes the tokenizers of the vision models (stock CLIP) and of the diffusion models (stock T5).

They hold every known word whole and spell out any other.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tokenizers.pre_tokenizers import ByteLevel
from torch import Tensor
from transformers import CLIPTokenizer, T5Tokenizer

from hallascope.backends.embedded.training.dataset import corpus
from hallascope.primer import scenes
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS

START = "<|startoftext|>"
END = "<|endoftext|>"
# The most tokens of a phrase or caption.
TOKENS = 32
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


def as_tokens(tokenizer: CLIPTokenizer, texts: list[str], padding: str = "longest") -> Tensor:
    """Return texts as token numbers (N, L), no longer than the longest of them.

    With `padding` "max_length" L is TOKENS.
    """
    tokens: Tensor = tokenizer(
        texts, padding=padding, max_length=TOKENS, truncation=True, return_tensors="pt"
    )["input_ids"]
    return tokens


def reset_lengths(tokenizer: CLIPTokenizer) -> CLIPTokenizer:
    """Remove the lengths of the texts it read last, which are not to be saved, and return it."""
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    return tokenizer


# --- captions of the diffusion models ---


def make_caption_tokenizer(captions: Iterable[str]) -> T5Tokenizer:
    """Return a stock T5 tokenizer that knows the words of the captions and the grammar whole.

    Any other word is single characters. Words are in lower case.
    """
    texts = [
        *captions,
        *corpus.OPENINGS,
        *scenes.prompts(),
        *scenes.nouns(),
        *scenes.RELATIONS,
        *NUMBERS,
        *COLORS,
        "and",
    ]
    words = sorted({word.rstrip(".") for text in texts for word in text.lower().split()})
    characters = "abcdefghijklmnopqrstuvwxyz0123456789.,?!'()-/&:"
    more_characters = sorted(set("".join(words)) - set(characters))
    scores = {"<pad>": 0.0, "</s>": 0.0, "<unk>": 0.0, "▁": -2.0}
    scores |= {f"▁{word}": -3.0 for word in words}
    scores |= {c: -9.0 for c in [*characters, *more_characters] if c not in scores}
    # The full stop after a word that is known.
    scores["."] = -4.0
    return T5Tokenizer(vocab=list(scores.items()), extra_ids=0, model_max_length=512)


def as_caption_tokens(tokenizer: T5Tokenizer, captions: Sequence[str]) -> Tensor:
    """Return captions as the pipeline gives them to the text encoder, (N, TOKENS)."""
    texts = [text.lower().strip() for text in captions]
    tokens: Tensor = tokenizer(
        texts, padding="max_length", max_length=TOKENS, truncation=True, return_tensors="pt"
    )["input_ids"]
    return tokens
