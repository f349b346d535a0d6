"""What people say of single findings: kept by what the finding says, shown beside the score.

Tested without Gradio.
"""

from collections.abc import Sequence

from hallascope.components.cards.cards import EXTRA
from hallascope.data.evidence import Finding
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation
from hallascope.engine.services import Services
from hallascope.engine.storage.ratings import FINE, RatingSubject, name
from hallascope.pages.shared import run_progress


def fine_ones(services: Services, prompt: str, said: Evaluation) -> list[int]:
    """What nobody asked for and a person called fine, by index of the finding."""
    kept = services.store.ratings.for_picture(said.image, said.metric, prompt)
    return [
        i
        for i, row in enumerate(_rows(said))
        if row.kind == EXTRA and FINE in kept.get(name(row), {}).values()
    ]


def rate(
    services: Services, run: str, key: str, metric: str, about: str, *, value: str | None
) -> None:
    """Keep that a person calls a finding fine (None: no longer).

    `about` is its key in the viewer, such as ``finding=3``.

    Raises UnknownRun, or BadRequest where there is no such finding.
    """
    view = services.view(run)
    shot = run_progress.find_picture(view, key)
    said = next(iter(run_progress.evaluations_of(view, shot, metric)), None) if shot else None
    row = _meant(_rows(said), about) if said else None
    if said is None or row is None:
        raise BadRequest(
            f"There is no {about!r} of this picture to speak of: open the picture anew."
        )
    whom = RatingSubject(said.image, metric, view.request.prompt, name(row))
    if value == FINE:
        services.store.ratings.keep(whom, FINE)
    else:
        services.store.ratings.remove(whom)


def _rows(said: Evaluation) -> Sequence[Finding]:
    return said.report.evidence.findings if said.report.evidence else ()


def _meant(found: Sequence[Finding], about: str) -> Finding | None:
    """Only of what nobody asked for can a person say that it is fine."""
    kind, _, number = about.partition("=")
    index = int(number) - 1 if kind == "finding" and number.isascii() and number.isdecimal() else -1
    return found[index] if 0 <= index < len(found) and found[index].kind == EXTRA else None
