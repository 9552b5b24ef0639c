"""Busts and Grace, added up seat by seat in plain Python."""

import numpy as np
import pytest

from reports.kbernestich import busts
from tests.reports.kbernestich.whole import played


@pytest.mark.parametrize("players", [3, 4])
def test_busts_and_grace_add_up_to_the_score(players):
    games = played(("random",) * players, 40)
    over = lost = earned = cost = 0
    for at in np.ndindex(games.base.shape):
        base, bust = int(games.base[at]), int(games.bust[at[0], at[2]])
        graced = bool(games.placed[at] & games.area("grace"))
        over += base > bust and not graced
        lost += base * (base > bust and not graced)
        earned += (base - bust) * (base > bust and graced)
        cost += base * (base <= bust and graced)
    tables = busts.tables(games)
    for name in ("busts", "bases"):
        assert tables[name]["over"].sum() == over
        assert tables[name]["lost"].sum() == lost
    assert tables["graces"]["earned"].sum() == earned
    assert tables["graces"]["cost"].sum() == cost
    assert (
        games.from_.sum()
        == games.base.sum()
        - lost
        - cost
        - (
            games.base[(games.from_ > 0) & (games.from_ < games.base)]
            - games.from_[(games.from_ > 0) & (games.from_ < games.base)]
        ).sum()
    )
