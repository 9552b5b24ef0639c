"""The balance report of Article II: a file a section.

``played`` reads the raw notes of a block, and each section (``seats``, ``worth``,
``tension``, ...) holds its sums, its exhibits and its findings. ``measures`` gathers
what a worker sums up, ``report`` puts the sections together.
"""
