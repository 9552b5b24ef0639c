"""What the columns of the tidy tables mean: table -> column -> words."""

from reports.kbernestich import course, pairs

DOCS: dict[str, dict[str, str]] = {**course.DOCS, **pairs.DOCS}
