"""Columns that many tables of Kunitame have."""

from reports.page import Column

WEEK = Column("week", "week", "election week", "count")
SQUARE = Column("square", "square", "square of a pledge card")
