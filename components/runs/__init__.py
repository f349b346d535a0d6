"""Shows the runs that a person has made: a list, and two of them beside each other."""
