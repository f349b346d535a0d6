"""Fetches packages of photographs, clip art, icons, emoji, maps and screenshots, and reads them."""

import io
import json
import random
import shutil
import subprocess
import tarfile
import tomllib
from functools import cache
from pathlib import Path

from PIL import Image

PACKAGES: dict[str, dict[str, int]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
LEARNED = PACKAGES["trained"] | PACKAGES["icons"]
VALIDATED = PACKAGES["validated"]
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
SMALLEST = 48  # px; smaller icons show too little
LARGEST = 768  # px to which a large file is reduced when it is read
VECTOR_SIDE = 384


def fetch(folder: Path) -> None:
    """Download and unpack all that is not in the folder, each package into a folder of its name.

    Raises CalledProcessError where apt-get or npm cannot fetch one.
    """
    for package in (*PACKAGES["trained"], *VALIDATED):
        if not (folder / package).is_dir():
            archive = _download(folder, ["apt-get", "download", package], f"{package}_*.deb")
            part = _unpack_folder(folder / package)
            subprocess.run(["dpkg-deb", "-x", archive, part], check=True)
            part.rename(folder / package)
    for name in PACKAGES["icons"]:
        if not (folder / name).is_dir():
            pack = ["npm", "pack", f"@iconify-json/{name}"]
            unpack_icons(_download(folder, pack, f"iconify-json-{name}-[0-9]*.tgz"), folder / name)


def _download(folder: Path, command: list[str], file: str) -> Path:
    archives = folder / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    subprocess.run(command, cwd=archives, check=True)
    return next(archives.glob(file))


def unpack_icons(archive: Path, folder: Path) -> None:
    """Write every icon of an icon set as an SVG file of its name."""
    with tarfile.open(archive) as opened:
        file = opened.extractfile("package/icons.json")
        assert file, archive
        icons = json.load(file)
    part = _unpack_folder(folder)
    for name, icon in icons["icons"].items():
        sides = [icon.get(key, icons.get(key, 16)) for key in ("width", "height")]
        (part / f"{name}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f' viewBox="0 0 {sides[0]} {sides[1]}">{icon["body"]}</svg>'
        )
    part.rename(folder)


def _unpack_folder(folder: Path) -> Path:
    """Return an empty folder beside this one, which takes its name once all is unpacked."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    return part


@cache
def image_files(folder: Path, is_learned: bool) -> list[Path]:
    """Return image files of the packages in a folder, not more of each than are wanted."""
    chosen: list[Path] = []
    for package, most in (LEARNED if is_learned else VALIDATED).items():
        files = [path for path in (folder / package).rglob("*") if path.suffix.lower() in SUFFIXES]
        # Themes hold one icon in many sizes: one file of a name is enough.
        unique = list({path.stem: path for path in sorted(files) if path.is_file()}.values())
        chosen += random.Random(package).sample(unique, min(most, len(unique)))
    return chosen


def open_image(path: Path) -> Image.Image | None:
    """Return an image as RGBA; None where it cannot be read or is very small."""
    try:
        if path.suffix.lower() == ".svg":
            import resvg_py

            png = resvg_py.svg_to_bytes(svg_path=str(path), width=VECTOR_SIDE)
            image = Image.open(io.BytesIO(png)).convert("RGBA")
        else:
            with Image.open(path) as opened:
                opened.draft("RGB", (LARGEST, LARGEST))
                image = opened.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):  # damaged, or unknown
        return None
    if min(image.size) < SMALLEST:
        return None
    image.thumbnail((LARGEST, LARGEST))
    return image
