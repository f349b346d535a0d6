"""The tokenizers keep the words of their texts whole and spell out any other."""

import random

from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training import vision
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage
from hallascope.primer import scenes


def test_known_words_are_one_token_each_and_any_other_text_is_spelled_out(
    labeled_pictures: list[LabeledImage],
) -> None:
    texts = vision.vocabulary([one.drawn for one in labeled_pictures])
    tokenizer = words.make_tokenizer(texts)
    assert tokenizer.get_vocab() == words.make_tokenizer(reversed(texts)).get_vocab()
    assert tokenizer.tokenize("Two tulips, the wing covers") == [
        "two</w>",
        "tulips</w>",
        ",</w>",
        "the</w>",
        "wing</w>",
        "covers</w>",
    ]
    assert tokenizer.eos_token not in tokenizer.tokenize("zyxwv 42 Großbär")
    assert words.as_tokens(tokenizer, ["a ladybug", "a"]).shape == (2, 4)


def test_every_word_of_the_grammar_is_one_token_and_another_is_spelled() -> None:
    tokenizer = words.make_caption_tokenizer(["a drawing of a ladybug."])
    chance = random.Random(2)
    for prompt in ("A ladybug.", *(scenes.sample_prompt(chance) for _ in range(50))):
        expected = [f"▁{word}" for word in prompt.lower().rstrip(".").split()]
        pieces = tokenizer.convert_ids_to_tokens(tokenizer(prompt.lower())["input_ids"])
        assert pieces[: len(expected)] == expected
    strange = tokenizer.convert_ids_to_tokens(tokenizer("zygote")["input_ids"])
    assert "<unk>" not in strange
    assert len(strange) > 3


def test_captions_have_one_length_and_padding_behind_them() -> None:
    tokenizer = words.make_caption_tokenizer(["a drawing of a ladybug."])
    tokens = words.as_caption_tokens(tokenizer, [" A Ladybug ", "", "a " * 100])
    assert tokens.shape == (3, words.TOKENS)
    assert (tokens != 0).sum(1).tolist() == [3, 1, words.TOKENS]
    assert tokens[1, 0] == tokens[0, 2] == tokenizer.eos_token_id
