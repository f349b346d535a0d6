"""Says in words how far a run is, what came of it and what it costs."""

from hallascope.data.nouns import count_noun
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostEstimate, CostLine, money, spending_text
from hallascope.engine.questions.unreviewed import is_unreviewed
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.metrics.ihalla.plan import is_answered
from hallascope.pages.shared import run_pictures


def troubles(view: RunResult) -> tuple[str, ...]:
    """Return all that went wrong, each sentence once, with the models it concerns.

    The run's own notice comes first.
    """
    models_by_message: dict[str, list[str]] = {}
    for image in view.shots:
        if image.failure:
            models = models_by_message.setdefault(image.failure.message, [])
            models.append(run_pictures.short_name(image.model))
    pictures = [
        message
        if len(models) == len(view.shots)
        else f"{', '.join(dict.fromkeys(models))}: {message}"
        for message, models in models_by_message.items()
    ]
    unreviewed = filter(None, [unreviewed_note(view)])
    notice = [view.notice] if view.notice and view.notice not in models_by_message else []
    failed = (each.failure.message for each in view.failures)
    others = dict.fromkeys((*_unanswered(view), *failed))
    left_out = [metric.message for metric in view.not_run]
    return (
        *notice,
        *unreviewed,
        *left_out,
        *pictures,
        *(line for line in others if line not in models_by_message),
    )


def _unanswered(view: RunResult) -> tuple[str, ...]:
    """Return how many questions have no answer, and each reason once."""
    failed = [v for e in view.evaluations for v in e.report.verdicts if v.state == "failed"]
    rows = [
        row
        for e in view.evaluations
        if e.report.evidence
        for row in e.report.evidence.findings
        if row.state == "failed"
    ]
    counts = []
    if failed:
        counts.append(
            f"The judge left {count_noun(len(failed), 'question')} without an answer; they do not"
            " count."
        )
    if rows:
        counts.append(f"{count_noun(len(rows), 'row')} could not be checked and do not count.")
    reasons = [*(v.failure for v in failed if v.failure), *(row.note for row in rows if row.note)]
    return (*counts, *dict.fromkeys(reasons))


def unreviewed_note(view: RunResult) -> str:
    """Say that a model wrote the questions and no person has reviewed them; "" where one has."""
    written = [question for question in view.questions if is_unreviewed(question)]
    if not written:
        return ""
    maker = view.request.writer or "A model"
    return (
        f"{maker} wrote {count_noun(len(written), 'question')} for this prompt, and no person has"
        " reviewed them."
    )


def lacks_questions(view: RunResult) -> bool:
    """Return whether a judge is chosen for a prompt that has no questions."""
    return bool(view.notice) and not view.questions and view.request.judge is not None


def progress_text(result: RunResult) -> str:
    """Return how far a run is, in words."""
    shots = result.shots
    drawn = sum(image.state != "waiting" for image in shots)
    words = f"{drawn} of {count_noun(len(shots), 'image')}"
    if result.expected:
        words += f", {len(result.evaluations)} of {count_noun(result.expected, 'judgment')}"
    return words


def summary(view: RunResult) -> str:
    """Return the sentence after a run: what came of it."""
    drawn = sum(image.state == "done" for image in view.shots)
    judged = len({evaluation.generation for evaluation in view.evaluations})
    took = "" if view.seconds is None else f" in {view.seconds:.1f} s"
    paid = "" if view.cap is None else f" {spent_text(view)}."
    return f"{drawn} of {count_noun(len(view.shots), 'image')}, {judged} judged{took}.{paid}"


def pointer(view: RunResult) -> str:
    """Return where to look once the judge has answered; "" without answers."""
    if found := most_errors(view, "Most errors"):
        return f"{found}. Select an image to see its errors."
    none = "The judge finds no errors. Select an image to see what it was asked."
    return none if _wrong_shares(view) else ""


def most_errors(view: RunResult, label: str) -> str:
    """Return the label and all images with the most wrong answers; "" where no answer is wrong.

    That is the largest share of the answered questions. A right image would not have them.
    """
    wrong = _wrong_shares(view)
    most = max(wrong.values(), default=0)
    worst = ", ".join(words for words, share in wrong.items() if share == most)
    return f"{label}: {worst}" if most else ""


def _wrong_shares(view: RunResult) -> dict[str, float]:
    """Return the share of wrong answers for each judged image, by its name and their numbers."""
    wrong: dict[str, float] = {}
    for image in view.shots:
        for evaluation in run_pictures.evaluations_of(view, image, run_pictures.primary(view)):
            answered = [v for v in evaluation.report.verdicts if is_answered(v)]
            if answered:
                errors = sum(v.state != "correct" for v in answered)
                seed = f", seed {image.seed}" if view.request.count > 1 else ""
                found = (
                    f"{run_pictures.picture_name(image)}{seed} ({errors} of {len(answered)} wrong)"
                )
                wrong[found] = errors / len(answered)
    return wrong


def spent_text(result: RunResult) -> str:
    """Return what the run has cost so far, of what it may; "" where nothing cost anything."""
    if result.cap is None:
        return ""
    words = f"of at most {money(result.cap)} spent"
    return spending_text(result.spent, result.unconfirmed, words)


def estimate_words(services: Services, estimate: CostEstimate, terms: SpendingPolicy) -> str:
    """Say what a run is likely to cost by model, and what has to be allowed first.

    "" where it costs nothing. Raises HallaScopeError.
    """
    if not estimate.lines:
        return ""
    caps, today = terms.caps(), services.store.ledger.day()
    lines = "; ".join(map(_likely, estimate.lines))
    words = (
        f"Estimated cost: about {money(estimate.amount)} in all, at most {money(caps[0])}: {lines}."
    )
    if costly := estimate.first_over_cap(min(caps)):
        words += (
            f" One call of {costly.model} may cost up to {money(costly.most)}, so it is not made:"
            " raise the budget of a run under API keys and budget."
        )
    elif estimate.amount > caps[0]:
        words += (
            " That is more than the budget of a run: raise it under API keys and budget, or the run"
            " stops on the way."
        )
    elif estimate.amount > caps[1] - today:
        words += (
            f" Today's runs have spent {money(today)} of at most {money(caps[1])}: raise the budget"
            " of a day, or it stops on the way."
        )
    if estimate.unpriced and not terms.unpriced:
        words += " Models with unknown prices must be allowed under API keys and budget."
    return words


def _likely(line: CostLine) -> str:
    calls = count_noun(line.calls, "call")
    tokens = (
        f"{line.input_tokens:,} tokens read, {line.output_tokens:,} written"
        if line.input_tokens or line.output_tokens
        else ""
    )
    pictures = count_noun(line.pictures, "image") if line.pictures else ""
    amount = "unknown price" if line.amount is None else money(line.amount)
    assumed = f"an image: {line.assumed}" if line.assumed else ""
    about = "; ".join(filter(None, (line.source, assumed)))
    said = ", ".join(filter(None, (calls, tokens, pictures, amount)))
    return f"{line.model} {said}" + (f" ({about})" if about else "")
