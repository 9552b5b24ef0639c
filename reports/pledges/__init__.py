"""Pledges: what lies on the table, and is taken so that another may not.

The same room for every game that has such things: squares with a gem, places for a
cube. A game declares what one is called and tells three things:

    SQUARES = Pledges("square", "squares", time="week")
    ReportSection(section, SQUARES.measures, tables, counts)
    yield from shown(SQUARES, data, collected="paid by square")   # in its section

- decisions tried with every option (``WhatIfs.otherwise``, with ``left``): a row an
  option with the columns of ``SCHEMA`` and the time; ``SQUARES.tables`` compares them;
- the same games without one of them (``WhatIfs.knocked``), as they were recorded;
- who took what in each unit of time, as masks (``SQUARES.taken_with``).

What one is worth is what a player loses who may not take it, and what is lost by who
would have taken it first, where nobody may. Beside it stands what taking it is worth
against the others on the table, on the same deals, and who takes it when it is left.
"""

from reports.pledges.counted import GROUPS, SCHEMA, Pledges
from reports.pledges.shown import shown

__all__ = ["GROUPS", "SCHEMA", "Pledges", "shown"]
