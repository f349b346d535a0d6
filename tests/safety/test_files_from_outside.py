"""What a person uploads, or a file names, is no page, no script and no other file, whatever it
calls itself.
"""

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from hallascope.engine.errors import BadImage
from hallascope.engine.images.uploads import MAX_BYTES, accept

SCRIPT = b"<script>window.hit = 1</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>window.hit = 1</script></svg>'


def picture(form: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(
        file, form, **({"comment": SCRIPT} if form in ("GIF", "JPEG") else {})
    )
    return file.getvalue()


def archive(before: bytes) -> bytes:
    file = io.BytesIO()
    file.write(before)
    with zipfile.ZipFile(file, "a") as packed:
        packed.writestr("../../evil.py", "x")
    return file.getvalue()


@pytest.mark.parametrize("form", ["PNG", "GIF", "JPEG", "BMP", "WEBP"])
@pytest.mark.parametrize("make", [lambda data: data + SCRIPT, archive], ids=["page", "archive"])
def test_of_a_picture_that_is_also_something_else_only_the_picture_is_kept(
    tmp_path: Path, form: str, make: object
) -> None:
    path = tmp_path / "both.html"
    path.write_bytes(make(picture(form)))  # type: ignore[operator]
    kept = accept(path)
    assert kept.endswith(b"IEND\xaeB`\x82")
    assert b"script" not in kept
    assert not zipfile.is_zipfile(io.BytesIO(kept))
    with Image.open(io.BytesIO(kept)) as image:
        assert (image.format, image.size) == ("PNG", (16, 16))


@pytest.mark.parametrize(
    "data",
    [
        SVG,
        SCRIPT,
        b"GIF89a/*" + SCRIPT,
        b"%PDF-1.7",
        archive(b""),
        b"#!/bin/sh\n",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        b"",
    ],
    ids=["svg", "page", "gif", "pdf", "zip", "shell", "postscript", "nothing"],
)
def test_what_only_calls_itself_a_picture_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(data)
    with pytest.raises(BadImage, match=r"'picture\.png'"):
        accept(path)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("it was read"))
    with pytest.raises(BadImage, match="at most 20 MB"):
        accept(path)


def test_a_link_or_a_folder_in_place_of_a_picture_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "link.png").symlink_to("/etc/passwd")
    (tmp_path / "none.png").symlink_to(tmp_path / "nowhere")
    for name in ("link.png", "none.png"):
        with pytest.raises(BadImage):
            accept(tmp_path / name)
