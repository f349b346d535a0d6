"""Libraries are quiet within the block, and as loud as before after it, also after an error."""

import pytest
from transformers.utils import logging

from hallascope.backends.quiet import quiet


def _fail_quietly() -> None:
    with quiet("transformers"):
        assert logging.get_verbosity() == logging.ERROR
        assert not logging.is_progress_bar_enabled()
        raise ValueError("broken")


def test_a_library_is_quiet_within_the_block_and_as_before_after_an_error() -> None:
    level = logging.get_verbosity()
    bars = logging.is_progress_bar_enabled()
    with pytest.raises(ValueError, match="broken"):
        _fail_quietly()
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == (level, bars)
