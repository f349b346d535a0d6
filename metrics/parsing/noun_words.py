"""The words by which noun phrases are read, as lists; it knows no parser."""

from hallascope.metrics.parsing import language
from hallascope.metrics.parsing.language import wordset

# what a text speaks of that is no thing in the picture: the picture itself, and ...
PICTURES = wordset("""
    image picture photo photograph photography painting illustration drawing sketch artwork
    rendering render depiction scene view background foreground backdrop setting composition closeup
    close close-up shot emoji screenshot portrait caption color colour hue tone shade shape form
    texture style pattern design detail appearance day night morning evening afternoon time moment
""")
# ... what is none where nothing more is said of it: "the top", but "a counter top"
FRAMES = PICTURES | wordset("""
    top bottom left right middle center centre side front back corner rear end edge distance
    position direction place area part art attention look size feature amount addition contrast kind
    type sort variety way manner number word text letter sentence name
""")
# words of number: what follows them with "of" is the thing
CONTAINERS = wordset("""
    pair couple group bunch lot lots set herd flock crowd stack pile row line collection number
    variety assortment series handful dozen plenty cluster swarm array trio team pack mass bundle
    range total majority
""")
NUMBERS = {
    **{word: number for number, word in enumerate(language.NUMBERS)},
    **{
        "single": 1,
        "thirteen": 13,
        "fourteen": 14,
        "fifteen": 15,
        "sixteen": 16,
        "seventeen": 17,
        "eighteen": 18,
        "nineteen": 19,
    },
    **{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "dozen": 12},
}
COUNTED = {"pair": 2, "couple": 2, "trio": 3, "dozen": 12}
MADE = wordset(
    "shape form texture style color colour pattern made material"
)  # what follows with "of" is none of the things
DEFINITE = wordset("the this that these those its his her their our my your")
ARTICLES = wordset("a an some any several many few no each every both another other") | DEFINITE
OF = "of"
NEVER = wordset(
    "colored coloured like looking covered shaped sized"
)  # they make what stands before them describe
# words in -ing that belong to a name behind another noun: "a kitchen cutting board"
GERUNDS = wordset("""
    parking cutting loading living dining sewing washing shopping frying swimming building ring king
    wing painting string spring ceiling wedding evening morning lightning clothing pudding duckling
    sapling railing icing frosting awning earring
""")
NOUNS = ("NOUN", "PROPN")
NOUN_PLACES = ("ROOT", "nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj")
PLURAL_ONLY = wordset("pants trousers jeans shorts scissors sunglasses tights skis lens bus gas")
NO_NOUNS = wordset("other others same latter former first second third last next such")
IDIOMS = ("hot dog",)  # not of the kind that their last word says
UNITS = wordset("mm cm m km bc ad ce bce %")  # what stands behind a number that counts no things
