"""Whether chance alone could have brought what was counted."""

from typing import Any

import numpy as np
from scipy import stats

UNLIKELY = 1e-4
"""A p value that is no chance; seeds are fixed: what passes once passes always."""


def even(counts: Any, wanted: Any = None) -> bool:
    """Whether these are numbers of what is equally likely, or as often as wanted.

    By Pearson's chi-square test.
    """
    law = None if wanted is None else np.ravel(wanted)
    return bool(stats.chisquare(np.ravel(counts), law).pvalue > UNLIKELY)
