"""Runs the models of a sweep on many machines, each in workers of its own, called from here.

Plans, cache, money and store stay in this process.
"""
