"""The balance report of Article II, with a file for each section.

``played`` reads the recorded games of a block; each section (``seats``, ``worth``,
``tension``, ...) has its measures, tables and findings; ``report`` lists the sections.
"""
