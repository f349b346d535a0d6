"""Damages the folder of a tiny Stable Diffusion in every way that a person can come by."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
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


def change_index(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the index of a pipeline in place."""
    file = folder / "model_index.json"
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))


def _index(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    return lambda folder: change_index(folder, change)


def _cut_off(folder: Path) -> None:
    file = weights_file(folder)
    file.write_bytes(file.read_bytes()[:-100])


def _pickled(folder: Path) -> None:
    file = weights_file(folder)
    torch.save(load_file(file), file.with_suffix(".bin"))
    file.unlink()


def _without_a_tensor(part: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        file = weights_file(folder, part)
        tensors = load_file(file)
        tensors.pop(min(tensors))
        save_file(tensors, file, {"format": "pt"})

    return damage


def _another_shape(folder: Path) -> None:
    file = folder / "text_encoder" / "config.json"
    file.write_text(file.read_text().replace('"hidden_size": 32', '"hidden_size": 64'))


def _own_pipeline(folder: Path) -> None:
    _index(lambda index: index.update(_class_name=["evil", "Evil"]))(folder)
    (folder / "evil.py").write_text(f"open({str(folder.parent / 'ran')!r}, 'w')\nclass Evil: ...\n")


def _own_part(folder: Path) -> None:
    _index(lambda index: index.update(unet=["evil", "Evil"]))(folder)
    (folder / "unet" / "evil.py").write_text(
        f"open({str(folder.parent / 'ran')!r}, 'w')\nclass Evil: ...\n"
    )


def _lost_shard(folder: Path) -> None:
    file = weights_file(folder)
    shard = file.with_name("diffusion_pytorch_model-00001-of-00002.safetensors")
    file.rename(shard)
    weight_map = {"a": shard.name, "b": "diffusion_pytorch_model-00002-of-00002.safetensors"}
    file.with_name(f"{file.name}.index.json").write_text(json.dumps({"weight_map": weight_map}))


DAMAGES: Mapping[str, Damage] = {
    "no folder": Damage(shutil.rmtree, "the folder is not there: give the path"),
    "no index": Damage(
        lambda folder: (folder / "model_index.json").unlink(),
        "it has no model_index.json, so it is no pipeline",
    ),
    "torn index": Damage(
        lambda folder: (folder / "model_index.json").write_text("{"),
        "model_index.json cannot be read: get the folder again",
    ),
    "index of nothing": Damage(
        lambda folder: (folder / "model_index.json").write_text("[]"),
        "model_index.json holds no JSON object",
    ),
    "no class": Damage(
        _index(lambda index: index.pop("_class_name")), "names no pipeline (_class_name)"
    ),
    "odd part": Damage(
        _index(lambda index: index.update(unet=["diffusers"])),
        "says ['diffusers'] of the part 'unet'",
    ),
    "part outside": Damage(
        _index(lambda index: index.update({"../unet": ["diffusers", "UNet2DConditionModel"]})),
        "of the part '../unet'",
    ),
    "unknown pipeline": Damage(
        _index(lambda index: index.update(_class_name="NoSuchPipeline")),
        "the pipeline 'NoSuchPipeline', which diffusers",
    ),
    "no pipeline": Damage(
        _index(lambda index: index.update(_class_name="UNet2DConditionModel")),
        "the pipeline 'UNet2DConditionModel'",
    ),
    "another task": Damage(
        _index(lambda index: index.update(_class_name="StableDiffusionImg2ImgPipeline")),
        "'StableDiffusionImg2ImgPipeline' does not draw from words alone",
    ),
    "video": Damage(
        _index(lambda index: index.update(_class_name="TextToVideoSDPipeline")),
        "does not draw from words alone",
    ),
    "code of its own": Damage(
        _own_pipeline,
        "names the class 'Evil' out of code in the folder, which is never run",
    ),
    "part of its own": Damage(
        _own_part,
        "its part 'unet' is the class 'Evil' out of code in the folder, which is never run",
    ),
    "foreign library": Damage(
        _index(lambda index: index.update(unet=["subprocess", "Popen"])),
        "is of 'subprocess', which is never imported",
    ),
    "unknown part": Damage(
        _index(lambda index: index.update(unet=["diffusers", "NoNet"])),
        "its part 'unet' is a 'NoNet'",
    ),
    "part not named": Damage(
        _index(lambda index: index.pop("unet")),
        "names no 'unet', which its pipeline 'StableDiffusionPipeline' needs",
    ),
    "no unet": Damage(lambda folder: shutil.rmtree(folder / "unet"), "its part 'unet' is missing"),
    "no tokenizer": Damage(
        lambda folder: shutil.rmtree(folder / "tokenizer"), "its part 'tokenizer' is missing"
    ),
    "no scheduler": Damage(
        lambda folder: shutil.rmtree(folder / "scheduler"), "its part 'scheduler' is missing"
    ),
    "no words": Damage(
        lambda folder: (folder / "tokenizer" / "tokenizer.json").unlink(),
        "its part 'tokenizer' has no vocabulary",
    ),
    "no config": Damage(
        lambda folder: (folder / "unet" / "config.json").unlink(),
        "its part 'unet' has no config.json",
    ),
    "no weights": Damage(
        lambda folder: weights_file(folder).unlink(), "its part 'unet' has no weights"
    ),
    "cut off": Damage(_cut_off, "unet/diffusion_pytorch_model.safetensors is damaged, it has "),
    "not safetensors": Damage(
        lambda folder: weights_file(folder).write_bytes(b"PK\x03\x04" * 100),
        "is no safetensors file, or damaged",
    ),
    "empty": Damage(
        lambda folder: weights_file(folder, "vae").write_bytes(b""),
        "vae/diffusion_pytorch_model.safetensors is no safetensors file",
    ),
    "pickle": Damage(
        _pickled,
        "its part 'unet' has only the pickle 'diffusion_pytorch_model.bin', which is never loaded",
    ),
    "lost shard": Damage(
        _lost_shard,
        "unet/diffusion_pytorch_model-00002-of-00002.safetensors is missing",
    ),
    "another variant": Damage(
        rename_denoiser_to_fp16,
        "has only weights of the variant 'fp16': write `variant: fp16`",
    ),
    "lost tensor": Damage(
        _without_a_tensor("unet"),
        "its part 'unet' lacks 1 of its weights, 'conv_in.bias' among them",
    ),
    "lost word": Damage(
        _without_a_tensor("text_encoder"),
        "its part 'text_encoder' lacks 1 of its weights",
    ),
    "another shape": Damage(
        _another_shape,
        "the weights of its part 'text_encoder' do not fit its config.json",
    ),
}
