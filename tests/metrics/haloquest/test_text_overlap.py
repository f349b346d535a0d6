"""Text overlap scores count words that reply and references share, and nothing of their meaning."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.metrics.haloquest.text_overlap import (
    OVERLAPS,
    ReferencedReply,
    TextOverlap,
    cider_scores,
    score_overlaps,
)


def overlap(reply: str, *references: str) -> TextOverlap:
    (score,) = score_overlaps([ReferencedReply(reply, references)])
    assert score is not None
    return score


def test_a_reply_that_equals_a_reference_has_the_most_of_each_score() -> None:
    same = overlap("There is no bee in it", "there is no bee in it", "No bee")
    assert same.bleu == pytest.approx(1)
    assert same.rouge_l == pytest.approx(1)
    assert same.chrf == pytest.approx(1)
    # one chunk of six words: the penalty is 0.5 * (1 / 6) ** 3 (Banerjee and Lavie, section 2.2)
    assert same.meteor == pytest.approx(1 - 0.5 / 6**3)


def test_a_reply_that_shares_nothing_has_none() -> None:
    different = overlap("yes", "There is no bee")
    assert different.bleu == different.rouge_l == different.meteor == different.cider == 0
    assert different.chrf < 0.1


def test_meteor_takes_stems_and_synonyms_of_nouns_for_equal() -> None:
    assert overlap("an auto", "a car").meteor > 0
    assert overlap("two bees", "one bee").meteor > 0
    assert overlap("a dog", "the cat").meteor == 0


# --- CIDEr-D


def test_cider_weighs_n_grams_by_how_few_questions_have_them() -> None:
    """Two questions: "a" is in both and weighs nothing, "cat" and "dog" weigh log 2."""
    both = [ReferencedReply("a cat", ("a cat",)), ReferencedReply("a cat", ("a dog",))]
    # n = 1 and n = 2 agree in full, there are no longer n-grams: 10 * (1 + 1 + 0 + 0) / 4
    assert cider_scores(both) == pytest.approx([5.0, 0.0])


def test_cider_is_less_for_a_length_that_differs_and_a_mean_over_references() -> None:
    replies = [ReferencedReply("cat", ("cat cat", "bird")), ReferencedReply("x", ("dog",))]
    # the reply has the only word of the first reference, half as often: min(1, 2) * 2 / (1 * 2);
    # the second reference shares nothing
    first = 10 * math.exp(-1 / (2 * 6**2)) * 1 / 4
    assert cider_scores(replies) == pytest.approx([first / 2, 0.0])


TEXTS = st.text(alphabet="ab c'-.7é", max_size=20)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.builds(ReferencedReply, TEXTS, st.tuples(TEXTS) | st.just(())), max_size=4))
def test_every_score_lies_in_its_range(replies: list[ReferencedReply]) -> None:
    scores = score_overlaps(replies)
    assert [score is None for score in scores] == [not each.references for each in replies]
    for score in scores:
        if score is not None:
            for spec in OVERLAPS:
                assert 0 <= getattr(score, spec.name) <= spec.most + 1e-9


def test_bleu_is_the_mean_of_precisions_with_the_penalty_for_brevity() -> None:
    # all n-grams of the reply are in the reference, which has six words to its four
    assert overlap("a b c d", "a b c d e f").bleu == pytest.approx(math.exp(1 - 6 / 4))
