"""A class that answers the steps of a ready lesson at once, anonymously; kept in memory alone.

It knows no page.
"""
