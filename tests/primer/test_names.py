"""The vocabulary that ships is the one that Primer exports."""

from hallascope.data.lexicon import VOCABULARIES
from hallascope.primer.names import names_csv


def test_the_vocabulary_of_primer_is_what_primer_exports() -> None:
    assert (VOCABULARIES / "primer.csv").read_text(encoding="utf-8") == names_csv()
