"""Holds the words by which a text says how a thing stands to another, and how these are related.

A relation is "left of", "on", "behind" and so on; every spelling of it is listed here. `RELATIONS`
can be seen from boxes, `OTHER_RELATIONS` cannot, and `PICTURE_PLACES` are places in the picture.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from hallascope.metrics.parsing.words.language import wordset

# "at night" is no place
TIMES = wordset("""
    night day dawn dusk noon midday midnight sunrise sunset twilight daybreak nightfall morning
    evening afternoon time moment once least most first last christmas halloween easter dinner lunch
    breakfast work play rest speed attention angle distance
""")
# how several stand together is no place: "in a row"
FORMATIONS = wordset("""
    row line circle queue column formation pair group mid-air half motion love pile heap stack bunch
    cluster
""")
# where things have their own places: "a room with a bed on a rug"
SCENES = wordset("""
    room bedroom bathroom kitchen office apartment house hall hallway library classroom garage attic
    basement restaurant cafe shop store museum church studio street road city town village park
    garden yard backyard field meadow forest wood woods beach harbor lake river sea ocean landscape
    valley mountain hill desert sky area space land island coast shore sidewalk pavement sand
    grass snow building station airport farm zoo court pitch rink arena stadium gym ballpark
    playground courtyard plaza market cafeteria lobby pasture hillside meadow orchard vineyard
""")

# who is out in it is in it: "a man at a bus stop in the rain"
WEATHER = wordset("rain snowfall snowstorm storm wind fog mist sunlight sunshine sun dark darkness")
# these are everywhere around what is in them, so that they are beside nothing: "in the water"
OPEN_SPACES = wordset("""
    air mid-air midair sky rain wind fog mist dark darkness shade sunlight sun water ocean sea grass
    snow sand mud dirt
""")

_SIDES_OF = (
    "to the {} of",
    "on the {} of",
    "at the {} of",
    "{} of",
    "to the {} side of",
    "on the {} side of",
    "at the {} side of",
)
_OWNERS = ("its", "their", "his", "her")
_SIDES_ALONE = (
    *(
        f"{preposition} the {far}{{}}{side}"
        for preposition in ("on", "to", "at")
        for far in ("", "far ", "very ")
        for side in ("", " side")
    ),
    "in the {} foreground",
    *(f"{preposition} {owner} {{}}" for preposition in ("on", "to") for owner in _OWNERS),
)


_CORNERS = (
    "corner",
    *(f"{side} corner" for side in ("left", "right", "top", "bottom", "upper", "lower", "far")),
    *(
        f"{row}{joint}{side} corner"
        for row in ("top", "bottom", "upper", "lower")
        for joint in (" ", " - ")
        for side in ("left", "right")
    ),
)


def _edges(side: str) -> tuple[str, ...]:
    return tuple(f"{preposition} the {side}" for preposition in ("at", "in", "on"))


def _sides(side: str) -> tuple[str, ...]:
    spellings = (side, f"{side} hand", f"{side} - hand", f"{side} half")
    return tuple(form.format(spelling) for spelling in spellings for form in _SIDES_OF)


# relation -> the words that say it, followed by what it is said of
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "left of": _sides("left"),
    "right of": _sides("right"),
    "above": ("above", "over"),
    "below": ("below", "under", "beneath", "underneath", "on the bottom of", "at the bottom of"),
    "on": ("on", "on top of", "on the top of", "atop", "upon", "onto", "aboard", "at the top of"),
    "in": (
        "in",
        "sticking out of",
        "poking out of",
        "peeking out of",
        "growing out of",
        "inside",
        "inside of",
        "within",
        "into",
        "amid",
        "amidst",
        "in the midst of",
    ),
    "next to": (
        "next to",
        "beside",
        "near",
        "near to",
        "by",
        "by the side of",
        "close to",
        "close by",
        "nearby",
        "near by",
        "alongside",
        "adjacent to",
        "side by side with",
        "on side of",
        "at the side of",
        "to the side of",
        "on either side of",
        "on both sides of",
    ),
    "in front of": ("in front of", "in the front of", "before"),
    "behind": (
        "behind",
        "in back of",
        "at the back of",
        "at the rear of",
        "to the rear of",
    ),
}
# relations that boxes do not show, with their words
OTHER_RELATIONS: Mapping[str, tuple[str, ...]] = {
    "between": ("between", "in between", "in the space between"),
    "among": ("among", "amongst"),
    "around": ("around", "all around", "round"),
    "against": ("against", "up against"),
    "across": ("across", "across from"),
    "opposite": ("opposite", "opposite to"),
    "along": ("along",),
    "through": ("through", "throughout"),
    "past": ("past",),
    "outside": ("outside", "outside of"),
    "at": ("at",),
    "toward": ("toward", "towards"),
    "down": ("down",),
    "up": ("up",),
    "out of": ("out of", "coming out of"),
}
# relation -> the words that say it without what it is said of: "on the right", "to its left"
_RELATIONS_ALONE: Mapping[str, tuple[str, ...]] = {
    "left of": tuple(form.format("left") for form in _SIDES_ALONE),
    "right of": tuple(form.format("right") for form in _SIDES_ALONE),
}
# place in the picture -> the words that say it
PICTURE_PLACES: Mapping[str, tuple[str, ...]] = {
    "on top": ("on top",),
    "top": _edges("top"),
    "bottom": _edges("bottom"),
    "middle": (*_edges("middle"), *_edges("center"), *_edges("centre")),
    "corner": tuple(
        f"{preposition} the {corner}" for preposition in ("in", "at", "on") for corner in _CORNERS
    ),
    "background": ("in the background", "in the distance", "in the far background"),
    "foreground": ("in the foreground", "in the near foreground"),
}
INVERSE: Mapping[str, str] = {
    "left of": "right of",
    "right of": "left of",
    "above": "below",
    "below": "above",
    "in front of": "behind",
    "behind": "in front of",
    "next to": "next to",
}
# what also counts where a relation is asked for, by the lenient rule
KIN: Mapping[str, tuple[str, ...]] = {"on": ("above",), "above": ("on",), "in": ("on",)}

# what else a landscape has
LANDMARKS = wordset("""
    tree bush track rail railroad railway platform lot water pond pool stream canal fence bridge
    cliff rock curb crosswalk intersection highway path trail court runway dock pier
""")
BODY_PARTS = wordset("""
    hand mouth arm head lap back hair neck shoulder beak tooth finger face paw ear nose wrist chest
    leg foot claw trunk jaw lip knee hip side tail
    beard moustache mustache mane horn antler wing fur feather eye eyebrow cheek chin forehead
""")
# parts of furniture, buildings and vehicles
BUILT_PARTS = wordset("""
    shelf drawer wall floor ceiling roof door window windowsill sill counter deck hood step porch
    balcony lid rim edge corner mantel mantelpiece ledge doorstep rack hook rail seat dashboard
""")
# these say a place also where nothing follows: "a plane with a person nearby"
PLACE_ADVERBS = wordset("nearby by beside alongside inside behind underneath beneath")
# what a person sits, stands or rides on
SEATS = wordset("""
    chair armchair sofa couch bed bench stool seat sofa hammock swing mat rug carpet blanket towel
    floor ground lawn field board surfboard skateboard snowboard ski bike bicycle motorcycle scooter
    horse elephant camel donkey boat ship train bus plane raft wagon truck stage balcony porch patio
    deck step stair staircase ladder roof rooftop wave slope court ledge ramp rail saddle back lap
    stroller pram pushchair wheelchair carriage cart crib cradle sling hammock
    throne bleacher log stump platform ice dune knee stomach side foot phone computer laptop tv
    television screen guitar piano
""")
# what carries who is on it about, beside vehicles
RIDDEN = wordset("""
    ski skis board surfboard skateboard snowboard skiboard wakeboard paddleboard bodyboard longboard
    sled raft toboggan skate scooter unicycle segway
""")
# the way that something moves: "a man pushing a cart along a street" is along it
PATHS = ("around", "past", "through", "along", "across", "toward", "down", "up")


class Spelling(NamedTuple):
    """A relation, and whether what it is said of must follow its words."""

    relation: str
    has_anchor: bool


@cache
def spellings() -> Mapping[tuple[str, ...], Spelling]:
    """Return the words of every spelling with what they say."""
    with_anchor = {
        tuple(words.split()): Spelling(relation, True)
        for relation, spelled in (*RELATIONS.items(), *OTHER_RELATIONS.items())
        for words in spelled
    }
    alone = {
        tuple(words.split()): Spelling(relation, False)
        for relation, spelled in (*_RELATIONS_ALONE.items(), *PICTURE_PLACES.items())
        for words in spelled
    }
    return with_anchor | alone


@cache
def longest_spelling() -> int:
    """Return how many words the longest spelling has."""
    return max(len(words) for words in spellings())


def relation_words(relation: str) -> str:
    """Return a relation as a sentence says it: "to the left of"."""
    return f"to the {relation}" if relation in ("left of", "right of") else relation
