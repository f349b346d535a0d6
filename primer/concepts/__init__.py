"""The concepts of the Primer world, one package a domain and one file a concept.

`concepts()` reads them all, once.
"""

from functools import cache
from importlib import import_module

from hallascope.data.records import DOMAINS
from hallascope.primer.world import Concept


@cache
def concepts() -> tuple[Concept, ...]:
    """Every concept, in the order of the domains."""
    return tuple(
        concept
        for domain in DOMAINS
        for concept in import_module(f"hallascope.primer.concepts.{domain}").CONCEPTS
    )
