"""The balance report of Kunitame, with a file for each section.

``report`` declares what is recorded, the sections, and what is tried. ``game_arrays``
reads the recorded games of a block; ``tidy_tables`` and ``square_counts`` prepare what
measures count; each section (``seats``, ``pledges``, ...) has its measures and tables.
"""
