"""Speed as ratios, each measured side by side with a floor in one run: ``make bench``.

A ratio holds on any machine to within about a tenth; a figure in seconds would not.
"""
