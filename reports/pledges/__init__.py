"""Pledges: things on the table that are taken, so that nobody else can take them.

Examples are squares with a gem, and places for a cube. A game declares their name and
provides three things:

    SQUARES = Pledges("square", "squares", time="week")
    ReportSection(section, SQUARES.measures, tables, counts)
    yield from pledge_parts(SQUARES, data, collected="paid by square")

- decisions tried with every option (``WhatIfs.counterfactuals``, with ``left``): a row
  for each option, with the columns of ``PLEDGE_SCHEMA`` and the time;
  ``SQUARES.tables`` compares them;
- the same games without one of them (``WhatIfs.forbidden``), as recorded;
- who took what in each unit of time, as masks (``SQUARES.taken_with``).

The worth of a pledge is what a player loses who may not take it, and, if nobody may,
what the player loses who would have taken it first. The tables also show what taking it
is worth compared with the others on offer, on the same deals, and who takes it if left.
"""

from reports.pledges.measures import PLEDGE_GROUPS, PLEDGE_SCHEMA, Pledges
from reports.pledges.section import pledge_parts

__all__ = ["PLEDGE_GROUPS", "PLEDGE_SCHEMA", "Pledges", "pledge_parts"]
