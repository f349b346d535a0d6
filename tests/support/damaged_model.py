"""Damages a folder with a model in the ways that must be refused; it knows no test."""

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

DAMAGES = ("truncated", "missing", "pickle", "no config", "a weight is gone", "remote code")


def copied(whole: Path, folder: Path) -> Path:
    """A copy of the folder."""
    shutil.copytree(whole, folder)
    return folder


def damaged(whole: Path, folder: Path, damage: str) -> Path:
    """A copy of the folder that is broken in that way.

    Remote code that runs leaves a file `ran` beside it.
    """
    copied(whole, folder)
    weights, config = folder / "model.safetensors", folder / "config.json"
    match damage:
        case "truncated":
            weights.write_bytes(weights.read_bytes()[:1000])
        case "missing":
            weights.unlink()
        case "pickle":
            weights.unlink()
            torch.save({"a": torch.ones(1)}, folder / "pytorch_model.bin")
        case "no config":
            config.unlink()
        case "a weight is gone":
            kept = load_file(weights)
            kept.pop(max(name for name in kept if "embed" not in name))
            save_file(kept, weights, metadata={"format": "pt"})
        case "remote code":
            evil = {
                "AutoConfig": "evil.Config",
                "AutoModelForImageTextToText": "evil.Model",
                "AutoModelForCausalLM": "evil.Model",
            }
            config.write_text(
                json.dumps(
                    json.loads(config.read_text()) | {"model_type": "mine", "auto_map": evil}
                )
            )
            (folder / "evil.py").write_text(
                f"open({str(folder.parent / 'ran')!r}, 'w')\nclass Config: ...\nclass Model: ...\n"
            )
        case _:
            raise ValueError(damage)
    return folder
