"""Tries remedies for failing images beside a control of equal cost, and says what they repair."""
