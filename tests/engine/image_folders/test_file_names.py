"""Names of files are read as they were written, and others are refused."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hallascope.engine.image_folders.file_names import (
    LARGEST_SEED,
    NumberedName,
    PromptedName,
    parse_numbered_name,
    parse_prompted_name,
    parse_seed,
    prompt_key,
)

PROMPTS = st.text(min_size=1, max_size=80).filter(lambda text: bool(text.split()))


@given(PROMPTS, st.integers(0, 999_999_999))
def test_a_prompt_with_its_number_is_read_as_it_was_written(prompt: str, number: int) -> None:
    expected = PromptedName(" ".join(prompt.split()), number)
    assert parse_prompted_name(f"{prompt}_{number:06d}") == expected


@given(PROMPTS, st.integers(0, 99_999))
def test_a_number_of_fewer_than_six_digits_is_none(prompt: str, number: int) -> None:
    assume(not prompt.endswith("_"))
    assert parse_prompted_name(f"{prompt}_{number}") is None


@pytest.mark.parametrize("stem", ["", "_000001", "   _000001", "a cat", "a cat-000001", "000001"])
def test_a_name_without_a_prompt_or_a_number_is_refused(stem: str) -> None:
    assert parse_prompted_name(stem) is None


@given(st.integers(0, 999_999_999), st.integers(0, 999), st.sampled_from("_-"))
def test_a_row_and_a_sample_are_read_as_they_were_written(row: int, sample: int, sign: str) -> None:
    assert parse_numbered_name(f"{row}") == NumberedName(row, 0)
    assert parse_numbered_name(f"{row:09d}{sign}{sample}") == NumberedName(row, sample)


@given(st.text(max_size=12))
def test_any_name_is_read_or_refused(stem: str) -> None:
    numbered = parse_numbered_name(stem)
    assert numbered is None or (numbered.row >= 0 and stem[0] in "0123456789")
    prompted = parse_prompted_name(stem)
    assert prompted is None or stem.rpartition("_")[2].isdigit()


@given(st.integers(0, LARGEST_SEED))
def test_a_seed_is_read(seed: int) -> None:
    assert parse_seed(f" {seed} ") == seed


@pytest.mark.parametrize("text", ["", "-1", "1.0", "1e3", "²", "٣", "one", str(LARGEST_SEED + 1)])
def test_what_is_no_seed_is_none(text: str) -> None:
    assert parse_seed(text) is None


@given(st.text(alphabet=st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1))
def test_signs_that_names_of_files_lack_do_not_matter(word: str) -> None:
    assert prompt_key(f"A {word}: red/blue?") == prompt_key(f"a_{word}  red blue.")
