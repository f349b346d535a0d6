"""Plans two baselines of BLIP: image-text matching, and T2I-CompBench's product over noun phrases.

BLIP-ITM: Li et al., "BLIP", ICML 2022, section 3.2. BLIP-VQA: Huang et al., "T2I-CompBench",
NeurIPS 2023, section 4.1, and the authors' public code: every noun chunk of spaCy is asked as a
question, and the score is the product of the probabilities of yes, each among yes and no.
"""

from math import isfinite, prod
from pathlib import Path

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.regions import Span
from hallascope.data.requests import Answer, Ask, Failure, Match, Matched, Reply, Request
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, reply_of, text_reply
from hallascope.metrics.baselines.number_report import cut_notes, missing_score, number
from hallascope.metrics.reading.words.spacy_model import dependency_tree

ITM = "blip-itm"
VQA = "blip-vqa"
ITM_VERSION = "2"
VQA_VERSION = "2"
# chunks that the authors' code does not ask
SKIPPED = ("top", "the side", "the left", "the right")
YES_NO = ("Yes", "No")
NO_PHRASE = "The prompt names no thing that could be asked about."


def itm_metric(prompts: Path | None = None) -> Metric:
    """Return the metric of image-text matching, which has no templates."""
    scores = (ScoreSpec("score", "Probability of a match"),)
    return Metric(
        name=ITM,
        title="BLIP image-text matching",
        definition=(
            "BLIP image-text matching: the probability that image and prompt belong "
            "together (0 to 1)."
        ),
        caveat=(
            "It hardly notices wrong numbers and positions, and knows no fact beyond the prompt."
        ),
        version=ITM_VERSION,
        required_roles=("embedder",),
        plan=match,
        scores=scores,
        needs_questions=False,
    )


def vqa_metric(prompts: Path | None = None) -> Metric:
    """Return the metric of T2I-CompBench's product, which has no templates."""
    scores = (ScoreSpec("score", "Product of the probabilities of yes"),)
    return Metric(
        name=VQA,
        title="BLIP-VQA",
        definition=(
            "BLIP-VQA: the probabilities that the image shows each noun phrase of the "
            "prompt, multiplied (0 to 1)."
        ),
        caveat="Do not compare prompts of different lengths: every phrase lowers the product.",
        version=VQA_VERSION,
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
            ITM, ITM_VERSION, case, f"The embedder gave no probability: {matched.message}"
        )
    if not isfinite(matched.probability):
        return missing_score(
            ITM, ITM_VERSION, case, "The embedder's probability is no number: choose another one."
        )
    evidence = Evidence(notes=cut_notes(matched))
    return number(ITM, ITM_VERSION, case, matched.probability, evidence=evidence)


def ask(case: Case) -> Plan:
    """Plan the product of P(yes), each among yes and no, over the noun chunks of the prompt.

    A chunk that the prompt repeats is asked once and counts as often as it stands there. The
    picture is left out where one of the probabilities is missing.
    """
    chunks = [
        (chunk.text, (chunk.start_char, chunk.end_char))
        for chunk in dependency_tree(case.prompt).noun_chunks
        if chunk.text not in SKIPPED
    ]
    if not chunks:
        return missing_score(VQA, VQA_VERSION, case, NO_PHRASE)
    phrases = list(dict.fromkeys(phrase for phrase, _ in chunks))
    replies = yield [_request(case, phrase) for phrase in phrases]
    of_phrase = dict(zip(phrases, map(_probability_of_yes, replies), strict=True))
    findings = tuple(_finding(phrase, span, of_phrase[phrase]) for phrase, span in chunks)
    known = [value for phrase, _ in chunks if isinstance(value := of_phrase[phrase], float)]
    value = prod(known) if len(known) == len(chunks) else None
    return number(VQA, VQA_VERSION, case, value, evidence=Evidence(findings=findings))


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
        template=f"{VQA}-{VQA_VERSION}",
    )


def _probability_of_yes(reply: Reply) -> float | str:
    """Return the probability of yes, or why there is none."""
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return f"The judge gave no answer: {answer.message}"
    probabilities = answer.probabilities or ()
    if len(probabilities) != len(YES_NO) or sum(probabilities) <= 0:
        return "The judge gives no probabilities: choose one that ranks answers (blip-vqa-base)."
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
