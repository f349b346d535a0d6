"""Texts are never cut off, and what fills up rows counts nothing."""

from pathlib import Path

import pytest
import torch

from hallascope.backends.embedded.training import judge, vqa_training
from hallascope.backends.embedded.training.dataset import judge_samples
from hallascope.backends.embedded.training.vqa_model import make_model, make_tokenizer
from tests.support.tiny_trainings import PAIR_CONFIG


def test_a_text_is_never_cut_off_and_filling_counts_nothing(judge_work: Path) -> None:
    corpus = judge.JudgeCorpus(judge_work / "pictures-64")
    tokenizer = make_tokenizer(corpus.texts)
    model = make_model(PAIR_CONFIG, tokenizer)
    corpus.tokenize(tokenizer)
    lengths = {
        text: len(tokens)
        for text, tokens in zip(corpus.texts, tokenizer(corpus.texts)["input_ids"], strict=True)
    }
    assert max(lengths.values()) <= vqa_training.QUESTION_TOKENS
    answers = {corpus.texts[n - 1] for n in corpus.asked[..., 1].flatten().tolist() if n}
    assert max(lengths[answer] for answer in answers) <= vqa_training.ANSWER_TOKENS
    shortest = corpus.asked[..., 0].count_nonzero(dim=1).argsort()
    batch = corpus.batch(shortest[:4], "cpu")
    states = torch.randn(
        4 * judge_samples.QUESTIONS, vqa_training.QUESTION_TOKENS, PAIR_CONFIG.width
    )
    questions, answered = batch.questions.flatten(0, 1), batch.answers.flatten(0, 1)
    asked = (answered != 0).any(dim=-1)
    with torch.inference_mode():
        all_rows = vqa_training.answer_loss(model, states, questions, answered, 0)
        without = vqa_training.answer_loss(
            model, states[asked], questions[asked], answered[asked], 0
        )
    assert not asked.all()
    assert all_rows.item() == pytest.approx(without.item())
