"""The panel shows the words of a prompt and a chip for each thing that it asks for."""

import json
import re
from dataclasses import replace

from hallascope.components.readings.panel import NOTHING_NAMED, reading_html
from hallascope.data.prompt_reading import (
    AskedAttribute,
    AskedObject,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
)

READING = PromptReading(
    prompt="two red cats, no dog, a sign that says GO, oil painting",
    objects=(
        AskedObject(
            id="o1",
            name="cat",
            spans=((8, 12),),
            count=Count.exactly(2),
            count_spans=((0, 3),),
            attributes=(AskedAttribute("red", ((4, 7),)),),
        ),
        AskedObject(id="o2", name="dog", spans=((17, 20),), absent=True),
    ),
    texts=(AskedText("GO", (39, 41)),),
    style=(StyleWords("oil painting", (43, 55)),),
)


def test_a_chip_and_its_words_in_the_prompt_have_the_same_key() -> None:
    html = reading_html(READING)
    keys = re.findall(r"data-keys=\"\[&#34;(\S+?)&#34;\]\"", html)
    assert sorted(keys) == sorted(2 * [f"asked={number}" for number in range(1, 6)])
    assert html.count('class="word plain"') == 5


def test_a_chip_says_what_it_is_in_the_reading() -> None:
    html = reading_html(READING)
    chips = [
        json.loads(chip.replace("&#34;", '"')) for chip in re.findall(r'data-chip="(.*?)"', html)
    ]
    assert chips[1:4] == [
        {"element": "count", "item": "o1", "words": "two"},
        {"element": "attribute", "item": "o1", "words": "red"},
        {"element": "absent", "item": "o2", "words": "no dog"},
    ]
    assert html.count('tabindex="0"') == 1, "the chips are one stop of the Tab key"


def test_style_and_translation_are_shown_and_are_no_chips() -> None:
    assert "Style, not evaluated: oil painting" in reading_html(READING)
    german = PromptReading(
        prompt="eine Katze",
        objects=(AskedObject(id="o1", name="cat", spans=((2, 5),)),),
        language="de",
        translation="a cat",
        source="model",
    )
    html = reading_html(german)
    assert "In English" in html
    assert "read by a language model" in html


def test_who_corrected_it_is_said_with_the_way_back() -> None:
    authored = replace(READING, source="person", author="Ada <b>")
    assert "Corrected by Ada &lt;b&gt;" in reading_html(authored)
    assert "Use what the rules read" in reading_html(authored)
    assert "Use the correction of Bo" in reading_html(authored, "Bo")
    assert "Use what the rules read" not in reading_html(READING)


def test_where_nothing_is_read_one_sentence_stands_and_things_can_be_added() -> None:
    for reading, sentence in (
        (PromptReading(prompt="of the"), NOTHING_NAMED),
        (
            PromptReading(prompt="x", unreadable="It is <not> English."),
            "It is &lt;not&gt; English.",
        ),
    ):
        html = reading_html(reading)
        assert sentence in html
        assert html.count("data-add=") == 3
        assert "asked-chip" not in html
        assert ("read by rules" in html) == (not reading.unreadable)


def test_a_doubtful_reading_of_the_rules_says_so_until_a_person_corrects_it() -> None:
    doubtful = replace(READING, confidence=0.5, unread=((24, 28),))
    assert "may be read wrong" in reading_html(doubtful)
    assert "may be read wrong" not in reading_html(READING)
    assert "may be read wrong" not in reading_html(replace(doubtful, source="person"))
