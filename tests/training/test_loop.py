"""Steps of a training are the same after a restart, and checkpoints are whole."""

import re
from pathlib import Path

import pytest
import torch
from torch import nn

from training import loop


def test_an_epoch_shows_every_sample_once_and_the_next_in_another_order() -> None:
    epochs = [
        torch.cat([loop.batch_rows(12, 4, 3 * epoch + step, seed=0) for step in range(3)]).tolist()
        for epoch in range(2)
    ]
    assert [sorted(epoch) for epoch in epochs] == [list(range(12))] * 2
    assert epochs[0] != epochs[1]
    assert loop.batch_rows(12, 4, 5, seed=0).tolist() == epochs[1][8:]


def test_the_rate_rises_stays_full_and_falls_nearly_to_nothing() -> None:
    shares = [loop.rate_share(step, step / 1000, warmup=100, cooldown=0.5) for step in range(1000)]
    assert shares[:100] == sorted(shares[:100])
    assert set(shares[100:500]) == {1.0}
    assert shares[505:] == sorted(shares[505:], reverse=True)
    assert (shares[0], shares[-1]) == pytest.approx((0.01, 0.012))


def test_the_averaged_copy_moves_less_the_more_steps_are_done() -> None:
    model = nn.Linear(1, 1)
    average = loop.make_average(model, decay=0.99)
    for start, value, expected in ((0, 0.0, 0.0), (1, 1.0, 9 / 11), (10_000, 2.0, 0.828)):
        average.n_averaged = torch.tensor(start)
        nn.init.constant_(model.weight, value)
        average.update_parameters(model)
        (weight, _) = average.module.parameters()
        assert weight.item() == pytest.approx(expected, abs=0.002)


def test_a_checkpoint_gives_back_weights_and_step(tmp_path: Path) -> None:
    file = tmp_path / "work" / "checkpoint.pt"
    model, again = nn.Linear(3, 2), nn.Linear(3, 2)
    assert loop.load_checkpoint(file, [again]) == 0
    loop.save_checkpoint(file, [model], 7)
    assert loop.load_checkpoint(file, [again]) == 7
    assert torch.equal(model.weight, again.weight)
    assert [path.name for path in file.parent.iterdir()] == ["checkpoint.pt"]
    with pytest.raises(SystemExit, match=f"delete {re.escape(str(file.parent))}"):
        loop.load_checkpoint(file, [nn.Linear(3, 4)])


def test_a_finished_training_says_how_to_train_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = loop.Config(
        work=tmp_path / "work", out=tmp_path, samples=1, steps=1, batch=1, rate=0.1
    )

    def train() -> str:
        loop.train(
            config,
            model := nn.Linear(3, 2),
            lambda config, step: {"x": torch.ones(1, 3, device=loop.best_device())},
            lambda batch, progress, generator: {"all": model(batch["x"]).sum()},
            lambda average: None,
            make_optimizers=lambda module: loop.make_adam(module.parameters(), 0.0),
        )
        return capsys.readouterr().out

    assert "train anew" not in train()
    assert f"delete {config.work}" in train()
