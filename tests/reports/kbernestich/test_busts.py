"""Busts, added up seat by seat in plain Python."""

import numpy as np
import pytest

from reports.kbernestich import values
from tests.reports.kbernestich.whole import played


@pytest.mark.parametrize("players", [3, 4])
def test_busts_add_up_to_the_score(players):
    games = played(("random",) * players, 40)
    over = lost = set_by = 0
    for at in np.ndindex(games.base.shape):
        base, bust = int(games.base[at]), int(games.bust[at[0], at[2]])
        graced = bool(games.placed[at] & games.area("grace"))
        busts = base > bust and not graced
        over += busts
        lost += base * busts
        set_by += busts and bool(games.placed[at] & games.area("zabine"))
        scored = max(base - bust, 0) if graced else base * (not busts)
        assert games.from_[at] == scored
    table = values.tables(games)["busts"]
    assert table["over"].sum() == over
    assert table["lost"].sum() == lost
    assert table["mine"].sum() == set_by > 0
