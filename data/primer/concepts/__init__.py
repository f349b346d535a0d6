"""The concepts of the Primer world, one package a domain and one file a concept; `concepts()` reads them all, once."""

from functools import cache
from importlib import import_module

from data.primer.world import Concept
from data.records import DOMAINS


@cache
def concepts() -> tuple[Concept, ...]:
    """Every concept, in the order of the domains."""
    return tuple(concept for domain in DOMAINS for concept in import_module(f"data.primer.concepts.{domain}").CONCEPTS)
