"""Holds the look of the dashboard: Gradio's variables set to our tokens, and launch options."""

from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.markup import tag
from hallascope.components.html.scripts import ADDRESS
from hallascope.components.theme.look import css

FONT = ("system-ui", "-apple-system", "Segoe UI", "Helvetica Neue", "Arial", "sans-serif")

# Gradio's variable -> our token
_VARIABLES = {
    "body_background_fill": "paper",
    "body_text_color": "ink",
    "body_text_color_subdued": "soft",
    "background_fill_primary": "card",
    "background_fill_secondary": "paper",
    "block_background_fill": "card",
    "block_border_color": "line",
    "block_label_background_fill": "card",
    "block_label_text_color": "soft",
    "block_info_text_color": "soft",
    "block_title_text_color": "soft",
    "border_color_primary": "line",
    "border_color_accent": "accent",
    "color_accent_soft": "accent-wash",
    "input_background_fill": "card",
    "input_background_fill_focus": "card",
    "input_border_color": "line",
    "input_border_color_focus": "accent",
    "input_placeholder_color": "soft",
    "checkbox_background_color": "card",
    "checkbox_background_color_hover": "card",
    "checkbox_background_color_selected": "button",
    "checkbox_border_color": "line-strong",
    "checkbox_border_color_hover": "accent",
    "checkbox_border_color_focus": "accent",
    "checkbox_border_color_selected": "button",
    "checkbox_label_text_color": "ink",
    "button_primary_background_fill": "button",
    "button_primary_background_fill_hover": "button",
    "button_primary_border_color": "button",
    "button_secondary_background_fill": "card",
    "button_secondary_background_fill_hover": "quiet",
    "button_secondary_border_color": "line",
    "button_secondary_text_color": "ink",
    "link_text_color": "accent",
    "loader_color": "accent",
    "error_text_color": "incorrect",
    "error_background_fill": "incorrect-wash",
    "error_border_color": "incorrect",
}
_PLAIN = {
    "block_shadow": "none",
    "block_radius": "12px",
    "block_border_width": "1px",
    "block_title_text_size": "13px",
    "block_info_text_size": "13px",
    "input_radius": "10px",
    "input_border_width": "1px",
    "input_padding": "8px 12px",
    "input_text_size": "14px",
    "checkbox_label_background_fill": "none",
    "checkbox_label_background_fill_hover": "none",
    "checkbox_label_background_fill_selected": "none",
    "checkbox_label_border_width": "0",
    "checkbox_label_gap": "4px 22px",
    "checkbox_label_padding": "3px 0",
    "checkbox_label_text_size": "14px",
    "form_gap_width": "12px",
    "input_shadow": "none",
    "input_shadow_focus": "none",
    "button_large_radius": "10px",
    "button_small_radius": "10px",
    "button_primary_shadow": "none",
    "button_primary_shadow_hover": "none",
    "button_secondary_shadow": "none",
    "button_secondary_shadow_hover": "none",
    "button_primary_text_color": "#ffffff",
    "shadow_drop": "none",
    "shadow_drop_lg": "none",
    "layout_gap": "16px",
}


def theme() -> gr.themes.Base:
    """Return Gradio's plainest theme with every color it shows taken from the tokens.

    Fonts of the system, none from the net.
    """
    look = gr.themes.Base(
        primary_hue=gr.themes.colors.blue,
        neutral_hue=gr.themes.colors.stone,
        font=list(FONT),
        font_mono=["ui-monospace", "Menlo", "Consolas", "monospace"],
    )
    values = {name: f"var(--{token})" for name, token in _VARIABLES.items()} | _PLAIN
    names = set(vars(look))
    dark = {f"{name}_dark": value for name, value in values.items() if f"{name}_dark" in names}
    return look.set(**values, **dark)


def head() -> Markup:
    """Return what goes into the page's head: the script of the page as a whole."""
    return tag("script", type="module", src=f"{ADDRESS}/js/page.js")


def launch_options() -> dict[str, Any]:
    """Return all of the look that Gradio takes at launch; nothing is fetched from elsewhere."""
    return {
        "theme": theme(),
        "css": css(),
        "head": head(),
        "footer_links": ["api"],
        "ssr_mode": False,
    }
