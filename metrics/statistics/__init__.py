"""Statistics of scores, judges and raters: intervals, differences, ranks and agreement."""
