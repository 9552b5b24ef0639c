"""Transcripts of Devil written by hand, one line an event.

``dealer 2`` | ``deal 2: 4 9 | 1S 2 | 10 5`` | ``flip 8`` | ``1 0 draw 6`` (turn, seat)
| ``2 1 play 1S 8 > 8`` (the options, the one chosen) | ``2 1 declare > end`` |
``2 2 penalty 3`` | ``2 2 skip`` | ``5 reshuffle 7`` (turn, cards) | ``round 2 out: 15
8 0 = 15 8 0`` (winner, how, added, scores) | ``result 2 points: 2 = 35 23 18``.
Nothing is filled in but the round, which each ``deal`` begins, and numbers.
"""

from __future__ import annotations

from typing import Any

from tests.games.telling import Events, event, numbered


def game(players: int, script: str, **rules: Any) -> Events:
    """The transcript that the script says, with these rules told."""
    setup = {"players": players, "lineup": ["a"] * players, "rules": rules, "seed": 7}
    events: Events = [event("setup", "devil", **setup)]
    round_ = 0
    for line in filter(None, map(str.strip, script.splitlines())):
        round_ += line.startswith("deal ")
        events.append(_event(line, round_))
    return numbered(events)


def _event(line: str, round_: int) -> dict[str, Any]:
    words = line.split()
    if words[0] in _ONCE:
        return _ONCE[words[0]](line.partition(" ")[2], round_)
    where = {"round": round_, "turn": int(words[0])}
    if words[1] == "reshuffle":
        return event("chance", "reshuffle", **where, cards=int(words[2]))
    where |= {"seat": int(words[1])}
    name, rest = words[2], words[3:]
    if name == "skip":
        return event("outcome", "skip", **where)
    if name in ("draw", "penalty"):
        return event("chance", name, **where, card=rest[0])
    legal = ["continue", "end"] if name == "declare" else rest[:-2]
    return event("choice", name, **where, legal=legal, chosen=rest[-1])


def _dealer(rest: str, _: int) -> dict[str, Any]:
    return event("chance", "dealer", seat=int(rest))


def _deal(rest: str, round_: int) -> dict[str, Any]:
    dealer, _, cards = rest.partition(":")
    hands = [hand.split() for hand in cards.split("|")]
    return event("chance", "deal", round=round_, dealer=int(dealer), hands=hands)


def _flip(rest: str, round_: int) -> dict[str, Any]:
    return event("chance", "flip", round=round_, card=rest)


def _round(rest: str, round_: int) -> dict[str, Any]:
    how, added, scores = rest.replace("=", ":").split(":")
    winner, by = how.split()
    told = {"winner": int(winner), "by": by}
    points = {"added": _numbers(added), "scores": _numbers(scores)}
    return event("outcome", "round", round=round_, **told, **points)


def _result(rest: str, _: int) -> dict[str, Any]:
    how, winners, scores = rest.replace("=", ":").split(":")
    winner, by = how.split()
    told = {"winner": None if winner == "nobody" else int(winner), "by": by}
    lists = {"winners": _numbers(winners), "scores": _numbers(scores)}
    return event("result", "devil", **told, **lists)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


_ONCE = {
    "dealer": _dealer,
    "deal": _deal,
    "flip": _flip,
    "round": _round,
    "result": _result,
}
