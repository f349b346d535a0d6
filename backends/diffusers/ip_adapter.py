"""Attaches image-prompt adapters to a diffusers pipeline for an image with references.

They are those of IP-Adapter (Ye et al., 2023).

Settings of an entry: ip_adapter (a repository of the Hub or a folder), ip_adapter_folder within it,
ip_adapter_weights (safetensors), ip_adapter_encoder (the folder of the image encoder beside the
weights), ip_adapter_scale from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallascope.backends import weights
from hallascope.backends.base import ModelSpec
from hallascope.backends.hub.file_selection import DEFAULT_ENCODER
from hallascope.backends.images import open_rgb
from hallascope.backends.loading import load_whole
from hallascope.data.records import Picture

if TYPE_CHECKING:
    import torch

SETTINGS = frozenset(
    {
        "ip_adapter",
        "ip_adapter_folder",
        "ip_adapter_weights",
        "ip_adapter_encoder",
        "ip_adapter_scale",
    }
)
DEFAULT_SCALE = 0.6
_SUFFIX = ".safetensors"


class NoAdapter(ValueError):
    """Tells that there is no adapter to use, as the end of a sentence that says what to do."""


class ImagePromptAdapter:
    """Attaches the adapter of an entry; its image encoder is loaded at its first use and kept."""

    def __init__(self, spec: ModelSpec, device: str) -> None:
        self.spec = spec
        self._device = device
        self._encoder: Any = None

    @contextmanager
    def attached(self, pipeline: Any, references: Sequence[Picture]) -> Iterator[dict[str, Any]]:
        """Yield the arguments of the pipeline's call that pass it the references.

        Afterwards the pipeline is as it was. Without references nothing is done. Raises NoAdapter.
        """
        if not references:
            yield {}
            return
        if not hasattr(pipeline, "load_ip_adapter"):
            raise NoAdapter(
                "its pipeline takes no images beside the prompt: choose one with an adapter, e.g."
                " SDXL"
            )
        file = self.find_file()
        self._encoder = self._encoder or self._load_encoder(file, pipeline.dtype)
        pipeline.register_modules(image_encoder=self._encoder)
        pipeline.load_ip_adapter(
            str(file.parent), subfolder="", weight_name=file.name, local_files_only=True
        )
        try:
            scale = self.spec.settings.get("ip_adapter_scale")
            pipeline.set_ip_adapter_scale(float(DEFAULT_SCALE if scale is None else scale))
            yield {"ip_adapter_image": [[open_rgb(picture) for picture in references]]}
        finally:
            pipeline.unload_ip_adapter()

    def _load_encoder(self, file: Path, dtype: torch.dtype) -> Any:
        from transformers import CLIPVisionModelWithProjection

        name = str(self.spec.settings.get("ip_adapter_encoder") or DEFAULT_ENCODER)
        encoder = load_whole(
            CLIPVisionModelWithProjection,
            str(file.parent / name),
            str(dtype).removeprefix("torch."),
            local_files_only=True,
        )
        return encoder.to(self._device)

    def find_file(self) -> Path:
        """Return the file of the weights on this disk.

        Raises NoAdapter where the entry names none, or it is not there.
        """
        settings = self.spec.settings
        source = str(settings.get("ip_adapter") or "")
        file_name = str(settings.get("ip_adapter_weights") or "")
        subfolder = str(settings.get("ip_adapter_folder") or "")
        if not source or not file_name.endswith(_SUFFIX):
            raise NoAdapter(
                "its entry names no adapter: write ip_adapter, and ip_adapter_weights with a file"
                f" that ends in {_SUFFIX}"
            )
        folder: Path | None
        if Path(source).is_dir():
            folder = Path(source) / subfolder
        else:
            path_in_repository = f"{subfolder}/{file_name}".lstrip("/")
            folder = weights.cached_folder(source, None, path_in_repository)
        if folder is None or not (folder / file_name).exists():
            remedy = f"run `hallascope models get {self.spec.id}`"
            if weights.is_path(source):
                remedy = "fix ip_adapter in its entry"
            raise NoAdapter(f"its adapter {file_name!r} is not there: {remedy}")
        return folder / file_name
