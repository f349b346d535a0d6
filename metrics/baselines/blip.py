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
    found = reply_of(reply, Matched, "embedder")
    if isinstance(found, Failure):
        return missing_score(
            ITM, VERSION, case, f"The embedder gave no probability: {found.message}"
        )
    return number(ITM, VERSION, case, found.probability)


def ask(case: Case) -> Plan:
    """Plan the product of P(yes), each among yes and no, over the noun phrases.

    The picture is left out where one of the probabilities is missing.
    """
    phrases = _phrases(case.prompt)
    if not phrases:
        return missing_score(VQA, VERSION, case, NO_PHRASE)
    requests = [_request(case, phrase) for phrase, _ in phrases]
    replies = yield list(requests)
    chances = [_yes(reply) for reply in replies]
    findings = tuple(
        _finding(phrase, chance) for phrase, chance in zip(phrases, chances, strict=True)
    )
    known = [chance for chance in chances if isinstance(chance, float)]
    value = prod(known) if len(known) == len(chances) else None
    return number(VQA, VERSION, case, value, evidence=Evidence(findings=findings))


def _phrases(prompt: str) -> list[tuple[str, Span]]:
    """Return the noun phrases of a prompt as it says them, each once, with their place."""
    parsed = parse(prompt)
    found: dict[str, Span] = {}
    for phrase in parsed.things:
        found.setdefault(" ".join(parsed.text_at(phrase.span).split()), phrase.span)
    return list(found.items())


def _request(case: Case, phrase: str) -> Ask:
    question = f"{phrase}?"
    text = (
        f"Does this picture show {phrase}?\nA) Yes\nB) No\nReply with the letter of one choice and"
        " nothing else."
    )
    return Ask(
        images=(case.image,),
        text=text,
        question=question,
        choices=YES_NO,
        template=f"{VQA}-{VERSION}",
    )


def _yes(reply: Reply) -> float | str:
    """Return the probability of yes, or why there is none."""
    said = text_reply(reply, "judge")
    if isinstance(said, Failure):
        return f"The judge gave no answer: {said.message}"
    if (
        said.probabilities is None
        or len(said.probabilities) != len(YES_NO)
        or sum(said.probabilities) <= 0
    ):
        return "The judge gives no probabilities: choose one that ranks answers, such as a BLIP."
    return said.probabilities[0] / sum(said.probabilities)


def _finding(asked: tuple[str, Span], chance: float | str) -> Finding:
    phrase, span = asked
    if isinstance(chance, str):
        return Finding(
            kind="phrase",
            expected=phrase,
            observed="",
            state="failed",
            prompt_spans=(span,),
            note=chance,
        )
    return Finding(
        kind="phrase",
        expected=phrase,
        observed=f"yes with {chance:.3f}",
        state="correct" if chance >= 0.5 else "incorrect",
        prompt_spans=(span,),
    )
