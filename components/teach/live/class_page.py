"""Makes the pages of a class: one style, one script, and nothing from elsewhere."""

import json
from pathlib import Path
from typing import Any

from markupsafe import Markup

from hallascope.components.html import scripts
from hallascope.components.html.link_tags import icon_address
from hallascope.components.html.markup import join, raw_element, tag
from hallascope.components.theme import look

STYLE = Path(__file__).parent / "class.css"
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
    """Return a whole page. `kind`: the class of its body; `script`: the name of its bundle.

    `held` is what the script reads from the page, as JSON.
    """
    code = scripts.bundle(script) if script else ""
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
    field = tag(
        "input",
        id="code",
        name="code",
        required=True,
        maxlength=12,
        autocomplete="off",
        autocapitalize="characters",
        spellcheck="false",
        aria_describedby="code-help",
    )
    form = tag(
        "form",
        tag("label", "Code of the class", for_="code"),
        field,
        tag("p", CODE_HELP, id="code-help", class_="soft"),
        tag("button", "Join the class", class_="primary"),
        action=address,
        method="get",
    )
    said = tag("p", wrong, class_="notice wrong", role="alert") if wrong else Markup()
    body = join(masthead(), tag("main", tag("h1", "Join a class"), said, form))
    return class_page("Join a class", "pupil", body)


def pupil_page(code: str) -> Markup:
    """Return the page of a pupil; all that it shows comes with the state of the class."""
    aside = tag("span", f"Class {code}", class_="soft")
    main = tag("main", tag("p", "Joining the class", class_="soft"), id="pupil", data_code=code)
    return class_page(f"Class {code}", "pupil", join(masthead(aside), main), "pupil")


def projector_page(lesson: dict[str, Any], live: dict[str, Any] | None) -> Markup:
    """Return the page that a teacher projects.

    `lesson` has `id`, `title`, `goals`, `steps` and `discussion`; `live` the `code` of a class, its
    `address` and the drawing of its `qr` code; None: the lesson without a class.
    """
    return class_page(
        f"{lesson['title']} · HallaScope",
        "projector",
        tag("main", id="projector"),
        "projector",
        {"lesson": lesson, "live": live},
    )


def start_page(title: str, lesson: str) -> Markup:
    """Return the page on which a teacher starts a class of a lesson."""
    facts = (
        "Pupils open an address or scan a code with their phones. They need no account and give no"
        " name.",
        "The class holds at most 200 pupils, and ends when you end it, after two hours without this"
        " page, or after six hours.",
        "Answers are kept in the memory of this server only, and are gone when the class ends.",
    )
    body = tag(
        "main",
        tag("h1", "Start a class"),
        tag("p", title, class_="lead"),
        tag("ul", *(tag("li", fact) for fact in facts)),
        tag("button", "Start the class", type="button", class_="primary", data_lesson=lesson),
        tag("p", role="status", class_="soft"),
        id="start",
    )
    return class_page("Start a class", "pupil", join(masthead(), body), "projector")
