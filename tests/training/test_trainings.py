"""Each training makes, in small, the folder that its model is loaded from, and can be stopped."""

import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from safetensors import safe_open

from hallascope.backends import domain as detector
from hallascope.backends import registry
from hallascope.backends.weights import EMBEDDED
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.data.requests import Ask, Describe, Detect, Embed, Failure, Generate
from hallascope.metrics.reading.confidence import FILE
from training import (
    autoencoder,
    comparer,
    diffusion,
    domain,
    embedder,
    judge,
    loop,
    packages,
    reading_confidence,
    segmenter,
    style_images,
)

pytestmark = pytest.mark.full

SMALL: Any = {"samples": 4, "steps": 4, "batch": 2, "checkpoint_every": 2, "workers": 1}


def small(config: Any, folder: Path, name: str, **options: Any) -> Any:
    """A config of a training with next to nothing to learn, that works below a folder."""
    return config(work=folder / "runs" / name, out=folder / name, **(SMALL | options))


def train_domain(folder: Path) -> None:
    config = small(domain.DomainConfig, folder, "style", validated=4)
    for name in ("kanagram", "kigo"):  # a package that sets the limit, and one that is learned from
        (package := config.work / "packages" / name).mkdir(parents=True, exist_ok=True)
        for seed in range(2):
            style_images.paint(random.Random(seed)).save(package / f"{seed}.png")
    domain.train(config)


def train_diffusion(folder: Path) -> None:
    first = small(autoencoder.AutoencoderConfig, folder, "vae")
    autoencoder.train(first)
    larger = small(autoencoder.AutoencoderConfig, folder, "decoder")
    autoencoder.enlarge(larger, first.out)
    config = small(diffusion.TinyConfig, folder, "diffusion-tiny", vae=first.out)
    diffusion.train(replace(config, decoder=larger.out))


TRAININGS: Mapping[str, Callable[[Path], None]] = {
    "judge": lambda folder: judge.train(small(judge.JudgeConfig, folder, "judge", domain=2)),
    "judge/pairs": lambda folder: comparer.train(
        small(comparer.ComparerConfig, folder, "judge/pairs")
    ),
    "segmenter": lambda folder: segmenter.train(
        small(segmenter.SegmenterConfig, folder, "segmenter")
    ),
    "embedder": lambda folder: embedder.train(small(embedder.EmbedderConfig, folder, "embedder")),
    "style": train_domain,
    "diffusion-tiny": train_diffusion,
}


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is fetched, and little is measured."""
    monkeypatch.setattr(packages, "fetch", lambda folder: None)
    monkeypatch.setattr(autoencoder, "MEASURED", range(1))
    monkeypatch.setattr(judge, "labeled_images", lambda: [*style_images.labeled_images()][:2])


def shapes(folder: Path) -> dict[str, list[int]]:
    """The shapes of all weights of a folder but for the number of words."""
    found = {}
    for file in folder.rglob("*.safetensors"):
        with safe_open(file, "pt") as weights:
            for name in weights.keys():  # noqa: SIM118
                shape = weights.get_slice(name).get_shape()
                found[f"{file.relative_to(folder)} {name}"] = [
                    side for side in shape if not 350 <= side <= 2200
                ]
    return found


def stop_once(monkeypatch: pytest.MonkeyPatch, train: Callable[[Path], None], out: Path) -> None:
    """Run a training that is stopped after its first checkpoint."""
    save = loop.save_checkpoint

    def save_and_stop(file: Path, stateful: Sequence[Any], step: int) -> None:
        save(file, stateful, step)
        raise KeyboardInterrupt

    with monkeypatch.context() as once:
        once.setattr(loop, "save_checkpoint", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            train(out)


@pytest.mark.parametrize("name", TRAININGS)
def test_a_stopped_training_goes_on_and_writes_weights_as_those_that_ship(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop_once(monkeypatch, TRAININGS[name], tmp_path)
    TRAININGS[name](tmp_path)
    assert "from step 2 on" in capsys.readouterr().out
    made, shipped = tmp_path / name, EMBEDDED / name
    kept = {key for key in shapes(shipped) if name != "judge" or not key.startswith("pairs/")}
    assert shapes(made) == {key: shapes(shipped)[key] for key in kept}
    check_reply(name, tmp_path)


def check_reply(name: str, folder: Path) -> None:
    """Check that the adapter of the model that ships loads a folder and replies with it."""
    path = folder / "image.png"
    style_images.draw_image(0, "test")[1].save(path)
    picture = Picture("0" * 64, path)
    if name == "style":
        detector.load_detector(folder / name).score(Image.open(path))
        return
    if name == "judge/pairs":
        ignored = shutil.ignore_patterns("pairs", "hashes.json")
        shutil.copytree(EMBEDDED / "judge", folder / "judge", ignore=ignored, dirs_exist_ok=True)
    model = name.partition("/")[0]
    spec = replace(read_models()[f"primer/{model}"], repository=str(folder / model))
    adapter: Any = registry.load(spec)
    match name:
        case "judge":
            assert adapter.features_known
            (reply,) = adapter.describe([Describe(picture, "")])
        case "judge/pairs":
            assert adapter.comparing
            asked = Ask(images=(picture, picture), text="", question="Is the shape the same?")
            (reply,) = adapter.ask([asked])
        case "segmenter":
            (reply,) = adapter.detect([Detect(picture, ("a ladybug",))])
        case "embedder":
            (reply,) = adapter.embed([Embed(image=picture)])
        case _:
            (reply,) = adapter.generate([Generate(prompt="a ladybug", seed=0)])
    assert not isinstance(reply, Failure), reply


def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train = TRAININGS["embedder"]
    stop_once(monkeypatch, train, tmp_path / "stopped")
    ends = []
    for folder in (tmp_path / "stopped", tmp_path / "undisturbed"):
        train(folder)
        with safe_open(folder / "embedder" / "model.safetensors", "pt") as weights:
            ends.append({name: weights.get_tensor(name) for name in weights.keys()})  # noqa: SIM118
    one, other = ends
    assert all(one[name].equal(other[name]) for name in one)


def test_the_weights_of_the_reader_are_those_that_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = Path(FILE).read_text(encoding="utf-8")
    monkeypatch.setattr(reading_confidence, "FILE", tmp_path / "confidence.toml")
    reading_confidence.main()
    assert (tmp_path / "confidence.toml").read_text(encoding="utf-8") == shipped
