"""The balance report of Kbernestich, with a file for each section.

``game_arrays`` reads the recorded games of a block; each section (``economy``,
``bids``, ...) has its measures, tables and findings; ``report`` lists the sections.
"""
