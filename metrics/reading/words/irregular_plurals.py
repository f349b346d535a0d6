"""Holds the plurals whose singular no rule of spelling gives: "mice", "wolves", "heroes"."""

# ending of the plural, ending of the singular, and the words without either
_ENDINGS = (
    ("ves", "f", "lea loa hal cal shel el thie scar hoo shea wol dwar sel"),
    ("ves", "fe", "kni wi li"),
    (
        "oes",
        "o",
        "potat tomat her mang volcan mosquit tornad carg ech buffal domin torped vet embarg grott"
        " flaming mement",
    ),
    (
        "ies",
        "ie",
        "mov cook brown zomb self hood pix gen smooth bird dogg calor prair p t l d hipp aunt goal"
        " rook vegg coll food magp lass sweet cut bean bog budg",
    ),
    ("ches", "che", "a heada tootha avalan ca qui cli mousta musta psy"),
    (
        "es",
        "",
        "bus octopus lens iris cactus walrus virus canvas atlas hippopotamus platypus gas citrus"
        " lotus crocus pancreas mantis trellis chorus circus campus bonus thermos rhinoceros abacus"
        " nautilus papyrus hibiscus eucalyptus ibis",
    ),
    # these end as singulars do
    (
        "s",
        "",
        "ski bikini taxi kiwi zucchini rabbi khaki safari alibi martini panini emoji menu emu gnu"
        " tutu haiku ravioli tsunami yeti corgi chili jacuzzi lamborghini ferrari tiki pirogi"
        " samurai mini bayou guru",
    ),
)
IRREGULAR_PLURALS = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "dormice": "dormouse",
    "lice": "louse",
    "geese": "goose",
    "feet": "foot",
    "teeth": "tooth",
    "oxen": "ox",
    "cacti": "cactus",
    "fungi": "fungus",
    "alumni": "alumnus",
    "nuclei": "nucleus",
    "oases": "oasis",
    "axes": "axe",
    "quizzes": "quiz",
    "passersby": "passerby",
    **{
        f"{stem}{plural}": f"{stem}{singular}"
        for plural, singular, stems in _ENDINGS
        for stem in stems.split()
    },
}
# singulars that end in "s" beside those in "ss", "us" and "is"
_SINGULARS = """
    lens gas atlas canvas pancreas christmas texas bias alias pampas chaos cosmos thermos rhinoceros
    pathos asbestos kudos physics
"""
SINGULARS_IN_S = frozenset(_SINGULARS.split())
