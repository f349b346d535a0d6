"""Which of two things before a place stands there."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A cat lies on a chair on the porch", ("chair", "on", "porch")),
        ("A woman sits on a bench near a dog", ("woman", "next to", "dog")),
        ("A train is on the tracks next to the trees", ("track", "next to", "tree")),
        ("A man eating a sandwich on a plate", ("sandwich", "on", "plate")),
        ("A nurse pushes a soldier in a wheelchair", ("soldier", "in", "wheelchair")),
        ("A case with a globe on the top shelf", ("globe", "on", "shelf")),
        ("A cake topped with cherries on a stand", ("cake", "on", "stand")),
        ("A woman floats on a mattress in a pool", ("woman", "in", "pool")),
        ("The web of a spider shimmers in the dew", ("web", "in", "dew")),
        ("The wheels of a cart roll through the mud", ("wheel", "through", "mud")),
        ("A puppy dressed as a pirate sits next to a drum", ("puppy", "next to", "drum")),
        ("A boy flying a kite in a park", ("boy", "in", "park")),
    ],
)
def test_the_last_place_is_said_of_one_of_two(text: str, expected: tuple[str, str, str]) -> None:
    assert positions(text)[-1] == expected
