"""Writes British words in the American spelling, so that one name has one spelling."""

import re

_AMERICAN = {
    "aeroplane": "airplane",
    "aluminium": "aluminum",
    "amphitheatre": "amphitheater",
    "armour": "armor",
    "axe": "ax",
    "calibre": "caliber",
    "catalogue": "catalog",
    "centre": "center",
    "cheque": "check",
    "chilli": "chili",
    "colour": "color",
    "doughnut": "donut",
    "draught": "draft",
    "fibre": "fiber",
    "gaol": "jail",
    "grey": "gray",
    "harbour": "harbor",
    "jewellery": "jewelry",
    "kerb": "curb",
    "mitre": "miter",
    "mould": "mold",
    "moustache": "mustache",
    "neighbour": "neighbor",
    "omelette": "omelet",
    "parlour": "parlor",
    "plough": "plow",
    "programme": "program",
    "pyjama": "pajama",
    "pyjamas": "pajamas",
    "racquet": "racket",
    "sabre": "saber",
    "sceptre": "scepter",
    "spectre": "specter",
    "theatre": "theater",
    "tyre": "tire",
    "whisky": "whiskey",
    "woollen": "woolen",
    "yoghurt": "yogurt",
}
_WORD = re.compile(r"[^\W\d_]+")


def american(name: str) -> str:
    """Return a name in lower case with every word in the American spelling."""
    return _WORD.sub(lambda match: _AMERICAN.get(match[0], match[0]), name.casefold())
