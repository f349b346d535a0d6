"""Damages the folder of a tiny pipeline in the ways that its loading must refuse."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from safetensors.torch import load_file, save_file


class Damage(NamedTuple):
    """Damages a folder by `apply`; `message` is in the sentence that refuses the folder."""

    apply: Callable[[Path], object]
    message: str


def weights_file(folder: Path, part: str = "unet") -> Path:
    return next((folder / part).glob("*.safetensors"))


def rename_denoiser_to_fp16(folder: Path) -> None:
    """Call the weights of the denoiser those of a variant."""
    weights_file(folder).rename(folder / "unet" / "diffusion_pytorch_model.fp16.safetensors")


def cut_off(folder: Path, part: str = "unet") -> None:
    file = weights_file(folder, part)
    file.write_bytes(file.read_bytes()[:-100])


def rename_to_pickle(folder: Path, part: str = "unet") -> None:
    file = weights_file(folder, part)
    file.rename(file.with_name(f"{file.name.split('.')[0]}.bin"))


def change_index(folder: Path, **changes: object) -> None:
    """Change the index of a pipeline; None takes a name out of it."""
    file = folder / "model_index.json"
    document = json.loads(file.read_text()) | changes
    kept = {name: value for name, value in document.items() if value is not None}
    file.write_text(json.dumps(kept))


def add_code(folder: Path, part: str = "unet") -> None:
    """Make a part a class of code in the folder, which leaves a file `ran` beside it if it runs."""
    change_index(folder, **{part: ["evil", "Evil"]})
    (folder / part / "evil.py").write_text(
        f"open({str(folder.parent / 'ran')!r}, 'w')\nclass Evil: ...\n"
    )


def drop_tensor(folder: Path, part: str = "unet") -> None:
    file = weights_file(folder, part)
    tensors = load_file(file)
    tensors.pop(min(tensors))
    save_file(tensors, file, {"format": "pt"})


def widen_text_encoder(folder: Path) -> None:
    file = folder / "text_encoder" / "config.json"
    file.write_text(file.read_text().replace('"hidden_size": 32', '"hidden_size": 64'))


DAMAGES: Mapping[str, Damage] = {
    "no folder": Damage(shutil.rmtree, "the folder is not there: give the path"),
    "no index": Damage(
        lambda folder: (folder / "model_index.json").unlink(), "it has no model_index.json"
    ),
    "no config": Damage(
        lambda folder: (folder / "unet" / "config.json").unlink(), "'unet' has no config.json"
    ),
    "torn index": Damage(
        lambda folder: (folder / "model_index.json").write_text("{"), "cannot be read"
    ),
    "another task": Damage(
        lambda folder: change_index(folder, _class_name="StableDiffusionImg2ImgPipeline"),
        "does not draw from words alone",
    ),
    "part of its own": Damage(add_code, "code in the folder, which is never run"),
    "cut off": Damage(cut_off, "unet/diffusion_pytorch_model.safetensors is damaged, it has "),
    "pickle": Damage(rename_to_pickle, "has only the pickle"),
    "lost tensor": Damage(drop_tensor, "'unet' lacks 1 of its weights, 'conv_in.bias' among them"),
    "another shape": Damage(widen_text_encoder, "'text_encoder' do not fit its config.json"),
}
