"""What is plainly no English is told so and gets no score.

No English prompt is, names, misspellings and quoted words included.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.readings.gold_readings import gold_readings
from hallascope.data.records import Picture
from hallascope.metrics import get
from hallascope.metrics.base import Case, run
from hallascope.metrics.parsing.rules.noun_phrases.known_names import vocabulary
from hallascope.metrics.parsing.words.english import is_english, is_gibberish, not_english_reason
from hallascope.primer import scenes

FOREIGN = (
    *(
        "ein roter Kreis über einem blauen Quadrat",
        "un pingouin dans la neige",
        "un círculo rojo encima de un cuadrado azul",
    ),
    *(
        "uma molécula de metano",
        "il gatto nero",
        "een pinguïn in de sneeuw",
        "trzy czerwone koła",
        "en pingvin i snön",
    ),
    *("kolme punaista ympyrää", "bir kırmızı daire", "dos tulipanes rojos"),
    *(
        "пингвин на снегу",
        "メタンの分子",
        "雪の中のペンギン",
        "빨간 원",
        "ένας πιγκουίνος",
        "פינגווין בשלג",
        "बर्फ में पेंगुइन",
    ),
)
ENGLISH = (
    *(
        "a red cat on a skateboard",
        "The blue water bottle was on top of the red backpack.",
        "four cars on the street",
        "Wdinow ofr a hosue",
    ),
    *(
        (
            "an oil painting of a couple in formal evening wear going home get caught in a heavy"
            " downpour"
        ),
        "comb-pattern pottery, 8000 BCE",
    ),
    *(
        "A storefront with 'Bonjour, ça va' written on it",
        "a sign that says “Ich liebe dich”",
        "Kkakdugi jjigae",
        "La Sagrada Familia, golden hour",
    ),
    *(
        "Pikachu Charizard Bulbasaur",
        "a crème brûlée beside a café au lait",
        "a woman in a hanbok at Gyeongbokgung",
        "hedgehog",
        "São Paulo",
        "",
        "42",
    ),
    *(
        "cyberpunk samurai, neon, 8k, octane render, trending on artstation",
        "dslr photo, bokeh",
        "Jentacular",
        "El Capitan at sunset",
    ),
    *(
        "Los Angeles skyline",
        "Rio de Janeiro",
        "Leonardo da Vinci",
        "Vincent van Gogh",
        "chili con carne",
        "aurora borealis",
        "neko girl",
    ),
)


@pytest.mark.parametrize("prompt", FOREIGN)
def test_another_language_is_told(prompt: str) -> None:
    assert not is_english(prompt)


@pytest.mark.parametrize("prompt", ENGLISH)
def test_english_is_never_refused(prompt: str) -> None:
    assert is_english(prompt)


def test_no_prompt_of_the_primer_world_and_no_name_of_a_thing_is_refused() -> None:
    prompts = (*scenes.benchmark(500), *scenes.nouns(), *vocabulary("general"))
    assert [prompt for prompt in prompts if not is_english(prompt)] == []


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(prompt: str) -> None:
    assert is_english(prompt) in (True, False)


@pytest.mark.parametrize("name", ["fig", "scene-graph", "caption-ablation", "tifa"])
@pytest.mark.parametrize("prompt", FOREIGN[:2])
def test_a_prompt_in_another_language_has_no_score_and_one_sentence(name: str, prompt: str) -> None:
    case = Case(prompt=prompt, image=Picture("0" * 64, Path("none.png")))
    report = run(get(name).plan(case), [])
    assert report.score.value is None
    assert report.score.counted == 0
    assert report.score.left_out > 0
    said = [*(verdict.failure or "" for verdict in report.verdicts)]
    if report.evidence:
        said += [finding.note for finding in report.evidence.findings] or report.evidence.notes
    assert all(
        "does not read as English" in sentence and "write it in English" in sentence
        for sentence in said
    )
    assert said


def test_with_a_writer_the_questions_of_tifa_may_be_in_any_language() -> None:
    plan = get("tifa").plan(
        Case(
            prompt=FOREIGN[0],
            image=Picture("0" * 64, Path("none.png")),
            roles=frozenset({"writer"}),
        )
    )
    assert next(plan), "the writer is asked"


@pytest.mark.parametrize(
    "prompt",
    [
        "gato negro",
        "un gato negro",
        "kırmızı araba",
        "ein Hund",
        "krasnaya mashina",
        "perro grande",
        "gato",
        "Mann mit Hut",
        "fleurs rouges",
        "montaña nevada",
        "sol y luna",
        "Haus am See",
        "mulher sorrindo",
        "yaşlı adam",
        "twee fietsen",
        "árbol verde",
    ],
)
def test_a_short_prompt_in_another_language_is_not_english(prompt: str) -> None:
    assert not is_english(prompt)


@pytest.mark.parametrize("prompt", ["asdf qwer zxcv", "lkjh gfdsx mnbvc poiuzt"])
def test_what_has_no_words_is_gibberish(prompt: str) -> None:
    assert is_gibberish(prompt)
    assert "no words that FiG knows" in not_english_reason(prompt, "FiG")


@pytest.mark.parametrize(
    "prompt", ["a rde carr and a blu bal", "cat", "Xyzzy Plugh", "red", "a dgo on teh grass"]
)
def test_misspelled_words_and_names_are_no_gibberish(prompt: str) -> None:
    assert not is_gibberish(prompt)


def test_no_prompt_that_a_person_wrote_in_english_is_refused() -> None:
    prompts = [
        reading.prompt
        for reading in gold_readings("development")
        if reading.language == "en" and not reading.unreadable
    ]
    assert [prompt for prompt in prompts if not_english_reason(prompt, "FiG")] == []
