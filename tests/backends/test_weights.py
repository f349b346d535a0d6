"""Weights are found on this disk without asking a server, and told from others by their bytes."""

import hashlib
import json
from pathlib import Path

import pytest

from hallascope.backends import weights


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The snapshot of `someone/painter` in an own cache of the Hub; its commit is 0123..."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    home = tmp_path / "hub" / "models--someone--painter"
    snapshot = home / "snapshots" / commit
    (snapshot / "unet").mkdir(parents=True)
    (snapshot / "model_index.json").write_text("{}")
    (snapshot / "unet" / "model.safetensors").write_bytes(bytes(30))
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(commit)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return snapshot


def test_a_model_is_found_in_the_cache_of_the_hub_by_a_file_of_it(hub_cache: Path) -> None:
    assert weights.cached_folder("someone/painter", None, "model_index.json") == hub_cache
    assert weights.cached_folder("someone/painter", hub_cache.name, "model_index.json") == hub_cache
    assert weights.cached_folder("someone/painter", None, "config.json") is None
    assert weights.cached_folder("someone/painter", "1" * 40, "model_index.json") is None
    assert weights.cached_folder("someone/other", None, "model_index.json") is None
    assert weights.cached_folder(str(hub_cache), None, "model_index.json") is None


def test_a_file_that_differs_from_its_hash_is_named_and_one_that_fits_is_none(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "outside").write_bytes(b"")
    (folder / "model.safetensors").write_bytes(b"weights")
    assert weights.hash_mismatch(folder) is None
    digest = hashlib.sha256(b"weights").hexdigest().upper()
    for hashes, message in (
        (json.dumps({"model.safetensors": digest}), None),
        ("{", "hashes.json is damaged"),
        ('{"model.safetensors": "00"}', "model.safetensors is not the file that hashes.json means"),
        ('{"none.safetensors": "00"}', "hashes.json names 'none.safetensors', which is not there"),
        ('{"../outside": "00"}', "hashes.json names '../outside', which is not there"),
    ):
        (folder / "hashes.json").write_text(hashes)
        assert str(weights.hash_mismatch(folder)).startswith(str(message))


def test_the_fingerprint_of_a_large_file_changes_with_weights_all_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "_MAX_FULL_HASH", 1000)
    monkeypatch.setattr(weights, "_SAMPLE_SIZE", 16)
    file = tmp_path / "large.safetensors"
    file.write_bytes(bytes(100_000))
    before = weights.fingerprint(tmp_path, [file])
    file.write_bytes(bytes(99_999) + b"1")
    last = weights.fingerprint(tmp_path, [file])
    file.write_bytes(bytes([1]) + bytes(99_999))
    assert len({before, last, weights.fingerprint(tmp_path, [file])}) == 3
