"""A small metric for tests that looks as FiG does: it detects, cuts out, describes and, where it
can, reads; and models that answer it.
"""

from pathlib import Path
from typing import Any

import numpy as np

from hallascope.backends.base import CallLimits
from hallascope.data import masks
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence
from hallascope.data.models.specs import Price
from hallascope.data.records import Picture, Report, Score
from hallascope.data.regions import Box, Detection, TextLine
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Failure,
    Generated,
    ReadText,
    Reply,
    Request,
    Role,
    Segmented,
    TextRead,
    Usage,
    Write,
)
from hallascope.data.requests import Segment as Cut
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.services import Services
from hallascope.metrics.base import Case, Metric, Plan
from tests.support.images import png
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted

PROMPT = "a red cat and a sign"
BOX = Box(0.25, 0.25, 0.75, 0.75)
MASK = masks.encode(np.kron([[1, 0], [0, 1]], np.ones((8, 8))).astype(bool))
ROLES: tuple[Role, ...] = (
    "judge",
    "captioner",
    "writer",
    "detector",
    "segmenter",
    "embedder",
    "reader",
)


def looks(case: Case) -> Plan:
    """Detect, segment, describe (and read), then have it written where somebody does.

    Each failure leaves its row out.
    """
    (seen,) = yield [Detect(case.image, ("cat", "sign"))]
    if not isinstance(seen, Detected):
        return _report(case, (), failed("object", seen), failed("color", seen))
    boxes = tuple(one.box for one in seen.detections)
    (cut,) = yield [Cut(case.image, boxes)]
    reading: list[Request] = [ReadText(case.image)] if "reader" in case.roles else []
    said, *read = yield [Describe(case.image, "What is it?", boxes[0]), *reading]
    written = (yield [Write("Together.")])[0] if "writer" in case.roles else said
    mask = cut.masks[0] if isinstance(cut, Segmented) else None
    text = "".join(
        line.text for reply in read if isinstance(reply, TextRead) for line in reply.lines
    )
    colour = (
        failed("color", said)
        if isinstance(said, Failure)
        else Finding(
            kind="color",
            expected="red cat",
            observed="red cat",
            state="correct",
            lenient_state="correct",
            segments=("s1",),
        )
    )
    segment = SegmentEvidence(
        name="s1",
        phrase="cat",
        box=boxes[0],
        score=0.9,
        mask=mask,
        caption=said.text if isinstance(said, Answer) else "",
        written=text,
    )
    objects = Finding(
        kind="object",
        expected="cat",
        observed="cat",
        state="correct",
        lenient_state="correct",
        prompt_spans=((6, 9),),
        caption_spans=((6, 9),),
        segments=("s1",),
    )
    extra = Finding(
        kind="extraneous", expected="", observed="dog", state="incorrect", segments=("s1",)
    )
    caption = written.text if isinstance(written, Answer) else ""
    return _report(case, (segment,), objects, colour, extra, caption=caption)


def failed(kind: str, why: Reply) -> Finding:
    assert isinstance(why, Failure)
    return Finding(kind=kind, expected="red cat", observed="", state="failed", note=why.message)


def _report(
    case: Case, segments: tuple[SegmentEvidence, ...], *rows: Finding, caption: str = ""
) -> Report:
    def share(*kinds: str) -> Score:
        counted = [row for row in rows if row.kind in kinds]
        answered = [row for row in counted if row.state != "failed"]
        right = sum(row.state == "correct" for row in answered)
        return Score(
            right / len(answered) if answered else None, len(answered), len(counted) - len(answered)
        )

    scores = {
        "score": share("object", "color"),
        "object": share("object"),
        "color": share("color"),
        "chair_i": Score(0.5, 2, 0),
    }
    return Report(
        metric="fig",
        version="1",
        prompt=case.prompt,
        image=case.image.sha256,
        scores=scores,
        evidence=Evidence(
            segments=segments, findings=rows, phrases=("cat", "sign"), caption=caption
        ),
    )


def asks(case: Case) -> Plan:
    """One question to a judge."""
    (reply,) = yield [
        Ask(images=(case.image,), text="Text", question="Is it there?", choices=("Yes", "No"))
    ]
    answered = isinstance(reply, Answer)
    return Report(
        metric="asks",
        version="1",
        prompt=case.prompt,
        image=case.image.sha256,
        scores={"score": Score(1.0 if answered else None, int(answered), int(not answered))},
    )


LOOKS = Metric(
    name="fig",
    title="FiG",
    version="1",
    required_roles=("detector", "segmenter", "captioner"),
    plan=looks,
    needs_questions=False,
    optional_roles=("writer", "reader"),
)
ASKS = Metric(
    name="asks",
    title="Asks",
    version="1",
    required_roles=("judge",),
    plan=asks,
    needs_questions=False,
)


def metric(name: str) -> Metric:
    return {"fig": LOOKS, "asks": ASKS}[name]


def answers(request: Request) -> Any:
    """What the models say: a cat in the middle, a sign beside it."""
    match request:
        case Detect():
            return Detected(
                (Detection("cat", BOX, 0.9), Detection("sign", Box(0, 0, 0.2, 0.2), 0.4))
            )
        case Cut():
            return Segmented((MASK,) * len(request.boxes))
        case Describe():
            return Answer("A red cat.", usage=Usage(output_tokens=1))
        case ReadText():
            return TextRead((TextLine("STOP", BOX, 0.9),))
        case Write():
            return "A red cat and a dog."
        case _:
            return "Yes"


def models(script: Any = answers, price: Price | None = None) -> dict[str, Scripted]:
    """A model for each role, a second captioner and a painter.

    They cost `price` where one is given.
    """
    options: dict[str, Any] = {"price": price} if price else {}
    return {
        model.spec.id: model
        for model in (
            *(
                scripted(
                    f"m/{role}", role, script, CallLimits(2, 1), title=f"The {role}", **options
                )
                for role in ROLES
            ),
            scripted("m/other", "captioner", script, title="Another captioner"),
            scripted("m/painter", "generator", lambda request: Generated(png(f"{request.seed}"))),
        )
    }


def picture(folder: Path) -> Picture:
    (folder / "one.png").write_bytes(png("one"))
    return Picture("ab" * 32, folder / "one.png")


CHOSEN = {"captioner": "m/captioner", "detector": "m/detector", "segmenter": "m/segmenter"}


FIG = EvaluateRequest(
    prompt=PROMPT,
    models=("m/painter",),
    metrics=("fig",),
    judge=None,
    **CHOSEN,  # type: ignore[arg-type]
)


PLAIN = EvaluateRequest(prompt="a cat", models=("m/painter",), metrics=("asks",), judge="m/judge")


def evaluate_one(services: Services, request: EvaluateRequest) -> Any:
    (said,) = [
        event.evaluation for event in services.evaluate(request) if isinstance(event, Evaluated)
    ]
    return said


CENT = Price("2026-01-01", output=100.0, picture_tokens=100)
