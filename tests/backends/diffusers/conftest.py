"""Tiny pipelines of real architectures with random weights, made once for all tests."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.data.requests import Setting
from tests.support.painters import painter_spec
from tests.support.tiny_models import pipelines
from tests.support.tiny_models.pipeline_parts import stable_diffusion_xl

UNBINNED: Mapping[str, Setting] = {"use_resolution_binning": False, "clean_caption": False}


class Made(dict[str, Any]):
    """What is made by a name when it is first asked for."""

    def __init__(self, make: Callable[[str], Any]) -> None:
        self.make = make

    def __missing__(self, name: str) -> Any:
        self[name] = self.make(name)
        return self[name]


@pytest.fixture(scope="session")
def pipeline_folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Folders of tiny pipelines by name."""
    home = tmp_path_factory.mktemp("pipelines")
    makers: dict[str, Callable[[Path], Path]] = {
        "stable_diffusion": pipelines.stable_diffusion,
        "stable_diffusion_xl": stable_diffusion_xl,
        "pixart": pipelines.pixart,
        "flags": partial(pipelines.stable_diffusion, checked=True, flags=True),
        "passes": partial(pipelines.stable_diffusion, checked=True),
    }
    return Made(lambda name: makers[name](home / name))


@pytest.fixture(scope="session")
def painters(pipeline_folders: Mapping[str, Path]) -> Mapping[str, TextToImage]:
    """A loaded model of each architecture, by the name of its folder."""

    def load(name: str) -> TextToImage:
        settings = UNBINNED if name == "pixart" else {}
        return TextToImage(painter_spec(pipeline_folders[name], **settings))

    return Made(load)


@pytest.fixture(scope="session")
def painter(painters: Mapping[str, TextToImage]) -> TextToImage:
    return painters["stable_diffusion"]
