"""Keeps what people say of single findings, by what the finding says."""

from collections.abc import Sequence

from hallascope.components.tiles.tile import EXTRA
from hallascope.data.evidence import Finding
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import FINE, RatingSubject, finding_name
from hallascope.pages.shared import run_pictures


def fine_ones(services: Services, prompt: str, evaluation: Evaluation) -> list[int]:
    """Return the indexes of the extras that a person called fine."""
    ratings = services.store.ratings.for_picture(evaluation.image, evaluation.metric, prompt)
    return [
        i
        for i, row in enumerate(_rows(evaluation))
        if row.kind == EXTRA and FINE in ratings.get(finding_name(row), {}).values()
    ]


def rate(
    services: Services, run: str, key: str, metric: str, about: str, *, value: str | None
) -> None:
    """Keep that a person calls a finding fine (None: no longer).

    `about` is its key in the viewer, such as ``finding=3``. Raises UnknownRun, or BadRequest where
    there is no such finding.
    """
    view = services.view(run)
    image = run_pictures.find_picture(view, key)
    evaluation = (
        next(iter(run_pictures.evaluations_of(view, image, metric)), None) if image else None
    )
    row = _find_extra(_rows(evaluation), about) if evaluation else None
    if evaluation is None or row is None:
        raise BadRequest(f"There is no {about!r} of this image to speak of: open the image again.")
    subject = RatingSubject(evaluation.image, metric, view.request.prompt, finding_name(row))
    if value == FINE:
        services.store.ratings.keep(subject, FINE)
    else:
        services.store.ratings.remove(subject)


def _rows(evaluation: Evaluation) -> Sequence[Finding]:
    return evaluation.report.evidence.findings if evaluation.report.evidence else ()


def _find_extra(findings: Sequence[Finding], about: str) -> Finding | None:
    """Return the extra that a key of the viewer names; None for other findings."""
    kind, _, number = about.partition("=")
    index = int(number) - 1 if kind == "finding" and number.isascii() and number.isdecimal() else -1
    return findings[index] if 0 <= index < len(findings) and findings[index].kind == EXTRA else None
