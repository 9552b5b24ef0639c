"""What was recorded of Socialism as tidy tables, which the sections count in."""

import polars as pl

from reports.game_report import About, Raw, Tables

Read = tuple[Raw, About]
ROUNDS = 20  # later ones are left out of what goes by round


def tables(read: Read) -> Tables:
    """All tables; a round is a turn of each player, the last one may be short."""
    raw, about = read
    standing = _standing(raw["turn"], about["players"])
    turns, games = _turns(standing), _games(raw["result"])
    return {
        "games": games,
        "ways": _ways(raw, games, about["vocabularies"]["via"]),
        "invitations": _invitations(raw["invitation"]),
        "turns": turns,
        "rounds": _rounds(standing, raw["result"], about["players"]),
        "halves": _halves(standing, raw["result"], about["rules"]["tokens"]),
        "courses": _courses(standing, games),
    }


def _games(result: pl.DataFrame) -> pl.DataFrame:
    """A row a game: its turns, and whether somebody won."""
    rows = result.unique("game", maintain_order=True)
    return rows.select("game", turns=pl.col("turns").cast(pl.Int64), won=_winner() >= 0)


def _winner() -> pl.Expr:
    return pl.col("winner").cast(pl.Int64)


def _ways(raw: Raw, games: pl.DataFrame, ways: list[str]) -> pl.DataFrame:
    """A row a game and way to come to a Member: what was tried, and what came of it.

    ``won``: whether the last token of the winner came so.
    """
    keys = ("game", "via")
    via = pl.col("via").cast(pl.String)
    tried = raw["invitation"].with_columns(via).group_by(keys).agg(
        tried=pl.len(), accepted=pl.col("accepted").cast(pl.Int64).sum()
    )  # fmt: skip
    joins = raw["joins"].with_columns(via).group_by(keys).agg(
        tokens=pl.len(), won=(pl.col("supply") == 0).any()
    )  # fmt: skip
    every = games.join(pl.DataFrame({"via": ways}), how="cross").drop("won")
    for part in (tried, joins):
        every = every.join(part, on=keys, how="left", maintain_order="left")
    counted = pl.col("tried", "accepted", "tokens").fill_null(0).cast(pl.Int64)
    return every.with_columns(counted, pl.col("won").fill_null(False))


def _invitations(invitation: pl.DataFrame) -> pl.DataFrame:
    """A row an invitation: whom, whether personal, and whether he accepted."""
    words = pl.col("via", "target").cast(pl.String)
    rows = invitation.with_columns(words).filter(pl.col("via") != "block")
    personal = pl.col("via").is_in(["personal", "omg-cat-pic"])
    return rows.select("game", "accepted", user="target", personal=personal)


def _standing(turn: pl.DataFrame, players: int) -> pl.DataFrame:
    """A row a turn and seat: Members, how many more than before, and the round."""
    rows = turn.select(
        "game",
        "seat",
        pl.col("turn").cast(pl.Int64),
        "who",
        members=pl.col("members").cast(pl.Int64),
        round=(pl.col("turn").cast(pl.Int64) - 1) // players + 1,
    ).sort("game", "turn", "seat")
    before = pl.col("members").shift(1, fill_value=0).over("game", "seat")
    most = pl.col("members").max().over("game", "turn")
    return rows.with_columns(
        gain=pl.col("members") - before,
        most=most,
        alone=(pl.col("members") == most).sum().over("game", "turn") == 1,
        least=pl.col("members").min().over("game", "turn"),
    )


def _turns(standing: pl.DataFrame) -> pl.DataFrame:
    """A row a turn: tokens won by who had it, and tokens that others lost."""
    own = pl.col("seat") == pl.col("who")
    loss = pl.when(own).then(0).otherwise((-pl.col("gain")).clip(0))
    rows = standing.group_by("game", "turn", maintain_order=True).agg(
        gain=pl.col("gain").filter(own).first(), taken=loss.sum()
    )
    idle = (pl.col("gain") <= 0) & (pl.col("taken") == 0)
    return rows.with_columns(nothing=pl.col("gain") <= 0, wasted=idle)


def _won(result: pl.DataFrame) -> pl.DataFrame:
    return result.select("game", "seat", won=_winner() == pl.col("seat").cast(pl.Int64))


def _rounds(standing: pl.DataFrame, result: pl.DataFrame, players: int) -> pl.DataFrame:
    """A row a whole round and seat: Members, and whether that seat wins."""
    ends = standing.filter(
        pl.col("turn") % players == 0, pl.col("round") <= ROUNDS
    ).join(_won(result), on=("game", "seat"), how="left", maintain_order="left")
    return ends.select("game", "round", "members", "won")


def _halves(standing: pl.DataFrame, result: pl.DataFrame, tokens: int) -> pl.DataFrame:
    """A row a seat at half-time: after the first turn with half of the tokens placed.

    Games that end with that turn have none.
    """
    half = standing.filter(2 * pl.col("most") >= tokens)
    half = half.filter(pl.col("turn") == pl.col("turn").min().over("game"))
    half = half.filter(pl.col("most") < tokens)
    rows = half.join(
        _won(result), on=("game", "seat"), how="left", maintain_order="left"
    )
    first, last = (pl.col("members") == pl.col(one) for one in ("most", "least"))
    return rows.with_columns(first=first & pl.col("alone"), last=last & ~first)


def _courses(standing: pl.DataFrame, games: pl.DataFrame) -> pl.DataFrame:
    """A row a game: changes of who alone has most Members; the first is none."""
    leads = standing.filter(pl.col("alone") & (pl.col("members") == pl.col("most")))
    other = (pl.col("seat") != pl.col("seat").shift(1)).over("game").fill_null(False)
    changes = leads.with_columns(other=other).group_by("game").agg(
        lead_changes=pl.col("other").cast(pl.Int64).sum()
    )  # fmt: skip
    rows = games.join(changes, on="game", how="left", maintain_order="left")
    return rows.with_columns(pl.col("lead_changes").fill_null(0))
