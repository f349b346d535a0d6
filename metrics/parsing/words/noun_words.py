"""Holds the lists of words by which noun phrases are read."""

from hallascope.metrics.parsing.words import language
from hallascope.metrics.parsing.words.language import wordset

# what a text speaks of that is no thing in the picture: the picture itself and what is in general
# said of pictures
PICTURE_WORDS = wordset("""
    image picture photo photograph photography painting illustration drawing sketch artwork
    rendering render depiction scene view background foreground backdrop setting composition closeup
    close close-up shot emoji screenshot portrait caption color colour hue tone shade shape form
    texture style pattern design detail appearance day night morning evening afternoon time moment
""")
# these are no things where they stand alone: "the top", but "a counter top" is one
FRAME_WORDS = PICTURE_WORDS | wordset("""
    top bottom left right middle center centre side front back corner rear end edge distance
    position direction place area part art attention look size feature amount addition contrast kind
    type sort variety way manner number word text letter sentence name
""")

# --- number

# "a pair of skiers": what follows these words with "of" is the thing
CONTAINERS = wordset("""
    pair couple group bunch lot lots set herd flock crowd stack pile row line collection number
    variety assortment series handful dozen plenty cluster swarm array trio team pack mass bundle
    range total majority
""")
CONTAINER_NUMBERS = {"pair": 2, "couple": 2, "trio": 3, "dozen": 12}
NUMBERS = {word: number for number, word in enumerate(language.NUMBERS)} | {
    "single": 1,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "hundred": 100,
    "dozen": 12,
}
# a number before one of these counts no things: "a 30 cm ruler"
UNITS = wordset("mm cm m km bc ad ce bce %")

# --- articles

DEFINITE = wordset("the this that these those its his her their our my your")
ARTICLES = wordset("a an some any several many few no each every both another other") | DEFINITE

# --- nouns

# words in -ing that belong to a name behind another noun: "a kitchen cutting board"
NOUNS_IN_ING = wordset("""
    parking cutting loading living dining sewing washing shopping frying swimming building ring king
    wing painting string spring ceiling wedding evening morning lightning clothing pudding duckling
    sapling railing icing frosting awning earring
""")
PLURAL_ONLY = wordset("pants trousers jeans shorts scissors sunglasses tights skis lens bus gas")
NEVER_NOUNS = wordset("other others same latter former first second third last next such")
# names that are not of the kind that their last word says
IDIOMS = ("hot dog",)
# what a person is "in" without a place being meant
WORN = wordset("""
    shirt suit dress hat jacket coat uniform tie outfit costume parka pants shorts skirt sweater
    clothes clothing bikini gown robe jeans vest hoodie cap helmet gear attire wear swimsuit trunks
    blouse kimono armor armour mood motion display front
""")

# --- words that describe

COLORS = language.COLORS | wordset(
    "magenta cyan teal navy maroon tan indigo lavender golden scarlet"
)
# "a star-shaped cookie": these make the word before them describe, so that it names nothing
ADJECTIVE_ENDINGS = wordset("colored coloured like looking covered shaped sized")
# "made of wood", "the texture of denim": what follows these with "of" is a material and no thing
MATERIAL_OF = wordset("shape form texture style color colour pattern made material")
