"""What `make torture` measures is what it says, and a sweep of a few images stands it."""

import pytest

from bench import torture


@pytest.mark.full
@pytest.mark.parametrize(
    "check, told", [("kills", "kill -9 at 2 of 2"), ("full-disk", "could not be written")]
)
def test_a_sweep_stands_kills_and_a_full_disk(
    check: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        torture.main(kills=2, images=6, only=[check])
    out = capsys.readouterr().out
    assert ended.value.code == 0, out
    assert "equal" in out
    assert told in out


def test_the_bill_lies_between_what_is_certain_and_what_may_have_been_lost() -> None:
    bills = {0.9: False, 1.0: True, 1.25: True, 1.5: True, 1.6: False}
    assert {bill: torture.fits(1.0, 0.5, bill) for bill in bills} == bills


def test_what_a_person_is_told_is_one_sentence_and_no_traceback() -> None:
    assert torture.is_sentence("The store could not be read.\n")
    texts = ["", "One.\nTwo.", "Traceback (most recent call last)"]
    assert not any(map(torture.is_sentence, texts))
