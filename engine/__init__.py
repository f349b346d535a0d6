"""Asks the backends what metrics want to know, keeps the replies, and serves pages.

Commands get what they show from it, too.
"""
