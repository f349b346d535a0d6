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


def remove_vocabulary(folder: Path) -> None:
    """Leave a vocabulary without the merges that it is read with."""
    for file in ("merges.txt", "tokenizer.json"):
        (folder / "tokenizer" / file).unlink(missing_ok=True)
    (folder / "tokenizer" / "vocab.json").write_text("{}")


DAMAGES: Mapping[str, Damage] = {
    "no folder": Damage(shutil.rmtree, "the folder is not there: give the path"),
    "no index": Damage(lambda folder: (folder / "model_index.json").unlink(), "model_index.json"),
    "torn index": Damage(
        lambda folder: (folder / "model_index.json").write_text("{"), "not a valid JSON file"
    ),
    "no config": Damage(
        lambda folder: (folder / "unet" / "config.json").unlink(),
        "its part 'unet' does not fit its config.json (",
    ),
    "another task": Damage(
        lambda folder: change_index(folder, _class_name="StableDiffusionImg2ImgPipeline"),
        "does not draw from words alone",
    ),
    "unknown class": Damage(
        lambda folder: change_index(folder, _class_name="NoSuchPipeline"),
        "names the pipeline 'NoSuchPipeline', which diffusers",
    ),
    "pipeline of its own": Damage(
        lambda folder: change_index(folder, _class_name=["evil", "Evil"]),
        "code in the folder is never run",
    ),
    "part of its own": Damage(add_code, "code in the folder is never run"),
    "part of a package": Damage(
        lambda folder: change_index(folder, unet=["subprocess", "Popen"]),
        "of no library that is imported here",
    ),
    "no part": Damage(lambda folder: change_index(folder, unet=["diffusers", 3]), "'unet'"),
    "lost part": Damage(lambda folder: shutil.rmtree(folder / "vae"), "'vae' is missing"),
    "unnamed part": Damage(lambda folder: change_index(folder, unet=None), "unet"),
    "no vocabulary": Damage(remove_vocabulary, "'tokenizer' has no whole vocabulary"),
    "cut off": Damage(cut_off, "unet/diffusion_pytorch_model.safetensors is damaged ("),
    "pickle": Damage(rename_to_pickle, "'unet' has only pickles, which are never loaded"),
    "lost tensor": Damage(
        drop_tensor, "of its part 'unet', 1 of its weights are missing, 'conv_in.bias' among them"
    ),
    "another shape": Damage(widen_text_encoder, "'text_encoder' does not fit its config.json ("),
    "variant": Damage(
        rename_denoiser_to_fp16, "only weights of the variant 'fp16'; write `variant: fp16`"
    ),
}
