"""What the columns of the tidy tables mean: table -> column -> words."""

from reports.kbernestich import bids, busts, colours, course, pairs, schools, trumps

DOCS: dict[str, dict[str, str]] = {
    **trumps.DOCS,
    **bids.DOCS,
    **colours.DOCS,
    **busts.DOCS,
    **course.DOCS,
    **schools.DOCS,
    **pairs.DOCS,
}
