"""The balance report of Kbernestich: a file a section, words and pairs beside them.

``played`` reads the raw notes of a block, and each section (``economy``, ``squares``,
``bids``, ...) holds its measures, its exhibits and its findings. ``report`` puts the
sections together.
"""
