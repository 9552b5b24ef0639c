"""The balance report of Kbernestich, with a file for each section.

``played`` reads the recorded games of a block; each section (``economy``, ``squares``,
``bids``, ...) has its measures, tables and findings; ``report`` lists the sections.
"""
