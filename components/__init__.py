"""What several tabs share: the evidence viewer, cards and the theme.

It knows records, not where they come from.
"""
