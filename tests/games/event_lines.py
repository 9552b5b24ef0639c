"""Reading transcripts, and writing them by hand, apart from engine and referees."""

from collections.abc import Iterable, Mapping
from typing import Any

Events = list[dict[str, Any]]
Rules = dict[str, Any]


def event(kind: str, name: str, **fields: Any) -> dict[str, Any]:
    """An event that has no number yet."""
    return {"type": kind, "name": name, **fields}


def numbered(events: Iterable[Mapping[str, Any]], game: int = 0) -> Events:
    """Give the events their game and their numbers."""
    return [{**event, "game": game, "n": n} for n, event in enumerate(events)]


def pick(name: str, legal: str, chosen: str, **where: int) -> dict[str, Any]:
    """A choice of one of the options, which are told as words."""
    return event("choice", name, **where, legal=legal.split(), chosen=chosen)


def of(events: Iterable[dict[str, Any]], *names: str) -> Events:
    """The events that have one of these names."""
    return [event for event in events if event["name"] in names]


def first(events: Iterable[dict[str, Any]], name: str) -> dict[str, Any]:
    """The first event of this name."""
    return next(event for event in events if event["name"] == name)
