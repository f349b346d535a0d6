"""Scores as people's labels correct them, with what a test does not care about filled in."""

from hallascope.metrics.statistics.corrected_scores import CorrectedScore


def corrected_score(
    value: float = 0.4, low: float = 0.3, high: float = 0.5, labeled: int = 40
) -> CorrectedScore:
    return CorrectedScore(
        value=value,
        low=low,
        high=high,
        judge=0.5,
        bias=0.1,
        bias_low=0.05,
        bias_high=0.15,
        weight=1.0,
        labeled=labeled,
        judged=200,
        lowest=value,
        highest=value,
        half_width=(high - low) / 2,
        from_labels=0.002,
        from_prompts=0.0005,
    )
