"""Tables and lists on disk, read row by row with the place of every fault.

No benchmark's own form is known here.
"""
