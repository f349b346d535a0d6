"""Small runs for tests of what leaves a store and comes back: one by hand with everything in it,
and any that hypothesis thinks of.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from hallascope.data.evidence import Evidence, Finding, SegmentEvidence
from hallascope.data.masks import encode
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import LETTERS, Question, Report, Score, Verdict
from hallascope.data.regions import Box
from hallascope.data.requests import Failure, Generated
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.storage.people.ratings import RatingSubject
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import PictureSlot, Store
from tests.support.images import png

PROMPT = "a molecule of methane"
EVIL = "<img src=x onerror='window.hit = 1'>\"'`=1+1"
ASKED = (
    Question(
        text="How many hydrogen atoms are there?",
        choices=("three", "four", "five", "six", "None of the above"),
        gold="B",
        coi="counting",
        regions=("hydrogen",),
    ),
    Question(
        text="What colour is the carbon?",
        choices=("red", "black", "green", "blue", "None of the above"),
        gold="B",
        coi="color",
    ),
)


def picture_of(seed: int) -> bytes:
    return png(f"shared {seed}")


def keep(
    store: Store,
    run: str = "run1",
    prompt: str = PROMPT,
    models: tuple[str, ...] = ("primer/exact", "primer/hasty"),
) -> str:
    """A finished run: a picture of each model with answered questions and with findings, and one
    place without a picture.
    """
    places = [
        PictureSlot(
            id=f"{run}-{i}",
            prompt=prompt,
            model=model,
            revision="r1",
            seed=i,
            settings={"violation": 0.25 * i},
        )
        for i, model in enumerate((*models, "primer/careless"))
    ]
    store.start_run(
        run,
        EvaluateRequest(
            prompt=prompt, models=(*models, "primer/careless"), metrics=("ihalla", "fig")
        ),
        places,
        ASKED,
        "Only a notice.",
    )
    for place in places[:-1]:
        kept = store.keep_image(picture_of(place.seed), {"prompt": prompt})
        store.keep_picture(place, kept, Generated(b"", {"steps": 4}, {"parts": ["hydrogen"]}), 0.5)
        for report in (answered(prompt, kept.sha256, place.seed), looked_at(prompt, kept.sha256)):
            judge = "primer/judge" if report.metric == "ihalla" else None
            said = Evaluation(
                generation=place.id,
                model=place.model,
                image=kept.sha256,
                metric=report.metric,
                judge=judge,
                trial=0,
                report=report,
                cached=False,
                lineup={"judge": "primer/judge"},
            )
            store.keep_evaluation(run, said, "j1" if judge else "", Facets("Physics", "artifact"))
    store.keep_failure(
        places[-1], Failure("timeout", "primer/careless: it took too long, try again.")
    )
    store.end_run(run, "finished")
    return run


def keep_corrected(store: Store, run: str = "run1", author: str = "Ann Example") -> None:
    """Keep the findings of a run's first picture as those of a person's reading."""
    reading = PromptReading(prompt=PROMPT, source="person", author=author)
    first = next(one for one in store.evaluations(run) if one.metric == "fig")
    report = first.report
    assert report.evidence is not None
    evidence = replace(report.evidence, reading=reading)
    corrected = replace(first, report=replace(report, evidence=evidence))
    store.keep_evaluation(run, corrected, "", Facets("Physics", "artifact"))


def rate(store: Store, run: str = "run1", rater: str = "Ann") -> None:
    """What a person said of the first picture of a run: an answer, a check of the judge's, a grade,
    and of an extra that it is fine.
    """
    shot, prompt = store.generated_pictures(run)[0], store.run(run).request.prompt
    said = {
        ("ihalla", f"question: {ASKED[0].text}"): "five",
        ("check", f"question: {ASKED[0].text}"): "four",
        ("grade", ""): "6",
    }
    said[("fig", "extraneous:  -> star")] = "fine"
    store.ratings.keep_values(
        {
            RatingSubject(shot.image or "", metric, prompt, about, rater): value
            for (metric, about), value in said.items()
        }
    )


def answered(prompt: str, image: str, wrong: int = 0) -> Report:
    """One right answer, or a wrong one, and one question without an answer."""
    first = Verdict(
        question=ASKED[0],
        answer="A" if wrong else "B",
        state="incorrect" if wrong else "correct",
        raw=EVIL,
        probability=0.75,
    )
    second = Verdict(
        question=ASKED[1],
        answer=None,
        state="failed",
        raw="",
        probability=None,
        failure="The judge did not answer: ask again.",
    )
    scores = {"score": Score(float(not wrong), 1, 1), "strict": Score(float(not wrong), 1, 0)}
    return Report(
        metric="ihalla",
        version="2",
        prompt=prompt,
        image=image,
        scores=scores,
        verdicts=(first, second),
        published={"score": 0.5 * (not wrong)},
    )


def looked_at(prompt: str, image: str) -> Report:
    """Two segments and three findings, one of them nobody asked for."""
    import numpy as np

    pixels = np.zeros((32, 32), dtype=bool)
    pixels[4:20, 4:20] = True
    segments = (
        SegmentEvidence(
            name="s1",
            phrase="molecule",
            box=Box(0.1, 0.1, 0.6, 0.6),
            score=0.9,
            mask=encode(pixels),
            caption="A molecule.",
        ),
        SegmentEvidence(
            name="s2",
            phrase="star",
            box=Box(0.7, 0.7, 0.9, 0.9),
            score=0.6,
            mask=None,
            caption="A star.",
            failure="It could not be cut out.",
        ),
    )
    findings = (
        Finding(
            kind="object",
            expected="molecule",
            observed="molecule",
            state="correct",
            lenient_state="correct",
            prompt_spans=((2, 10),),
            caption_spans=((2, 10),),
            segments=("s1",),
        ),
        Finding(
            kind="color",
            expected="a red molecule",
            observed="a blue molecule",
            state="incorrect",
            lenient_state=None,
            segments=("s1",),
        ),
        Finding(
            kind="extraneous", expected="", observed="star", state="incorrect", segments=("s2",)
        ),
    )
    scores = {
        "score": Score(0.5, 2, 0),
        "object": Score(1.0, 1, 0),
        "color": Score(0.0, 1, 0),
        "chair_i": Score(None, 0, 0),
    }
    return Report(
        metric="fig",
        version="1",
        prompt=prompt,
        image=image,
        scores=scores,
        evidence=Evidence(
            segments=segments,
            findings=findings,
            phrases=("molecule",),
            caption="A molecule and a star.",
        ),
    )


# --- any run
# --------------------------------------------------------------------------------------------------

_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40)
_SHARE = st.floats(0, 1).map(lambda x: round(x, 6))
_SCORES = st.builds(Score, st.none() | _SHARE, st.integers(0, 9), st.integers(0, 9))


@st.composite
def _verdicts(draw: Any) -> Verdict:
    question = Question(
        text=draw(_WORDS),
        choices=tuple(draw(_WORDS) for _ in range(5)),
        gold=draw(st.sampled_from(LETTERS)),
        coi="relation",
        regions=("part",),
    )
    state = draw(st.sampled_from(["correct", "incorrect", "abstained", "unreadable", "failed"]))
    answer = (
        draw(st.sampled_from(LETTERS)) if state in ("correct", "incorrect", "abstained") else None
    )
    return Verdict(
        question=question,
        answer=answer,
        state=state,
        raw=draw(_WORDS),
        probability=draw(st.none() | _SHARE),
        failure=None if answer else draw(_WORDS),
    )


_FINDINGS = st.builds(
    Finding,
    kind=_WORDS,
    expected=_WORDS,
    observed=_WORDS,
    state=st.sampled_from(["correct", "incorrect", "failed"]),
    lenient_state=st.none() | st.just("correct"),
    prompt_spans=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=2).map(tuple),
    note=_WORDS,
)


@st.composite
def reports(draw: Any, image: str) -> Report:
    """A report of anything about that picture."""
    found = tuple(draw(st.lists(_FINDINGS, max_size=3)))
    scores = {"score": draw(_SCORES), "strict": draw(_SCORES)}
    verdicts = tuple(draw(st.lists(_verdicts(), max_size=3)))
    return Report(
        metric=draw(_WORDS),
        version=draw(_WORDS),
        prompt=draw(_WORDS),
        image=image,
        scores=scores,
        verdicts=verdicts,
        evidence=Evidence(findings=found) if found else None,
    )


@st.composite
def drawn_runs(draw: Any, image: str) -> tuple[EvaluateRequest, list[PictureSlot], list[Report]]:
    """A request, its places and reports on the picture that is put in all of them."""
    prompt = draw(_WORDS)
    request = EvaluateRequest(
        prompt=prompt,
        models=("m/one",),
        trials=1,
        images=(Path("images") / image[:2] / f"{image[2:]}.png",),
    )
    seeds = draw(st.lists(st.integers(0, 2**62), min_size=1, max_size=2, unique=True))
    settings = draw(
        st.dictionaries(_WORDS, st.none() | _WORDS | st.integers(0, 99) | st.booleans(), max_size=2)
    )
    places = [
        PictureSlot(
            id=f"place-{seed}",
            prompt=prompt,
            model="m/one",
            revision=draw(_WORDS),
            seed=seed,
            settings=settings,
        )
        for seed in seeds
    ]
    return (
        request,
        places,
        [
            replace(draw(reports(image)), metric=metric)
            for metric in draw(st.sampled_from([(), ("fig",), ("tifa", "dino")]))
        ],
    )


def keep_drawn(
    store: Store,
    run: str,
    drawn: tuple[EvaluateRequest, list[PictureSlot], list[Report]],
    png_: bytes,
) -> None:
    """Keep such a run."""
    request, places, said = drawn
    places = [place._replace(id=f"{run}-{place.id}") for place in places]
    kept = store.keep_image(png_)
    store.start_run(run, request, places)
    for place in places:
        store.keep_picture(place, kept, Generated(png_))
        for report in said:
            store.keep_evaluation(
                run,
                Evaluation(
                    generation=place.id,
                    model=place.model,
                    image=kept.sha256,
                    metric=report.metric,
                    judge=None,
                    trial=0,
                    report=report,
                ),
            )
    store.end_run(run, "finished")
