"""Shards are drawn once."""

from pathlib import Path

from hallascope.backends.embedded.training.dataset import corpus, shards


def test_shards_that_are_there_are_kept(corpus_folder: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in shards.files(corpus_folder)}
    corpus.write(corpus_folder, 24, workers=1, per_shard=12)
    assert {file: file.stat().st_mtime_ns for file in shards.files(corpus_folder)} == before
    shard = next(corpus.read_shards(corpus_folder))
    assert shard.pixels.shape == (12, 128, 128, 3)
    assert shard.captions[0] == corpus.draw_sample(0).caption
