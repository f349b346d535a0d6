"""Plans two baselines of BLIP: image-text matching, and T2I-CompBench's product over noun phrases.

BLIP-ITM: Li et al., "BLIP", ICML 2022, section 3.2. BLIP-VQA: Huang et al., "T2I-CompBench",
NeurIPS 2023, section 4.1: every noun phrase is asked as a question, the score is the product of the
probabilities of yes.
"""

from math import prod
from pathlib import Path

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.regions import Span
from hallascope.data.requests import Answer, Ask, Failure, Match, Matched, Reply, Request
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, reply_of, text_reply
from hallascope.metrics.baselines.number_report import missing_score, number
from hallascope.metrics.parsing.parser import parse

ITM = "blip-itm"
VQA = "blip-vqa"
VERSION = "1"
YES_NO = ("Yes", "No")
NO_PHRASE = "The prompt names no thing that could be asked about."


def itm_metric(prompts: Path | None = None) -> Metric:
    """Return the metric of image-text matching, which has no templates."""
    scores = (ScoreSpec("score", "Probability of a match"),)
    return Metric(
        name=ITM,
        title="BLIP image-text matching",
        definition=(
            "The score is the probability, from 0 to 1, that image and prompt belong together."
        ),
        caveat=(
            "It misleads about number and place, and about facts that the prompt does not name."
        ),
        version=VERSION,
        required_roles=("embedder",),
        plan=match,
        scores=scores,
        presents="number",
        needs_questions=False,
    )


def vqa_metric(prompts: Path | None = None) -> Metric:
    """Return the metric of T2I-CompBench's product, which has no templates."""
    scores = (ScoreSpec("score", "Product of the probabilities of yes"),)
    return Metric(
        name=VQA,
        title="BLIP-VQA",
        definition=(
            "The score is the product, over the noun phrases of the prompt, of the "
            "probability that the image shows them, from 0 to 1."
        ),
        caveat=(
            "It misleads where prompts of different lengths are compared: every phrase "
            "lowers the product."
        ),
        version=VERSION,
        required_roles=("judge",),
        plan=ask,
        scores=scores,
        presents="findings",
        readable=readable,
        needs_questions=False,
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether the judge answered at all."""
    return isinstance(reply, Answer)


def match(case: Case) -> Plan:
    """Plan the probability that the prompt is that of the picture."""
    (reply,) = yield [Match(case.image, case.prompt)]
    matched = reply_of(reply, Matched, "embedder")
    if isinstance(matched, Failure):
        return missing_score(
            ITM, VERSION, case, f"The embedder gave no probability: {matched.message}"
        )
    return number(ITM, VERSION, case, matched.probability)


def ask(case: Case) -> Plan:
    """Plan the product of P(yes), each among yes and no, over the noun phrases, each asked once.

    The picture is left out where one of the probabilities is missing.
    """
    parsed = parse(case.prompt)
    spans: dict[str, Span] = {}
    for thing in parsed.things:
        spans.setdefault(" ".join(parsed.text_at(thing.span).split()), thing.span)
    if not spans:
        return missing_score(VQA, VERSION, case, NO_PHRASE)
    replies = yield [_request(case, phrase) for phrase in spans]
    probabilities = [_probability_of_yes(reply) for reply in replies]
    findings = tuple(
        _finding(phrase, spans[phrase], probability)
        for phrase, probability in zip(spans, probabilities, strict=True)
    )
    known = [probability for probability in probabilities if isinstance(probability, float)]
    value = prod(known) if len(known) == len(probabilities) else None
    return number(VQA, VERSION, case, value, evidence=Evidence(findings=findings))


def _request(case: Case, phrase: str) -> Ask:
    text = (
        f"Does this picture show {phrase}?\nA) Yes\nB) No\nReply with the letter of one choice and"
        " nothing else."
    )
    return Ask(
        images=(case.image,),
        text=text,
        question=f"{phrase}?",
        choices=YES_NO,
        template=f"{VQA}-{VERSION}",
    )


def _probability_of_yes(reply: Reply) -> float | str:
    """Return the probability of yes, or why there is none."""
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return f"The judge gave no answer: {answer.message}"
    probabilities = answer.probabilities or ()
    if len(probabilities) != len(YES_NO) or sum(probabilities) <= 0:
        return "The judge gives no probabilities: choose one that ranks answers, such as a BLIP."
    return probabilities[0] / sum(probabilities)


def _finding(phrase: str, span: Span, probability: float | str) -> Finding:
    if isinstance(probability, str):
        return Finding(
            kind="phrase",
            expected=phrase,
            observed="",
            state="failed",
            prompt_spans=(span,),
            note=probability,
        )
    return Finding(
        kind="phrase",
        expected=phrase,
        observed=f"yes with {probability:.3f}",
        state="correct" if probability >= 0.5 else "incorrect",
        prompt_spans=(span,),
    )
