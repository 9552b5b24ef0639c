"""The balance report of Kbernestich: a file a section, words and grids beside them.

``played`` reads the raw notes of a block, and each section (``economy``, ``squares``,
``bids``, ...) holds its measures, its exhibits and its findings. ``measures`` gathers
what a worker sums up, ``report`` puts the sections together.
"""
