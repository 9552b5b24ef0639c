"""The columns that group the measures of Kunitame."""

from reports import counterfactuals, pledges
from reports.report_document import Column

WEEK = Column("week", "week", "election week", "count")
GROUPS = (
    *counterfactuals.COUNTERFACTUAL_GROUPS,
    *pledges.PLEDGE_GROUPS,
    WEEK,
    Column("square", "square", "square of a pledge card"),
    Column("target", "target", "tricks to win, exactly", "count"),
    Column("stake", "stake", "Life gems on it", "count"),
    Column("round", "round", "trick of the week", "count"),
    Column("tricks", "tricks", "tricks that the seat won in the week", "count"),
    Column("priests", "Priests", "dealt to the seat that week", "count"),
    Column("card", "card", "suit's initial and rank; D Devil, P Priest"),
    Column("cards", "cards", "a rank, suits together; or a Devil, or the Priests"),
    Column("rank", "rank", "1 + seats with more points", "count"),
    Column("devil", "Devil", "the card drawn; several if more than one"),
)
