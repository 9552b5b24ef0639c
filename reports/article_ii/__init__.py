"""The balance report of Article II, with a file for each section.

``game_arrays`` reads the recorded games of a block; each section (``seats``, ``cards``,
``tension``, ...) has its measures, tables and findings; ``report`` lists the sections.
"""
