"""The report of Devil: rounds, endings, cards, dealers, declarations, comebacks."""
