"""Texts are never cut off, and what fills up rows counts nothing."""

from pathlib import Path

import pytest
import torch

from hallascope.backends.embedded.training import judge, vqa_training
from hallascope.backends.embedded.training.dataset import judge_samples
from hallascope.backends.embedded.training.vqa_model import make_model, make_tokenizer
from tests.support.tiny_trainings import PAIR_CONFIG


def test_a_text_is_never_cut_off_and_filling_counts_nothing(judge_work: Path) -> None:
    corpus = judge.JudgeCorpus(judge_work / "pictures-64", 100, "cpu")
    texts = corpus.texts()
    tokenizer = make_tokenizer(texts)
    model = make_model(PAIR_CONFIG, tokenizer)
    corpus.add_new_shards(tokenizer)
    lengths = map(len, tokenizer(texts)["input_ids"])
    assert max(lengths) <= vqa_training.QUESTION_TOKENS
    assert not corpus.answers[: len(corpus), :, -1].any()
    shortest = corpus.questions[: len(corpus)].count_nonzero(dim=(1, 2)).argsort()
    batch = corpus.batch(shortest[:4])
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
