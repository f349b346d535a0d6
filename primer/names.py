"""Writes the names of the Primer world as a vocabulary.

Run `python -m hallascope.primer.names > data/vocabularies/primer.csv` to write it anew.
"""

import csv
import io

from hallascope.primer.concepts import concepts
from hallascope.primer.shapes import SHAPES


def names_csv() -> str:
    """Return the vocabulary of Primer as the text of its file.

    Kinds are the domains of its concepts, and shapes.
    """
    rows = [(shape.name, shape.phrase, shape.plural, "shape") for shape in SHAPES]
    rows += [(thing.name, thing.phrase, thing.plural, thing.domain) for thing in concepts()]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("name", "phrase", "plural", "kind"))
    writer.writerows(rows)
    return text.getvalue()


if __name__ == "__main__":
    print(names_csv(), end="")
