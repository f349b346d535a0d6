"""Measures what judging a folder holds in memory, by the number of its images: ``python -m
tests.support.folder_memory FOLDER`` prints the peaks as JSON.

Nothing else runs in its process, so that all that is traced is of the folder.
"""

import json
import random
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.image_folders.judging import FolderJudging, ImageTaken
from hallascope.engine.image_folders.records import FolderEntry, FolderImage, MatchedFolder
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from tests.conftest import build

SIDE = 90  # pixels of an image
FEW, MANY = 40, 400  # images


def noise(path: Path, number: int) -> Iterator[FolderEntry]:
    """Yield images of noise, each written over the one before when it is read."""
    for index in range(number):
        pixels = random.Random(index).randbytes(SIDE * SIDE * 3)
        Image.frombytes("RGB", (SIDE, SIDE), pixels).save(path)
        yield FolderImage(path=path, name=f"{index}.png", prompt=f"prompt {index // 4}")


def peak(services: Services, path: Path, number: int, name: str) -> int:
    """Return the most bytes that were held at once while so many images were taken."""
    template = EvaluateRequest(prompt="", metrics=(), judge=None)
    folder = MatchedFolder(entries=noise(path, number))
    opened = OpenedImages(source=name, layout="csv", folder=folder)
    judging = FolderJudging(services, opened, template, SpendingPolicy(), name=name)
    tracemalloc.start()
    taken = sum(isinstance(event, ImageTaken) for event in judging.events())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken == number
    return most


def main(folder: Path) -> None:
    services = build(folder / "home")
    path = folder / "image.png"
    peak(services, path, FEW, "warm")  # what is imported and cached at first
    peaks = {
        name: {"images": number, "bytes": peak(services, path, number, name)}
        for name, number in (("few", FEW), ("many", MANY))
    }
    services.store.close()
    print(json.dumps(peaks | {"image_bytes": path.stat().st_size}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
