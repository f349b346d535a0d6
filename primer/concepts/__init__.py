"""Holds the concepts of the Primer world: a folder for each domain.

It has the facts of the domain's concepts, `facts.toml`, and a drawing of each under the key of its
table: an SVG file, a Python file with a function `draw`, or an SVG file with a Python file for what
only code can draw (`data-code`), which may have its places and outlines in a TOML file. `forms.py`
has what several Python files of the domain share.
"""

from functools import cache
from pathlib import Path

from hallascope.data.records import DOMAINS, Domain
from hallascope.primer.fact_tables import read_concepts
from hallascope.primer.world import Concept


@cache
def concepts() -> tuple[Concept, ...]:
    """Return every concept, in the order of the domains."""
    return tuple(concept for domain in DOMAINS for concept in concepts_of(domain))


@cache
def concepts_of(domain: Domain) -> tuple[Concept, ...]:
    """Return the concepts of a domain, in the order of its `facts.toml`.

    Raise BadFacts where that file is wrong.
    """
    file = Path(__file__).parent / domain / "facts.toml"
    return read_concepts(file, domain, f"{__name__}.{domain}")
