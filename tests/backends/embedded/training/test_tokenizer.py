"""The tokenizer of the vision models keeps the words of its texts whole."""

from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training import vision
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage


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
