"""Any text is read without an error, and every place says its words."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hallascope.metrics.parsing.parsed import Parsed
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.words.language import wordset


def consistent(text: str, found: Parsed) -> None:
    """Every place lies in the text and says the word."""
    for phrase in found.phrases:
        assert (
            0
            <= phrase.span[0]
            <= phrase.name_span[0]
            < phrase.name_span[1]
            <= phrase.span[1]
            <= len(text)
        )
        for word in phrase.modifiers:
            assert "".join(text[slice(*word.span)].split()).lower() == word.text
        assert (phrase.count_span is None) == (phrase.number is None)
        assert phrase.name
        assert phrase.lemmas
    for place in found.positions:
        assert text[slice(*place.span)].strip()
        assert place.subject in range(len(found.phrases))
    for quote in found.quotes:
        assert (
            " ".join(text[slice(*quote.span)].split()).lower()
            == " ".join(quote.text.split()).lower()
        )


_WORDS = st.sampled_from(
    [
        *sorted(
            wordset(
                "a the two red blue circle circles dog of on in to left right its it and one is"
                " shows image stack pair like holding"
            )
        ),
        *sorted(wordset("holding black white planet Saturn above next wine glass")),
        *(
            ",",
            ".",
            "(",
            ")",
            ":",
            '"',
            "'",
            "“",
            "”",
            "-",
            "12",
            "1.5",
            "'s",
            "ß",
            "İ",
            "ﬁ",
            "狗",
            "\t",
            "\n",
        ),
    ]
)


@given(st.one_of(st.lists(_WORDS, max_size=30).map(" ".join), st.text(max_size=80)))
@settings(max_examples=60)
@example("İİ TWO RED DOGS")
@example('"a" dog "')
@example("a “ ” glass")
@example("a “ a ” glass")
@example("a “ab” glass")
def test_any_text_is_read_and_its_places_say_the_words(text: str) -> None:
    consistent(text, parse(text))


def test_a_long_text_is_read() -> None:
    text = ("A red dog and two cats sit on a mat of wool. " * 100)[:4_000]
    consistent(text, parse(text))
    assert len(parse(text).things) > 200
