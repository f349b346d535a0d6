"""Compositions of Primer with known errors, and the evidence of a metric without fault."""

from collections.abc import Callable

from hallascope.data.evidence import Evidence, Finding
from hallascope.primer.benchmark.composition_sampler import compositions
from hallascope.primer.claims import claims
from hallascope.primer.scenes import parse
from hallascope.primer.truth.compositions import Composition, CompositionItem

COMPOSITIONS = tuple(compositions(40))


def faultless_evidence(made: Composition) -> Evidence:
    """What a metric without fault finds: a row for each claim, and one for each kind of thing that
    nobody asked for.
    """
    findings = [
        Finding(
            kind=claim.kind,
            expected=claim.asked,
            observed="",
            state="correct" if claim.holds else "incorrect",
            prompt_spans=claim.spans,
        )
        for claim in claims(made)
    ]
    extras = [error.drawn for error in made.errors if error.kind == "extraneous"]
    return Evidence(
        findings=(
            *findings,
            *(
                Finding(
                    kind="extraneous", expected="", observed=_without_count(said), state="incorrect"
                )
                for said in extras
            ),
        )
    )


def _without_count(said: str) -> str:
    """ "two red stars" is about stars."""
    return said.split(" ", 1)[1]


def changed_evidence(made: Composition, change: Callable[[Finding], Finding | None]) -> Evidence:
    found = (change(finding) for finding in faultless_evidence(made).findings)
    return Evidence(findings=tuple(finding for finding in found if finding))


CIRCLES = Composition(
    0,
    scene := parse("two red circles above a ladybug"),
    (
        (),
        tuple(
            CompositionItem(g.concept, g.colour) for g in parse("a ladybug and a blue star").groups
        ),
    ),
    scene.relation,
)
