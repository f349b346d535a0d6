"""Tells whether a prompt is English, the one language that the parser and the rules read.

It goes by letters and known words, by no model. It says no only where that is plain: names,
misspelled words and prompts of one or two words are let through.
"""

import re
import unicodedata
from functools import cache

from hallascope.data.lexicon import noun_forms
from hallascope.metrics.reading.words import language, wordnet
from hallascope.metrics.reading.words.spacy_model import ParserMissing, lexicon

# from how many words on letters that English does not have tell of another language; in fewer
# words they may be of a name
FEWEST_WORDS = 3
# the share of English words from which on a prompt is English whatever else shows
ENGLISH_SHARE = 0.4
# of a few words with one of another language, more than three of four would have to be English
SHARE_OF_SHORT = 0.76
MOST_SHORT_WORDS = 4
# up to this share of words that are known, or nearly so, a prompt in lower case is no text at all
GIBBERISH_SHARE = 0.2
GIBBERISH = (
    "The prompt has no words that {who} knows, so there is no score: write what the image shows"
    " in English words."
)
SENTENCE = (
    "The prompt does not read as English, and {who} reads English only, so there is no score: write"
    " it in English{more}."
)
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|«[^»]*»|‘[^’]*’|(?<!\w)\'[^\']*\'(?!\w)')
# between capitals these belong to a name, and so they do with a capital of their own: "Vincent van
# Gogh", "Los Angeles"
_NAME_PARTICLES = language.wordset("""
    de da del della di du dos das do van von der den ten ter la le el los las il lo al bin ibn y
    des dem zu af
""")
# function words and small numbers of other languages of our letters, or written in them
_FOREIGN_FUNCTION_WORDS = language.wordset("""
    un une le la les des du de au aux dans sur avec et est el los las del una unos con sobre en y
    uma um os do da na em com ein eine einen einem einer der das dem den und im auf mit von het een
    van op il lo gli nel della di su tre och ett med af og dos tres deux trois quatre zwei drei vier
    due quattro dois twee duas cinq seis fünf sechs sous devant derrière chez sans très qui ses son
    leur para sin bajo junto muy que por como hacia debajo encima delante detrás sem sob perto mais
    senza sotto sopra davanti accanto con che ohne unter über neben vor hinter zwischen ist sind
    nicht sehr kleiner großer großes zonder onder naast achter voor aan zijn met niet bij jest są
    obok pod nad przed przy oraz się dwa dwie trzy czarny bir iki üç beş ve ile için altında
    üzerinde yanında di dan yang dengan dalam seorang sebuah seekor dua tiga ang mga isang sa ng ja
    kaksi kolme päällä alla vieressä egy két három és alatt mellett cu pe doi două și pentru sub
    uden ved foran under mellem utan på jsou vedle na ve se dva tři po kwa ya wa hong xiao zai shang
    lorem ipsum dolor amet
""")
# common things and colors of other languages; an English lexicon may hold them as names of notes
# and places
_FOREIGN_NAMES = language.wordset("""
    rojo roja negro negra blanco blanca azul verde amarillo amarilla gato gata perro perra casa
    coche caballo flor flores noir noire bleu bleue vert verte jaune chien maison voiture fleur
    fleurs rouge rouges oiseau roter rotes schwarz schwarze schwarzer blau blaue blauer gelb gelbe
    hund katze haus blume vogel pferd mann frau rosso rossa nero nera bianco bianca giallo cane
    gatto albero fiore cavallo vermelho vermelha preto preta branco branca amarelo cachorro rood
    rode zwart zwarte witte blauw blauwe groen groene geel hond huis bloem paard svart katt czerwony
    czerwona czerwone czarny czarna biały pies kot kırmızı siyah beyaz mavi yeşil sarı kedi köpek
    araba merah hitam putih biru hijau kuning kucing anjing rumah mobil krasnaya krasnyy krasniy
    krasnoe chernyy chernaya belyy belaya siniy zelenyy mashina koshka sobaka akai aoi shiroi kuroi
    kuruma punainen musta valkoinen sininen kissa koira talo piros fekete fehér macska kutya röd rød
    blå grön negru
""") | language.wordset("""
    hombre mujer niño niña niños árbol arbol pájaro pajaro montaña playa mesa ciudad calle lluvia
    luna cielo homme femme garçon fille enfant enfants arbre montagne plage ville ciel forêt pluie
    château junge mädchen kind kinder baum berg strand stadt straße himmel wald regen wasser schloss
    uomo donna ragazzo ragazza bambino bambina montagna spiaggia città cielo foresta homem mulher
    menino menina criança árvore montanha praia cidade floresta vrouw jongen meisje boom berg zee
    stad straat bos mężczyzna kobieta chłopiec dziewczyna drzewo góra morze meer miasto adam kadın
    çocuk ağaç dağ deniz şehir pria wanita gunung laut pohon langit hutan mand kvinne kvinna pojke
    flicka träd berg hav skog mies nainen poika tyttö puu meri metsä férfi nő fiú lány fa hegy
    bărbat femeie copil munte mare muž žena strom hora moře auto samochód samochod
    viejo vieja pequeño pequeña vieux vieille petit petite alter altes altem kleines kleine großer
    große vecchio vecchia piccolo piccola velho velha pequeno pequena oude kleine stary stara mały
    mała eski büyük küçük yaşlı tua besar kecil gammal gammel liten stor vanha pieni suuri régi kis
""")
_FOREIGN_WORDS = _FOREIGN_FUNCTION_WORDS | _FOREIGN_NAMES
# a word in which nobody finds a syllable
_UNSPEAKABLE = re.compile(r"^[^aeiouy]+$|[^aeiouy]{5}", re.IGNORECASE)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
FEWEST_LETTERS, MOST_LETTERS = 5, 30  # of a word that may have one wrong
_ENDINGS = ("'s", "s", "es", "ed", "ing", "er", "r", "est", "ly", "y")


def not_english_reason(prompt: str, who: str, more: str = "") -> str:
    """Return why `who` cannot read a prompt, "" where it is English as far as can be told.

    `more`: what else can be done.
    """
    if not is_english(prompt):
        return SENTENCE.format(who=who, more=more)
    return GIBBERISH.format(who=who) if is_gibberish(prompt) else ""


def is_gibberish(prompt: str) -> bool:
    """Return whether hardly any word of a prompt is one, or one with a letter wrong.

    Capitals begin names, which no lexicon has: with one, a prompt is none.
    """
    plain = _QUOTED.sub(" ", unicodedata.normalize("NFKC", prompt))
    words = _without_names(_WORD.findall(plain))
    if len(words) < 2 or any(word[0].isupper() for word in words):
        return False
    if len(words) < FEWEST_WORDS and not all(_UNSPEAKABLE.search(word) for word in words):
        return False
    try:
        known = _all_words()
    except ParserMissing:
        return False
    return sum(_is_nearly_known(word, known) for word in words) <= GIBBERISH_SHARE * len(words)


def _is_nearly_known(word: str, known: frozenset[str]) -> bool:
    """Return whether a word is known, or a longer one is with a letter more, less or another."""
    if _is_known(_without_accents(word), known):
        return True
    if not FEWEST_LETTERS <= len(word) <= MOST_LETTERS:
        return False
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    edited = {f"{left}{right[1:]}" for left, right in parts if right}
    edited |= {f"{left}{letter}{right}" for left, right in parts for letter in _LETTERS}
    edited |= {
        f"{left}{letter}{right[1:]}" for left, right in parts for letter in _LETTERS if right
    }
    edited |= {f"{left}{right[1]}{right[0]}{right[2:]}" for left, right in parts if len(right) > 1}
    return not known.isdisjoint(edited)


def is_english(prompt: str) -> bool:
    """Return False where most letters are of another script, or another language shows.

    It shows by a word of its own, or by letters that English does not have, and most words are in
    no English lexicon then; of few words without an English "a", "the", "of" or the like, nearly
    all must be. What is quoted is to be written in the picture, and may be in any language, and so
    may names be.
    """
    plain = _QUOTED.sub(" ", unicodedata.normalize("NFKC", prompt))
    letters = "".join(_WORD.findall(plain))
    if not letters:
        return True
    if sum(_is_latin(letter) for letter in letters) < len(letters) / 2:
        return False
    originals = _without_names(_WORD.findall(plain))
    words = [word.casefold() for word in originals]
    is_short = len(words) <= MOST_SHORT_WORDS and language.STOP.isdisjoint(words)
    has_foreign_word = not _FOREIGN_WORDS.isdisjoint(words)
    if len(words) == 1:
        has_foreign_word = words[0] in _FOREIGN_NAMES and plain == plain.lower()
    has_foreign_letters = len(words) >= FEWEST_WORDS and not all(
        word.isascii() or word[0].isupper() for word in originals
    )
    if not words or not (has_foreign_word or has_foreign_letters):
        return True
    share = SHARE_OF_SHORT if is_short and has_foreign_word else ENGLISH_SHARE
    if _english_share(words, _common_words()) >= share:
        return True
    try:
        return _english_share(words, _all_words()) >= share
    except ParserMissing:
        return True


def _without_names(words: list[str]) -> list[str]:
    """Return the words without names that have one of another language in them.

    These are proper names ("Rio de Janeiro", "Los Angeles") and what WordNet knows ("chili con
    carne").
    """
    dropped: set[int] = set()
    for at, word in enumerate(words):
        if word.casefold() not in _FOREIGN_WORDS:
            continue
        before, behind = max(0, at - 1), at + 1
        if word.casefold() in _NAME_PARTICLES and words[behind : behind + 1]:
            begins_name = word[0].isupper() or (at > 0 and words[before][0].isupper())
            if begins_name and words[behind][0].isupper():
                dropped |= {before if word[0].islower() else at, at, behind}
        for start in range(max(0, at - 2), at + 1):
            for stop in range(max(at, start + 1) + 1, min(len(words), start + 4) + 1):
                if wordnet.senses(" ".join(words[start:stop])):
                    dropped |= set(range(start, stop))
    return [word for at, word in enumerate(words) if at not in dropped]


def _is_latin(letter: str) -> bool:
    return "LATIN" in unicodedata.name(letter, "")


def _english_share(words: list[str], known: frozenset[str]) -> float:
    own = [word for word in words if word not in _FOREIGN_WORDS]
    return sum(_is_known(_without_accents(word), known) for word in own) / len(words)


def _without_accents(word: str) -> str:
    """Return "creme" for "crème", as English writes it, too."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _is_known(word: str, known: frozenset[str]) -> bool:
    """Return whether a word is known, or what is left without an ending: "cats", "running"."""
    if word in _FOREIGN_WORDS or (len(word) == 1 and word not in ("a", "i")):
        return False
    if word in known or language.singular(word) in known:
        return True
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3:
            continue
        # "run" of "running"
        undoubled = stem[:-1] if stem[-1] == stem[-2] else stem
        if stem in known or f"{stem}e" in known or undoubled in known:
            return True
    return False


@cache
def _common_words() -> frozenset[str]:
    """Return words known without the parser's lexicon: short lists, and names of things.

    The lexicon takes seconds to load.
    """
    names = {word for form in noun_forms() for word in _WORD.findall(form.casefold())}
    return language.STOP | language.COLORS | language.GENERAL | {*language.NUMBERS} | names


@cache
def _all_words() -> frozenset[str]:
    """Return the common words and the parser's lexicon. Raises ParserMissing."""
    return _common_words() | lexicon()
