"""Plans the baselines of T2I-CompBench that rest on boxes of a detector, and its 3-in-1.

Huang et al., NeurIPS 2023 and TPAMI 2025 (T2I-CompBench++), and the rules of the authors' public
code. Their detector is UniDet; here it is whichever the line-up names.
"""
