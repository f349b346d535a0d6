"""Holds the concepts of the Primer world: a package for each domain.

It has the facts and the drawings of the domain.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from hallascope.data.records import DOMAINS, Domain
from hallascope.primer.fact_tables import read_concepts
from hallascope.primer.world import Concept, ConceptRenderer


@cache
def concepts() -> tuple[Concept, ...]:
    """Return every concept, in the order of the domains."""
    return tuple(concept for domain in DOMAINS for concept in concepts_of(domain))


@cache
def concepts_of(domain: Domain) -> tuple[Concept, ...]:
    """Return the concepts of a domain, in the order of its `facts.toml`.

    Raise BadFacts where that file is wrong.
    """
    drawings: Mapping[str, ConceptRenderer] = import_module(f"{__name__}.{domain}").DRAWINGS
    return read_concepts(Path(__file__).parent / domain / "facts.toml", domain, drawings)
