"""Tells which nouns name nothing that one could point at in a picture: "energy", "dawn", "heat".

WordNet decides, beside two lists: what it calls abstract though it can be seen, and what it calls
an object in another sense.
"""

from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.language import wordset

# abstract in WordNet, and seen in pictures
_SEEN = wordset("""
    coin penny cent dollar banknote money cash receipt cartoon flame fire smoke droplet splash
    ripple wave slice half portion serving spoonful handful mouthful case scale racket wound scar
    footprint fingerprint handprint pawprint thumbprint
    bruise mist spark explosion lightning eruption movie number character goddess devil unicorn elf
    spirit sign signpost heart mars goods whopper eclipse moon event protest show tune word bite
    gift exhibit smile tattoo game soccer football baseball basketball tennis volleyball golf
    hockey rugby cricket color colour medicine drug watercolor mascot figure statue lettering
    step notice exam equation graph recipe list invitation vanity throw ember peak blush procession
    roll haze leftover harvest
""")
# named by an object's word in another sense
_UNSEEN = wordset("""
    testament beauty protection turn sensation work barking photojournalism weather wind breeze love
    future past mystery nature atmosphere ambiance ambience darkness softness business help way data
    law faith safety solution question dialogue change job rush hurry sort loneliness
    freshness charm essence presence sophistication romance nostalgia precision craftsmanship art
    artistry passion fury rage anger hatred envy pride shame guilt sorrow grief sadness happiness
    delight despair courage bravery heroism glory honor honour fame wealth poverty luxury comfort
    coziness privacy intimacy solitude isolation company companionship friendship unity diversity
    equality liberty independence democracy progress innovation creativity imagination inspiration
    curiosity wonder awe amazement surprise shock fear terror horror dread anxiety stress relief
    calm calmness serenity stillness vitality vigor vigour strength speed velocity momentum
    gravity depth perspective symmetry proportion coldness humidity moisture temperature climate
    warmth freedom danger while lighting bokeh angle vibe instance example volume protection heat
    soul engineering bustle honesty intelligence talent fantasy degree distance spectrum
    personality religion process culture trend approach mission labor identity horseback
""")
_TIMES = wordset("""
    dawn dusk noon midday midnight twilight nightfall daybreak daytime nighttime night morning
    evening afternoon day today tomorrow yesterday tonight week weekend month year decade century
    era age hour minute second moment season summer winter autumn springtime january february april
    june july august september october november december monday tuesday wednesday thursday friday
    saturday sunday christmas easter halloween thanksgiving birthday anniversary holiday
""")
# these are things, unless they say when: "at sunset"
_TIMES_OR_THINGS = wordset("sunset sunrise sundown sunup storm rainstorm spring fall eclipse")
# "a table set for dinner"
_MEALS = wordset("dinner lunch breakfast brunch supper tea")
_TIME_PREPOSITIONS = wordset("at during before after until till by since throughout")


def cannot_be_seen(name: str, noun: str) -> bool:
    """Return whether what a name and its noun, both in the singular, say cannot be pointed at."""
    if noun in _UNSEEN or noun in _TIMES:
        return True
    if noun in _SEEN or (name != noun and wordnet.senses(name) and not wordnet.is_abstract(name)):
        return False
    return wordnet.is_abstract(noun)


def says_when(noun: str, preposition: str) -> bool:
    """Return whether a noun behind a preposition says when: "at sunset", not "a sunset"."""
    if preposition == "during" or (noun in _MEALS and preposition in ("for", "after", "before")):
        return True
    return noun in _TIMES_OR_THINGS and preposition in _TIME_PREPOSITIONS


def is_time(noun: str) -> bool:
    """Return whether a noun says when: "dawn", "Monday"."""
    return noun in _TIMES
