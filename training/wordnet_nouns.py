"""Writes ``nouns.txt.gz`` from the noun files of WordNet 3.0 (Debian's package ``wordnet-base``).

``python -m training.wordnet_nouns /usr/share/wordnet``
"""

import gzip
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

NOUNS = Path(__file__).parents[1] / "data" / "wordnet" / "nouns.txt.gz"
# senses of a noun beyond these are rare
SENSES = 3
_MOST_WORDS = 3


@dataclass
class Synset:
    """A set of nouns with one meaning; `parent` is the first synset that it is a kind of."""

    words: list[str]
    parent: str | None
    children: list[str] = field(default_factory=list)


def read_synsets(folder: Path) -> dict[str, Synset]:
    """Return the synsets of ``data.noun`` by their offsets, without instances (names of one).

    The format is that of wndb(5WN).
    """
    synsets: dict[str, Synset] = {}
    for line in _entries(folder / "data.noun"):
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * at].replace("_", " ") for at in range(count)]
        pointers = fields[5 + 2 * count :]
        targets = {pointers[at]: pointers[at + 1] for at in range(len(pointers) - 4, -1, -4)}
        if "@i" not in targets:
            synsets[fields[0]] = Synset(words, targets.get("@"))
    for offset, synset in synsets.items():
        if synset.parent in synsets:
            synsets[synset.parent].children.append(offset)
    return synsets


def read_sense_numbers(folder: Path) -> Mapping[str, Mapping[str, int]]:
    """Return for each noun of ``index.noun`` its synsets with the number of the sense, from 1."""
    senses: dict[str, Mapping[str, int]] = {}
    for line in _entries(folder / "index.noun"):
        fields = line.split()
        offsets = fields[-int(fields[2]) :]
        senses[fields[0].replace("_", " ")] = {
            offset: number for number, offset in enumerate(offsets, 1)
        }
    return senses


def tree_lines(
    synsets: Mapping[str, Synset], senses: Mapping[str, Mapping[str, int]]
) -> Iterator[str]:
    """Yield a line for each synset, its depth and its nouns, those that it is a kind of before it.

    A noun has the number of its sense behind it, but in its first. Proper names, names with digits
    and rare senses are left out, and synsets in which nothing is left, with all below them.
    """
    roots = [offset for offset, synset in synsets.items() if synset.parent not in synsets]
    for root in roots:
        yield from _branch_lines(root, 0, synsets, senses)


def _branch_lines(
    offset: str,
    depth: int,
    synsets: Mapping[str, Synset],
    senses: Mapping[str, Mapping[str, int]],
) -> Iterator[str]:
    synset = synsets[offset]
    nouns = []
    for word in synset.words:
        number = senses.get(word, {}).get(offset, SENSES + 1)
        if number <= SENSES and _is_plain(word):
            nouns.append(word if number == 1 else f"{word}{number}")
    below = [
        line
        for child in synset.children
        for line in _branch_lines(child, depth + 1, synsets, senses)
    ]
    if nouns or below:
        yield f"{depth} {', '.join(nouns)}".rstrip()
        yield from below


def _is_plain(word: str) -> bool:
    letters = word.replace(" ", "").replace("-", "")
    return letters.isalpha() and word.islower() and word.count(" ") < _MOST_WORDS


def _entries(path: Path) -> Iterator[str]:
    """Yield the lines of a file without its license, whose lines begin with two spaces."""
    with path.open(encoding="utf-8") as stream:
        yield from (line for line in stream if not line.startswith("  "))


def main(folder: Path) -> None:
    """Write ``nouns.txt.gz``."""
    lines = tree_lines(read_synsets(folder), read_sense_numbers(folder))
    text = "".join(f"{line}\n" for line in lines)
    # without a time, so that the same dictionary is the same file
    NOUNS.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
