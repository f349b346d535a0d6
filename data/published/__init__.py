"""The papers' numbers as facts; none of them is a measurement of ours."""
