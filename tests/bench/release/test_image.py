"""The image is built by what is there, from a base by name or digest, and runs without root."""

import re
from pathlib import Path

import pytest

from bench.release import image
from bench.release.image import NO_BUILDER, build_command
from bench.release.sbom import ROOT

CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")


def test_the_last_stage_has_no_root_a_health_check_a_volume_and_labels() -> None:
    last = CONTAINERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER (\d+):\1$", last, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK ", last, re.MULTILINE)
    assert "VOLUME /data" in last
    assert "HALLASCOPE_HOME=/data/" in last
    for label in ("version", "revision", "licenses", "created", "base.name"):
        assert f"org.opencontainers.image.{label}=" in last
    assert "apt-get" not in CONTAINERFILE, "a compiler could come along"


def test_packages_are_installed_by_their_hashes_and_without_a_network() -> None:
    assert "--no-index" in CONTAINERFILE
    assert "--require-hashes --requirement requirements-runtime.lock" in CONTAINERFILE
    assert "ARG BASE=docker.io/library/python:3.11-slim-bookworm\n" in CONTAINERFILE


@pytest.mark.parametrize("builder", ["buildah", "podman", "docker"])
def test_every_builder_is_given_base_version_and_revision(builder: str, tmp_path: Path) -> None:
    command = build_command(builder, tmp_path, "base@sha256:1", "0.1.0", "abc", 0)
    assert command[:2] == [builder, "build"]
    assert {"--build-arg=BASE=base@sha256:1", "--build-arg=REVISION=abc"} <= set(command)
    # docker knows no format; the others keep a health check in docker's alone
    assert ("--format=docker" in command) is (builder != "docker")


def test_without_a_builder_it_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(image, "find_builder", lambda: None)
    assert image.main([]) == 1
    assert capsys.readouterr().err == f"{NO_BUILDER}\n"
