"""Who stands at a place."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A dog standing on a beach next to the ocean",
            [("dog", "on", "beach"), ("beach", "next to", "ocean")],
        ),
        (
            "A hydrant on the sidewalk by a car",
            [("hydrant", "on", "sidewalk"), ("hydrant", "next to", "car")],
        ),
        (
            "A dog lying on a bed in a bedroom",
            [("dog", "on", "bed"), ("bed", "in", "bedroom")],
        ),
        (
            "Two people under an umbrella standing in the rain",
            [("person", "below", "umbrella"), ("person", "in", "rain")],
        ),
        (
            "Two women sitting at a table with glasses in their hands",
            [("woman", "at", "table"), ("glass", "in", "hand")],
        ),
        ("The dog holds a rope in its mouth", [("rope", "in", "mouth")]),
        ("a violin case with a few coins lies at their feet", [("violin case", "at", "foot")]),
        ("A fox with a red tail sleeping in the snow", [("fox", "in", "snow")]),
        ("a tart with three raspberries on top", [("raspberry", "on", "tart")]),
        ("a building has a clock at the top", [("clock", "on", "building")]),
        ("a girl with a hat on the left", [("girl", "left of", None)]),
        ("a laptop with a keyboard, mouse and phone on a desk", [("laptop", "on", "desk")]),
        ("two baskets full of baguettes stand under a tree", [("basket", "below", "tree")]),
        ("A man blowing out candles on a cake", [("candle", "on", "cake")]),
        ("A man reading a book on a bench", [("man", "on", "bench")]),
        (
            "Two people are riding on surfboards in the ocean",
            [("person", "on", "surfboard"), ("person", "in", "ocean")],
        ),
        (
            "Many kites in the sky above a beach",
            [("kite", "in", "sky"), ("kite", "above", "beach")],
        ),
        (
            "A swan floating on a river in front of a boat",
            [("swan", "on", "river"), ("swan", "in front of", "boat")],
        ),
        (
            "Several boats floating in the water near a dock",
            [("boat", "in", "water"), ("boat", "next to", "dock")],
        ),
        (
            "A woman sitting on a wooden bench near a park",
            [("woman", "on", "bench"), ("bench", "next to", "park")],
        ),
        ("A bowl full of tomatoes sitting next to a flower", [("bowl", "next to", "flower")]),
        ("A sink full of dirty dishes under a window", [("sink", "below", "window")]),
        ("A pizza with ham and peppers sits on a stove", [("pizza", "on", "stove")]),
        ("A vase containing a red rose sits on a windowsill", [("vase", "on", "windowsill")]),
        (
            "A dog with a frisbee in its mouth running through the grass",
            [("frisbee", "in", "mouth"), ("dog", "through", "grass")],
        ),
        ("A man holding a racquet on a tennis court", [("man", "on", "tennis court")]),
        ("A person riding a dirt bike over a hill", [("person", "above", "hill")]),
        (
            "A toilet sitting next to a sink in a bathroom",
            [("toilet", "next to", "sink"), ("toilet", "in", "bathroom")],
        ),
        (
            "A woman in a white dress standing next to a man in a tuxedo",
            [("woman", "next to", "man")],
        ),
        (
            "A person with an umbrella stands near a bus stop in the rain",
            [("person", "next to", "bus stop"), ("person", "in", "rain")],
        ),
        ("Two cows standing in a field of green grass", [("cow", "in", "field of grass")]),
        ("Giraffes eating from a basket hanging on a pole", [("basket", "on", "pole")]),
        ("A table full of food with people around it", [("person", "around", "table")]),
        ("A cat with its paw on a mouse", [("paw", "on", "mouse")]),
        ("A child holding a jar with a frog inside", [("frog", "in", "jar")]),
        (
            "A military plane parked in a hangar with a person sitting nearby",
            [("plane", "in", "hangar"), ("person", "next to", "plane")],
        ),
        (
            "A man sits on a bench while a dog lies nearby",
            [("man", "on", "bench"), ("dog", "next to", "man")],
        ),
        ("A woman standing by a nearby tree", [("woman", "next to", "tree")]),
        (
            "A lamp post with a tall tower in the background",
            [("tower", "background", None)],
        ),
        ("A girl is on her board in the snow", [("girl", "on", "board"), ("girl", "in", "snow")]),
        ("a jar full of cookies and candies on a shelf", [("jar", "on", "shelf")]),
        ("a cup on the top shelf", [("cup", "on", "shelf")]),
    ],
)
def test_a_place_is_said_of_the_thing_that_stands_there(
    text: str, expected: list[tuple[str, str, str | None]]
) -> None:
    assert positions(text) == expected
