"""Holds the classes of verbs by which relations are read, by their lemmas."""

from hallascope.metrics.parsing.words.language import wordset

# of pictures and not of things: "the image shows a dog"
SHOWING_VERBS = wordset(
    "be show depict display feature showcase portray present illustrate contain include have see"
    " view there"
)
# these say no more than the place behind them does: "a cat sitting on a chair"
POSTURE_VERBS = wordset("""
    be rest hang lie place put locate position situate sit stand lean set lay stay seat perch park
    nestle mount drape balance prop stack pile arrange scatter strew spread crouch squat kneel
    recline lounge sprawl curl huddle gather cluster line stick stuck attach fasten tie hover float
    remain wait pose appear display show find see place suspend string press tuck wedge bury embed
    plant anchor dock moor root surround snuggle cuddle tower loom rise crowd group assemble
    serve decorate fix pin glue tape paint print write engrave carve
""")
# of these only the thing itself can do it: "a bird perched on a branch" did it
INTRANSITIVE_VERBS = wordset("""
    be rest lie sit stand stay crouch squat kneel recline lounge hover float remain wait pose appear
    loom rise huddle nestle tower snuggle cuddle serve
""")
# "a motorcycle parked by the door" is next to it, and the door does nothing
RESTING_VERBS = wordset("seat park sit stand lie stop rest dock moor wait pose pass walk stand")
# things do these, too: "a cup and a saucer sit on a table"
THINGS_VERBS = wordset("hang lie sit lean float rest")
# a subject may stand behind these: "on the wall hang two pictures"
INVERTED_VERBS = THINGS_VERBS | wordset("stand grow perch hover burn glow swim sleep fly crouch")
# "walking past a house", "a plane flying over a city"
MOTION_VERBS = wordset("""
    walk run go come move travel drive ride fly float drift drop fall land jump leap hop step climb
    crawl creep sail swim dive race speed rush march stroll wander roam trot gallop jog skip slide
    glide soar ski skate skateboard surf roll cross pass head stumble splash flow stream drip melt
    play hide wade waddle hike cycle pedal cruise descend ascend swoop circle flutter swarm swing
    spin tumble trail spill extend stretch wind lead live grow
""")
# what a thing does alone wherever it is: "a cat sleeping on a chair" is sleeping
STATE_VERBS = wordset("""
    sleep nap doze eat drink graze dance swim bloom sing smile glow shine burn read write work study
    cook relax rest meditate pray pose kneel crouch squat
""")
# these say no state by themselves: "going home"
LIGHT_VERBS = wordset("go come get do take use try begin start continue keep let help need want")
# "a kitten interacting with a kitten"
INTERACTING_VERBS = wordset(
    "interact fight talk chat speak argue wrestle compete converse communicate struggle meet battle"
)
# people and animals do these, or what moves by itself: no umbrella stands in the rain
LIVING_VERBS = wordset("stand walk run kneel crouch squat pose play wait jog march stroll dance")
# nobody does these, but things
HANGING_VERBS = wordset("hang dangle drape protrude stick")
# who does these to a thing is where it is: "riding a bike over a hill"
RIDING_VERBS = wordset("ride drive steer pedal paddle row sail push pull drag")
HOLDING_VERBS = wordset("hold carry have keep grip grasp clutch clench catch grab")
# "stirring a potion with a bone": who does it has the bone
INSTRUMENT_VERBS = wordset("""
    stir comb brush poke dig hammer wipe scrub sweep mop whisk beat hit strike stab scratch tickle
    rake shovel polish scoop prod measure mow fan
""")
# what these are done to is where they are done: "slicing onions on a board"
LAYING_VERBS = wordset("put place set lay arrange stack pile spread hang pour drop pin stick")
PUTTING_VERBS = LAYING_VERBS | wordset("""
    cut slice chop dice carve roll knead fry cook bake grill roast stir boil serve draw paint write
    build hide mix plant
""")
# who does these is there, and not only what they are done to: "playing a harp on a rock"
USING_VERBS = wordset("play read eat drink smoke sip knit strum munch devour sew use wear")
# "a blanket draped over a chair" is on it
DRAPING_VERBS = wordset("drape sling throw lay spread fold toss wrap hang fling pour drizzle")
# what stands behind verb and preposition is what the verb is done to, and no place
OBJECT_PREPOSITIONS = {
    "on": wordset(
        "write draw work talk type chew gnaw feed snack munch nibble knock focus concentrate click"
        " suck scribble doodle sketch play speak call step stamp blow bite dine spy"
    ),
    "in": wordset("write draw scribble doodle believe engage participate bite"),
    "into": wordset("look peer gaze stare bite cut tap blow speak sing turn transform pour dig"),
    "over": wordset("look watch preside argue fight"),
    "through": wordset("look peer gaze stare see peek peep flip leaf"),
    "at": wordset(
        "look stare gaze glance peer point laugh shout yell bark growl hiss swing wave smile shoot"
        " aim throw wink scream snarl grin glare nibble peck sniff paw peek squint gape marvel"
        " frown scowl poke claw snap nod aim bat swat fling hurl toss shine squirt spray thrust"
        " lunge lick tug chew wag gnaw"
    ),
    "around": wordset("look wrap"),
    "against": wordset("play fight compete rub protest warn struggle battle guard"),
    "down": wordset("look stare peer gaze"),
    "up": wordset("look stare gaze"),
    "by": frozenset(),
    "out of": wordset("eat drink feed sip slurp make carve build cut craft fashion mold form read"),
}
# what is done at a place: "shopping at a market"
DONE_AT = wordset(
    "arrive stop meet eat dine shop live gather start end begin skateboard practice perform camp"
    " queue train wait serve fish picnic barbecue celebrate relax converge pause land"
)
# prepositions that do not name a place by themselves: "walking down the street"
WITH_THEIR_VERB = ("down", "up", "toward")
# "a bed covered with clothing": the clothing is on the bed
COVERING_VERBS = wordset(
    "cover top coat lade laden set heap clutter sprinkle strew litter dust blanket cap crown"
    " garnish smother glaze frost carpet plaster pile scatter"
)
# "a gift wrapped in paper": what follows "in" is around it
WRAPPING_VERBS = wordset("wrap bathe drench soak dip shroud engulf encase swaddle bundle sheathe")
# "three men fill the gallery": the men are in it
FILLING_VERBS = wordset("fill crowd occupy populate inhabit pack")
# "the dining area features a table": the area is with a table
HAVING_VERBS = wordset("have contain include feature showcase boast comprise hold")
CONSISTING_VERBS = wordset("consist comprise compose")
# these say no relation that a picture shows
COMPARING_VERBS = wordset(
    "contrast compare resemble match blend differ reflect seem appear look mirror complement"
    " symbolize represent suggest remind evoke"
)
# "dressed in a coat": wearing it
DRESSING_VERBS = wordset("dress clothe clothed clad attire outfit garb robe cloak wear")
# "a woman looking a mirror"
LOOKING_VERBS = wordset("look stare gaze glance peer")
