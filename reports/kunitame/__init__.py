"""The balance report of Kunitame, with a file for each section.

``report`` declares what is recorded, the sections, and what is tried. ``played`` reads
the recorded games of a block; measures count in ``tables`` and ``arrays``; each section
(``seats``, ``pledges``, ``contracts``, ...) has its measures, tables and findings.
"""
