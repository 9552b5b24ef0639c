"""Games of one's own: start one, and check it."""

from pathlib import Path

import polars as pl

from experiments.coercion import RulesLike, coerce_rule_set
from experiments.core.cells import UsageError


def new_game(name: str | Path) -> list[Path]:
    """Write a game in one file that plays at once, with its cards and a test.

    Args:
        name: what the files are called: NAME.py, NAME.csv and test_NAME.py.

    Returns the files. Raises ``UsageError`` if one exists, and then writes nothing.

    >>> [str(file) for file in new_game("my_game")]  # doctest: +SKIP
    ['my_game.py', 'my_game.csv', 'test_my_game.py']
    """
    import experiments.variants.new_game

    return experiments.variants.new_game.new(str(name))


def check_game(rules: RulesLike, *, games: int = 12, seed: int = 1) -> pl.DataFrame:
    """Test whether a game can be relied on: by reports, search and copies of it.

    Of a game in one file each fault is named with the line that makes it.

    Args:
        rules: a rule set, a game, or its id or file.
        games: for each check and number of players.
        seed: random seed of these games.

    Returns one row per check: check, ok, found (faults one a line).

    >>> check_game("drake", games=4)["ok"].all()  # doctest: +SKIP
    True
    >>> check_game("drake", games=0)
    Traceback (most recent call last):
    ...
    experiments.core.cells.UsageError: games: at least 1, not 0.
    """
    from experiments.conformance.check import check_game
    from sim.games import load

    of = coerce_rule_set(rules)
    if games < 1:
        raise UsageError(f"games: at least 1, not {games}.")
    checks = check_game(load(of.game), rules=of.values, games=games, seed=seed)
    return pl.DataFrame(
        [{"check": c.name, "ok": c.ok, "found": c.detail} for c in checks]
    )
