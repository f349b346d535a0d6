"""Makes the pages of a class: one style, one script, and nothing from elsewhere."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from hallascope.components.html import scripts
from hallascope.components.html.link_tags import icon_address
from hallascope.components.html.markup import join, raw_element, soft_line, tag
from hallascope.components.learn.live.step_html import projector_step
from hallascope.components.theme import look
from hallascope.data.teaching.class_lesson import ClassLesson

FOLDER = Path(__file__).parent
STYLE = FOLDER / "class.css"
CODE_HELP = "Type the eight letters that your teacher shows."
NEEDS_SCRIPT = "This page needs JavaScript: switch it on in your browser, then reload the page."

_PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8">\
<meta http-equiv="Content-Security-Policy" content="{policy}">\
<meta name="viewport" content="width=device-width, initial-scale=1">\
<meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin">\
<meta name="robots" content="noindex"><title>{title}</title>{icon}{style}</head>\
<body class="{kind}">{body}{held}{script}</body></html>
""")


def class_page(title: str, kind: str, body: Markup, script: str = "", held: Any = None) -> Markup:
    """Return a whole page. `kind`: the class of its body; `script`: the name of its module.

    `held` is what the script reads from the page, as JSON.
    """
    code = scripts.join_modules(FOLDER / f"{script}.js") if script else ""
    runs = Markup()
    if script:
        own = raw_element("script", code)
        runs = tag("noscript", tag("p", NEEDS_SCRIPT, class_="notice")) + own
    data = Markup()
    if held is not None:
        data = raw_element("script", to_script_json(held), type="application/json", id="held")
    return _PAGE.format(
        policy=_policy(code),
        title=title,
        icon=tag("link", rel="icon", href=icon_address()),
        style=raw_element("style", f"{_tokens()}\n{STYLE.read_text('utf-8')}"),
        kind=kind,
        body=body,
        held=data,
        script=runs,
    )


def _policy(script: str) -> str:
    """Return the policy by which the page loads from its own server, and runs its script alone."""
    runs = scripts.policy_hash(script) if script else "'none'"
    return (
        f"default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src {runs};"
        " connect-src 'self'; base-uri 'none'; form-action 'self'"
    )


def to_script_json(value: Any) -> str:
    """Return JSON that ends no element it stands in."""
    return (
        json.dumps(value, ensure_ascii=False)
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )


def _tokens() -> str:
    light, dark = (
        " ".join(f"--{token}: {value};" for token, value in tokens.items())
        for tokens in (look.LIGHT, look.DARK)
    )
    by_night = f":root {{ color-scheme: dark; {dark} }}"
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ {by_night} }}"
    )


def masthead(aside: Markup | str = "") -> Markup:
    """Return the line above a page."""
    return tag("header", tag("span", "HallaScope", class_="wordmark"), aside)


def code_page(address: str, wrong: str = "") -> Markup:
    """Return the page on which a pupil types the code of a class.

    `address` is where the code is sent, `wrong` why the last one did not open a class.
    """
    said = tag("p", wrong, class_="notice wrong", role="alert") if wrong else ""
    body = _CODE.format(masthead=masthead(), said=said, address=address, help=CODE_HELP)
    return class_page("Join a class", "pupil", body)


_CODE = Markup("""{masthead}<main><h1>Join a class</h1>{said}<form action="{address}" method="get">\
<label for="code">Code of the class</label><input id="code" name="code" required maxlength="12"\
 autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="code-help">\
<p id="code-help" class="soft">{help}</p><button class="primary">Join the class</button></form>\
</main>""")


def pupil_page(code: str) -> Markup:
    """Return the page of a pupil; all that it shows comes with the state of the class."""
    aside = tag("span", f"Class {code}", class_="soft")
    main = tag("main", soft_line("Joining the class"), id="pupil", data_code=code)
    return class_page(f"Class {code}", "pupil", join(masthead(aside), main), "pupil")


class LiveAddress(NamedTuple):
    """Says how pupils reach a class: its code, its address, and the drawing of the QR code.

    `local`: only this computer reaches the address.
    """

    code: str
    address: str
    qr: str
    local: bool


def projector_page(lesson: ClassLesson, live: LiveAddress | None) -> Markup:
    """Return the page that a teacher projects; None: the lesson without a class."""
    code = f"{live.code[:4]} {live.code[4:]}" if live else ""
    held = {
        "title": lesson.title,
        "code": code,
        "start": _join(live, code) if live else _list(lesson.title, lesson.goals),
        "end": _list("To talk about", [question for question, _ in lesson.discussion]),
        "steps": [projector_step(step, live is not None) for step in lesson.steps],
    }
    main = _PROJECTOR.format(
        title=lesson.title,
        pupils=_PUPILS if live else "",
        switches=_SWITCHES if live else "",
        end=_END_BUTTON if live else "",
    )
    return class_page(f"{lesson.title} · HallaScope", "projector", main, "projector", held)


# the stage scrolls, by the keys, too, where it is higher than the window
_PROJECTOR = Markup("""<main id="projector"><div class="head"><h1>{title}</h1>\
<span class="soft count" role="status"></span></div>
<section class="stage" tabindex="0" role="region" aria-label="Step"></section>
<footer><section class="panel notes" hidden></section>{pupils}
<nav class="moves" aria-label="Steps"><button type="button" data-move="back">Back</button>
<button type="button" data-move="next" class="primary">Next</button><span class="gap"></span>
<button type="button" data-move="notes" aria-pressed="false">Notes (N)</button>{switches}
<button type="button" data-move="full">Full screen (F)</button>{end}</nav></footer></main>""")
_PUPILS = Markup("""<section class="panel notes pupils" aria-label="Pupils" hidden></section>""")
_SWITCHES = Markup("""<button type="button" data-move="answers" aria-pressed="false">Answers live\
 (A)</button> <button type="button" data-move="pupils" aria-pressed="false">Pupils (P)</button>""")
_END_BUTTON = Markup("""<button type="button" data-move="end">End the class</button>""")
_JOIN = Markup("""<h2>Open this address, or scan the code</h2><p class="address">{address}</p>\
<div class="qr"><img src="{qr}" alt="QR code of {address}"></div><p class="join-code">{code}</p>""")
_LOCAL = Markup("""<p class="notice">Only this computer reaches this address. Phones need a Space,\
 or HallaScope started for your network: see “Teaching” in the documentation.</p>""")


def _join(live: LiveAddress, code: str) -> Markup:
    html = _JOIN.format(address=live.address, qr=live.qr, code=code)
    return html + _LOCAL if live.local else html


def _list(title: str, lines: Sequence[str]) -> Markup:
    return join(tag("h2", title), tag("ul", *(tag("li", line) for line in lines), class_="goals"))


def start_page(title: str, lesson: str) -> Markup:
    """Return the page on which a teacher starts a class of a lesson."""
    body = _START.format(masthead=masthead(), title=title, lesson=lesson)
    return class_page("Start a class", "pupil", body, "projector")


_START = Markup("""{masthead}<main id="start"><h1>Start a class</h1><p class="lead">{title}</p><ul>\
<li>Pupils open an address or scan a code with their phones. They need no account and give no\
 name.</li><li>The class holds at most 200 pupils. It ends when you end it, after two hours without\
 this page, or after six hours.</li><li>Answers are kept in the memory of this server only, and are\
 deleted when the class ends.</li></ul><button type="button" class="primary"\
 data-lesson="{lesson}">Start the class</button><p role="status" class="soft"></p></main>""")
