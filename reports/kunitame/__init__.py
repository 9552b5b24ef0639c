"""The balance report of Kunitame: a file a section, tables and words beside them.

``played`` reads the raw notes of a block, ``tables`` makes tidy tables of them, and
each section (``seats``, ``pledges``, ``contracts``, ...) holds its measures, its
exhibits and its findings. ``measures`` gathers what a worker sums up, ``report``
puts the sections together.
"""
