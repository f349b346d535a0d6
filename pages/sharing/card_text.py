"""Puts what is known of an image and a question into the words of a share card.

A wrong verdict is never shown without a word that it is wrong, where the truth is known; where it
is not known, the card says so.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from hallascope import metrics
from hallascope.components.html.signs import SIGNS
from hallascope.components.html.truth import SOURCES
from hallascope.components.share.card import CardKind, ShareCard
from hallascope.components.tiles.tile import Tile
from hallascope.data import outlines
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.outlines import Polygon
from hallascope.data.records import Verdict
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.folder import HoldsSecret, Secrets
from hallascope.engine.services import Services
from hallascope.metrics.true_answers import TrueAnswer, is_judge_wrong, judge_outcome
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.truths import with_truth
from hallascope.pages.sharing.addresses import IMAGE, CardAddress

_UNKNOWN = "not known"


def share_card(services: Services, address: CardAddress, link: str) -> ShareCard:
    """Return the card of an address. `link`: where the result is found, as the card names it.

    Raises UnknownRun, HoldsSecret where a text holds a key, and BadRequest where the run has no
    such image, question or finding.
    """
    view = services.view(address.run)
    image = next((image for image in view.shots if image.generation == address.image), None)
    if image is None:
        raise BadRequest("The run has no such image: open the run, and share one of its images.")
    tile = with_truth(services, run_pictures.tile(view, image, metric=address.metric))
    created = services.store.run(address.run).created
    about = _about(tile, address.metric, created)
    regions = services.regions(image.image) if image.image else {}
    number = int(address.choice.partition("=")[2] or 0) - 1
    if address.choice == IMAGE:
        card = _image_card(tile, about, link)
    elif address.choice.startswith("question"):
        card = _question_card(tile, number, regions, about, link)
    else:
        card = _finding_card(tile, number, about, link)
    if secret := Secrets().find(f"{card.alt} {card.about}"):
        raise HoldsSecret(f"The card would hold {secret}: take it out of the prompt.")
    return card


# --- one question ---


def _question_card(
    tile: Tile, number: int, regions: Mapping[str, Sequence[Polygon]], about: str, link: str
) -> ShareCard:
    if number >= len(tile.verdicts):
        raise BadRequest("The judge has not answered this question: share one that is answered.")
    verdict = tile.verdicts[number]
    question = verdict.question
    truth = tile.truth(number)
    headline, kind = question_headline(verdict, truth)
    answer = question.choice(verdict.answer) if verdict.answer else "no answer"
    shown = f"{truth.text} ({SOURCES[truth.source]})" if truth else _UNKNOWN
    return ShareCard(
        image=tile.path,
        regions=tuple(shape for part in question.regions for shape in regions.get(part, ())),
        prompt=tile.prompt,
        headline=headline,
        kind=kind,
        title=question.text,
        rows=(("Expected", question.choice(question.gold)), ("Judge", answer), ("Truth", shown)),
        about=about,
        link=link,
    )


def question_headline(verdict: Verdict, truth: TrueAnswer | None) -> tuple[str, CardKind]:
    """Return what the judge made of a question, and whether it is right."""
    if verdict.answer is None:
        return "No answer: the question does not count", "open"
    match judge_outcome(verdict, truth):
        case "right":
            return "The judge is right: the image shows this fact", "right"
        case "found" if is_judge_wrong(verdict, truth):
            return "Found, but the judge’s own answer is wrong, too", "wrong"
        case "found":
            return "Found: the judge sees this error", "right"
        case "missed":
            return "Missed: the judge does not see this error", "wrong"
        case "false alarm":
            return "False alarm: the judge is wrong, the image is right", "wrong"
        case None:
            return f"Judged {SIGNS[verdict.state].word}; the truth is not known", "open"


# --- one finding ---


def _finding_card(tile: Tile, number: int, about: str, link: str) -> ShareCard:
    if number >= len(tile.findings):
        raise BadRequest("The metric has no such finding: share one of those it has.")
    finding = tile.findings[number]
    evidence = tile.report.evidence if tile.report else None
    return ShareCard(
        image=tile.path,
        regions=_segment_outlines(evidence, finding),
        prompt=tile.prompt,
        headline=f"Judged {SIGNS[finding.state].word}; the truth is not known",
        kind="open",
        title=f"{finding.kind.capitalize()}: {finding.expected or finding.observed}",
        rows=(("In prompt", finding.expected or "nothing"), ("In image", finding.observed or "–")),
        about=about,
        link=link,
    )


def _segment_outlines(evidence: Evidence | None, finding: Finding) -> tuple[Polygon, ...]:
    """Return the outlines of what a finding is about: of masks, else of boxes."""
    shapes: list[Polygon] = []
    for segment in evidence.segments if evidence else ():
        if segment.name in finding.segments:
            shapes += outlines.polygons(segment.mask) if segment.mask else [segment.box.corners]
    return tuple(shapes)


# --- the whole image ---


def _image_card(tile: Tile, about: str, link: str) -> ShareCard:
    errors = tile.errors
    rows = [("Judge" if tile.judge else "Result", tile.verdict_text)]
    if errors.known:
        rows.append(("Truth", f"the judge is wrong on {errors.wrong} of {errors.known} answers"))
        headline = errors.sentence.rstrip(".")
        kind: CardKind = "wrong" if errors.wrong else "right"
    else:
        rows.append(("Truth", _UNKNOWN))
        by = "Verdicts of a judge" if tile.judge else f"Result of {tile.metric}"
        headline = f"{by}; the truth is not known"
        kind = "open"
    return ShareCard(
        image=tile.path,
        regions=(),
        prompt=tile.prompt,
        headline=headline,
        kind=kind,
        title=tile.prompt,
        rows=tuple(rows),
        about=about,
        link=link,
    )


# --- who made and judged it ---


def _about(tile: Tile, metric: str, created: float) -> str:
    """Return model, judge, metric with version and date as one line."""
    version = tile.report.version if tile.report else ""
    parts = [
        f"{tile.model}, {tile.seed_text}".removesuffix(", "),
        f"judge {tile.judge}" if tile.judge else "",
        f"{metrics.title(metric)} {version_text(version)}".strip(),
        datetime.fromtimestamp(created, UTC).date().isoformat(),
    ]
    return " · ".join(filter(None, parts))


def version_text(version: str) -> str:
    """Return the version of a metric for people: "2+ade7bcdeb7d7" is "version 2 (ade7bcd)"."""
    number, _, templates = version.partition("+")
    if not number:
        return ""
    return f"version {number} ({templates[:7]})" if templates else f"version {number}"
