"""What several tabs share: the evidence viewer, cards, pickers and the theme.

It knows records, not where they come from.
"""
