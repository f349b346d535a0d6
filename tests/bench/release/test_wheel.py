"""The wheel has the files of the rooms and no others, and archives are the same bytes each time."""

import io
import tarfile
from pathlib import Path

from bench.release.sbom import NAME
from bench.release.wheel import content_faults, digest, normalize

INFO = [
    f"hallascope-1.dist-info/{name}"
    for name in (f"sboms/{NAME}", "licenses/LICENSE", "licenses/THIRD_PARTY_LICENSES")
]
TRACKED = ["data/a.csv", "hallascope/api.py", "tests/test_a.py", "bench/b.py", "app.py"]
RIGHT = ["hallascope/data/a.csv", "hallascope/api.py", *INFO]


def test_a_wheel_with_all_files_of_the_rooms_has_no_fault() -> None:
    assert content_faults(RIGHT, TRACKED) == []


def test_what_is_missing_or_does_not_belong_is_named() -> None:
    assert content_faults(RIGHT[1:], TRACKED) == ["The wheel lacks hallascope/data/a.csv."]
    (fault,) = content_faults([*RIGHT, "tests/test_a.py"], TRACKED)
    assert fault.startswith("The wheel has tests/test_a.py")
    assert "sboms" in content_faults(RIGHT[:2] + INFO[1:], TRACKED)[0]


def archive(file: Path, names: list[str], moment: int, owner: int) -> Path:
    with tarfile.open(file, "w:gz") as out:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uid = 3, moment, owner
            out.addfile(member, io.BytesIO(b"abc"))
    return file


def test_archives_of_the_same_files_are_the_same_bytes(tmp_path: Path) -> None:
    one = archive(tmp_path / "one.tar.gz", ["a", "b"], 1, 0)
    other = archive(tmp_path / "other.tar.gz", ["b", "a"], 2, 1000)
    assert digest(one) != digest(other)
    for file in (one, other):
        normalize(file, 1_700_000_000)
    assert digest(one) == digest(other)
    with tarfile.open(one) as again:
        assert again.getnames() == ["a", "b"]
        assert again.extractfile("a").read() == b"abc"  # type: ignore[union-attr]
