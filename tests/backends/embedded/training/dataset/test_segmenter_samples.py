"""Pictures with phrases and masks to train the segmenter on."""

from pathlib import Path

import numpy as np

from hallascope.backends.embedded.training.dataset import segmenter_samples

SIZE = 64


def test_no_mask_covers_a_gap_and_gaps_lie_beside_what_is_masked() -> None:
    drawn = [segmenter_samples.draw_sample(seed, SIZE) for seed in range(30)]
    for sample in drawn:
        assert sample.masks.shape == sample.gaps.shape == (8, SIZE, SIZE)
        assert not (sample.masks & sample.gaps).any()
        assert sample.parts.shape == sample.pixels.shape[:2]
    present = np.mean([sample.masks.any((1, 2)).mean() for sample in drawn])
    assert 0.4 < present < 0.75, "about four phrases of ten are of what is not there"


def test_every_drawn_part_has_a_number_and_every_thing_its_parts() -> None:
    numbers = segmenter_samples.part_numbers()
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert "wing cover" in segmenter_samples.parts_of_things()["ladybug"]
    assert "circle" not in segmenter_samples.parts_of_things()


def test_shards_hold_what_is_drawn(tmp_path: Path) -> None:
    segmenter_samples.write(tmp_path, 4, SIZE, workers=1, per_shard=2)
    shards = list(segmenter_samples.read_shards(tmp_path))
    sample = segmenter_samples.draw_sample(3, SIZE)
    assert [len(shard.pixels) for shard in shards] == [2, 2]
    assert (shards[1].pixels[1] == sample.pixels).all()
    assert tuple(shards[1].texts[1]) == sample.texts
    assert (np.unpackbits(shards[1].masks[1], axis=-1) == sample.masks).all()
