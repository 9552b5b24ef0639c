"""The balance report of Kunitame: a file a section, tables and words beside them.

``report`` declares it: what is recorded, the sections, the what-ifs. ``played`` reads
the raw notes of a block; ``tables`` and ``arrays`` are what measures count in; each
section (``seats``, ``pledges``, ``contracts``, ...) holds its measures, its exhibits
and its findings.
"""
