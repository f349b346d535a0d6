"""The nouns of a dictionary in WordNet's format become a tree of synsets."""

from pathlib import Path

import pytest

from hallascope.data.wordnet.export import read_sense_numbers, read_synsets, tree_lines

DATA = """  1 This is the license.
00001740 03 n 01 entity 0 001 ~ 00002000 n 0000 | all that is
00002000 05 n 02 dog 0 domestic_dog 0 002 @ 00001740 n 0000 ~ 00003000 n 0000 | a pet
00003000 05 n 02 Rex 0 puppy 0 001 @ 00002000 n 0000 | a young one
00004000 06 n 02 frank 0 dog 1 001 @ 00001740 n 0000 | a sausage
00005000 05 n 01 Lassie 0 001 @i 00002000 n 0000 | a name
00006000 06 n 01 R2-D2 0 001 @ 00001740 n 0000 | has digits
"""
INDEX = """  1 This is the license.
entity n 1 1 ~ 1 1 00001740
dog n 2 2 @ ~ 2 1 00002000 00004000
domestic_dog n 1 1 @ 1 0 00002000
puppy n 1 1 @ 1 1 00003000
frank n 1 1 @ 1 0 00004000
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.noun").write_text(DATA, encoding="utf-8")
    (tmp_path / "index.noun").write_text(INDEX, encoding="utf-8")
    return tmp_path


def test_a_synset_stands_below_what_it_is_a_kind_of(folder: Path) -> None:
    lines = list(tree_lines(read_synsets(folder), read_sense_numbers(folder)))
    assert lines == ["0 entity", "1 dog, domestic dog", "2 puppy", "1 frank, dog2"]


def test_names_of_one_thing_are_no_synsets(folder: Path) -> None:
    assert "00005000" not in read_synsets(folder)
