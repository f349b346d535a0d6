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
    inside interior exterior outside top bottom left right middle center centre side front back
    corner rear end edge distance position direction place area part art attention look size
    feature amount addition contrast kind type sort variety way manner number word text letter
    sentence name
""")

# --- number

# "a pair of skiers": what follows these words with "of" is the thing
CONTAINERS = wordset("""
    pair couple group bunch lot lots set herd flock crowd stack pile row line collection number
    variety assortment series handful dozen plenty cluster swarm array trio team pack mass bundle
    range total majority quartet quintet hundred thousand million ton load heap mound throng horde
    mob gang squad legion army troop colony gaggle pride pod litter brood drove fleet squadron
    procession parade multitude myriad abundance clump batch mix mixture selection host mountain
    duo minority school queue string chain tower pyramid
""")
CONTAINER_NUMBERS = {"pair": 2, "couple": 2, "duo": 2, "trio": 3, "quartet": 4, "quintet": 5}
# a number before one of these counts no things: "a 30 cm ruler"
UNITS = wordset("""
    mm cm m km millimeter centimeter meter metre kilometer kilometre mile yard foot feet ft inch
    inches in g kg gram kilogram lb lbs pound oz ounce ton ml liter litre gallon degree degrees
    percent % k p px pixel megapixel mp watt volt second minute hour day week month year years yr
    am pm o'clock mph kmh bc ad ce bce d
""")

# what holds or is a part of what follows with "of": "a glass of red wine" is one thing
HOLDERS = wordset("""
    glass bowl plate cup mug bottle jar can pot pan basket bag box tray vase bucket barrel pitcher
    jug carton crate sack tin tub tube vial flask keg thermos teapot kettle platter dish saucer
    goblet tankard packet pouch case bin bouquet wreath garland bale stick bar ball bunch
    slice piece loaf wedge half quarter chunk scoop spoonful handful mouthful portion serving
    sliver strip segment section fragment shard crumb cube block slab lump dollop drop sheet roll
    scrap swirl puddle pool field patch bed square
""")
# of these "a peach" is cut, too: "a half of a peach"
PORTIONS = wordset("slice piece wedge half quarter chunk portion sliver segment fragment")
# what these are "of" is only depicted: "a statue of two women" is one thing
DEPICTIONS = wordset(
    "statue statuette sculpture figurine bust mural tattoo replica poster effigy carving"
)
# these are the picture itself, or a picture in it
PICTURES = wordset("picture photo photograph painting drawing sketch portrait illustration")

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
# of these those that nobody does
NAMES_IN_ING = wordset("icing frosting railing awning ceiling clothing pudding earring seasoning")
# these are plural for one thing, too: "pants", "a pair of scissors"
PLURAL_ONLY = wordset("""
    pants trousers jeans shorts slacks leggings tights overalls dungarees coveralls pajamas pyjamas
    chaps breeches knickers panties briefs underpants sweatpants khakis corduroys jodhpurs culottes
    capris suspenders scissors shears pliers tweezers tongs clippers forceps pincers eyeglasses
    sunglasses spectacles goggles binoculars headphones earphones handcuffs bellows calipers clothes
    wares goods groceries belongings leftovers refreshments grits remains ruins outskirts
    surroundings premises headquarters barracks gallows suds dregs riches valuables furnishings
    whereabouts woods tropics heavens
""")
# nouns whose plural is as the singular: "two sheep"
INVARIANT_PLURALS = wordset("""
    sheep fish deer moose elk bison reindeer caribou swine salmon trout cod tuna squid shrimp
    aircraft spacecraft hovercraft watercraft series species offspring cattle people police poultry
    vermin livestock dice fowl grouse quail mackerel halibut herring plankton goldfish clownfish
    jellyfish starfish swordfish catfish
""")
# of these a bare "sheep grazing" says that they are several; "fish" alone may be food
SEVERAL_WHEN_BARE = wordset("""
    sheep deer moose elk bison reindeer caribou cattle people police livestock goldfish clownfish
    jellyfish starfish
""")
# nouns that are of one thing or of a mass, though the parser may take them for plurals
NEVER_PLURAL = wordset("""
    broccoli spaghetti macaroni ravioli zucchini graffiti confetti pasta linguine fettuccine penne
    gnocchi grass moss glass brass lens gas bus atlas canvas pancreas christmas texas bias alias
    pampas news physics gymnastics athletics tennis chess mathematics molasses measles billiards
    lettuce corn rice bread furniture equipment luggage clothing jewelry foliage scenery machinery
    hay wheat cheese fur hair ramen specimen abdomen omen stamen
""")
# nouns of no number, beside what WordNet says to be food, a substance or a sport
MASS_NOUNS = NEVER_PLURAL | wordset("""
    fruit baggage laundry music traffic money cash mail homework makeup garbage produce
    wildlife vegetation greenery merchandise pottery silverware cutlery footwear headgear art
""")
NEVER_NOUNS = wordset("other others same latter former first second third last next such")
# they say where something is done: "swimming underwater"
PLACE_ADVERBS = wordset("""
    underwater offshore onshore overhead ashore aboard alongside midair backstage upstairs
    downstairs outdoors indoors uphill downhill midstream skyward
""")
# words that the parser takes for nouns at times, and that name nothing
NAMELESS = PLACE_ADVERBS | wordset("""
    few fewer less more most much maybe perhaps always never ever however whatever anything
    something everything nothing thanks thank please hello hi lol ok
    okay yes yeah rest such thing things stuff softer easier later sooner better worse bigger
    smaller larger longer shorter taller slower faster harder higher lower older younger louder
    quieter darker lighter brighter
""")
# names that are not of the kind that their last word says
IDIOMS = ("hot dog",)
# what a person is "in" without a place being meant
WORN = wordset("""
    shirt t-shirt tee blouse sweater pullover jumper cardigan hoodie sweatshirt turtleneck vest
    waistcoat top tank jersey suit tuxedo tux blazer dress gown sundress skirt kilt tutu kimono sari
    toga robe bathrobe nightgown pajamas pyjamas jacket coat overcoat trenchcoat raincoat parka
    anorak poncho cape cloak shawl uniform outfit costume garb attire clothes clothing garment gear
    wear apparel finery swimwear swimsuit bikini trunks wetsuit pants trousers jeans shorts leggings
    tights overalls dungarees jumpsuit tracksuit spacesuit onesie bodysuit leotard apron tie
    necktie bowtie scarf hat cap beanie beret helmet hood bonnet turban headscarf veil mask glasses
    sunglasses goggles glove mitten boot shoe sneaker sandal heel slipper sock stocking armor armour
    lingerie underwear bra collar harness headphones mood motion display front
""")

# --- words that describe

COLORS = language.COLORS | wordset(
    "magenta cyan teal navy maroon tan indigo lavender golden scarlet"
)
# "a star-shaped cookie": these make the word before them describe, so that it names nothing
COVERED = wordset("covered lined filled topped framed coated capped rimmed trimmed clad strewn")
ADJECTIVE_ENDINGS = wordset("colored coloured like looking shaped sized") | COVERED
# "made of wood", "the texture of denim": what follows these with "of" is a material and no thing
MATERIAL_OF = wordset("shape form texture style color colour pattern made material")
# adjectives that say nothing of a thing alone: "next to a tree", "able to fly", "the same hat"
NEVER_DESCRIBE = wordset("""
    next able unable about same such own other another else certain more most less least fewer
    fewest enough only half due likely unlikely ready willing aware former latter further additional
    extra whose which what whole entire various several many multiple numerous few first last
    like unlike near opposite worth very so too quite rather also just really extremely almost
    nearly still already even fairly at about around than
""")
# "a blue-eyed cat": a color before one of these is of a part of the thing
BODY_ADJECTIVES = wordset("""
    eyed haired headed legged tailed winged furred skinned handed faced nosed eared footed armed
    bearded breasted bellied bodied necked horned beaked feathered toothed lipped backed tipped
    rimmed collared crested capped topped roofed leafed leaved petaled stemmed
""")
