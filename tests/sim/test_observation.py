"""Views as numbers: nothing public is left out, nothing hidden is seen."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sim import masks
from sim.games import REGISTRY, load
from sim.observation import NumberInput, Observer, SetInput, _number
from sim.observation_reader import CLIP, Reader
from sim.rollouts import RolloutTable
from sim.view import CachedField, View
from sim.view_arrays import arrays_of, fields_of
from sim.vocabulary import Vocabulary, turned
from strategies.random import Random


class Watching:
    """Plays at random, and calls back with every view."""

    title = "watching"

    def __init__(self, see):
        self._see = see

    def decide(self, view):
        self._see(view)
        return Random().decide(view)


def play(game, see, players=None, games=40, seed=5):
    known = load(game)
    for size in players or sorted({known.players[0], known.players[-1]}, reverse=True):
        index = np.arange(games, dtype=np.uint64)
        state = known.start(known.rules.of({}), size, seed, index)
        RolloutTable(known, [Watching(see)]).play(state)


@cache
def readers(game):
    """How each kind of decision of a game is seen."""
    observer = Observer(load(game).view)
    play(game, observer.look)
    return {k: Reader(observer.observation(k, ("random",))) for k in observer.kinds}


@pytest.mark.parametrize("game", REGISTRY)
def test_every_public_field_is_read_or_named_as_left_out(game):
    cls = load(game).view
    public = {
        name
        for name in dir(cls)
        if not name.startswith("_") and not hasattr(View, name)
        if isinstance(getattr(cls, name), property | CachedField)
    }
    assert {*fields_of(cls)} | {*cls.not_observed} == public
    declared = cls.vocabulary_of, cls.names_of, cls.flag_fields, cls.relations
    for names in (*declared, cls.not_observed):
        assert {*names} <= public, "declared, but no field"

    def see(view):
        for name in fields_of(cls):
            for part in arrays_of(view, name).values():
                assert part.shape == (len(view),)

    play(game, see, games=4)


@pytest.mark.parametrize("game", REGISTRY)
def test_vocabularies_that_are_declared_exist(game):
    cls, known = load(game).view, load(game)
    state = known.start(
        known.rules.of({}), known.players[0], 1, np.arange(1, dtype=np.uint64)
    )
    words = {
        *cls.vocabulary_of.values(),
        *cls.names_of.values(),
        *cls.relations.values(),
    }
    assert {w.removeprefix("one ") for w in words} - {""} <= {*state.vocabularies}


@pytest.mark.parametrize("game", REGISTRY)
def test_views_that_differ_in_a_public_field_differ_in_numbers(game):
    """Of every field: rows that differ in it have other inputs."""
    tested = set()

    def see(view):
        reader = readers(game)[view.kind.name]
        if len(view) < 2:
            return
        seen = reader.read(view, [view.legal])
        inputs = reader.inputs(seen)
        same = (inputs == np.roll(inputs, 1, axis=0)).all(axis=1)
        for name in fields_of(type(view)):
            if name in type(view).relations:
                continue
            for part in arrays_of(view, name).values():
                other = np.roll(part, 1)
                differ = np.flatnonzero(part != other)
                if name not in reader_fields(reader):
                    continue
                assert not same[differ].any(), name
                tested.add(name)

    play(game, see, games=8, seed=9)
    assert tested


def reader_fields(reader):
    kept = reader.observation
    return {one.place[0] for one in (*kept.sets, *kept.numbers)}


@pytest.mark.parametrize("game", REGISTRY)
def test_only_what_seats_are_shown_can_be_read(game):
    """An observation from a file can name any attribute of a view: all else is refused.

    In Devil, for example, a view holds all hands in ``_hands``.
    """
    known = load(game)
    others = {*dir(known.view), "_state", "_rows", "seat", "kind", "gold"}
    others -= {*fields_of(known.view), "players", "most", "supply", "legal"}
    for kind, reader in readers(game).items():
        seen = reader.observation
        seen.check(known.view, known.kinds[kind])
        assert [*seen.vocabularies] == sorted(seen.vocabularies)
        for name in others:
            read = NumberInput((name, ()), 0.0, 1.0, ()), SetInput((name, ()), (0,), ())
            for more in (
                {"numbers": (*seen.numbers, read[0])},
                {"sets": (*seen.sets, read[1])},
                {"relations": (*seen.relations, name)},
            ):
                with pytest.raises(ValueError, match="which no seat is shown"):
                    replace(seen, **more).check(known.view, known.kinds[kind])


@pytest.mark.parametrize("game", REGISTRY)
def test_what_is_hidden_makes_no_difference(game):
    known, compared = load(game), []

    def see(view):
        if len(compared) > 200:
            return
        state, reader = view._state, readers(game)[view.kind.name]
        rows = np.arange(len(state.games)) if view._rows is None else view._rows
        seats = np.broadcast_to(np.asarray(view.seat, dtype=np.uint8), len(rows))
        other = known.redeal(state.branch(rows), seats)
        again = type(view)(other, view.kind, view.seat, None, view.legal, view._most)
        one, two = (reader.inputs(reader.read(v, [view.legal])) for v in (view, again))
        assert (one == two).all(), view.kind.name
        compared.append(len(rows))

    play(game, see, games=16)
    assert compared


@pytest.mark.parametrize("game", REGISTRY)
def test_answers_come_back_as_they_were(game):
    def see(view):
        reader = readers(game)[view.kind.name]
        answer = Random().decide(view.substream(1))
        assert (reader.answer(view, reader.own(view, answer)) == answer).all()

    play(game, see, games=4)


def test_bits_mean_the_same_at_all_tables():
    """The same id has the same bit, wherever it stands; a second one is another."""
    shared = Vocabulary(["a", "b", "b", "?", "c"])
    shared.add(["c", "d", "b", "a", "b", "b"])
    assert shared.ids == ["a", "b", "b", "?", "c", "d", "b"]
    ids = ["c", "b", "a", "b"]
    sets = np.array([0b0001, 0b0010, 0b1000, 0b0111], dtype=np.uint64)
    there = shared.shared(sets, ids)
    assert there.tolist() == [0b10000, 0b10, 0b100, 0b10011]
    assert (shared.local(there, ids) == sets).all()


def test_a_vocabulary_in_order_costs_nothing():
    shared, sets = Vocabulary(["a", "b", "?"]), np.array([3], dtype=np.uint64)
    assert shared.shared(sets, ["a", "b"]) is sets


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seats_begin_with_ones_own(players):
    class Seats:
        def __init__(self):
            self.players, self.seat = players, np.arange(players, dtype=np.uint8)

        def __len__(self):
            return players

    view, own = Seats(), masks.ONE << np.arange(players, dtype=np.uint64)
    assert (turned(own, view) == 1).all()
    everyone = np.arange(2**players, dtype=np.uint64)
    view.seat = 1
    Seats.__len__ = lambda self: len(everyone)
    back = turned(turned(everyone, view), view, back=True)
    assert (back == everyone).all()


def test_a_field_of_which_nothing_is_declared_is_an_error():
    class Odd(View):
        @property
        def thing(self):
            return object()

    view = Odd(None, None, 0, None, np.zeros(2, dtype=np.uint64), None)
    with pytest.raises(TypeError, match=r"Odd\.thing"):
        arrays_of(view, "thing")


def test_options_that_are_related_are_counted():
    """Socialism: how many of each set a User is a Friend of."""
    found = []

    def see(view):
        reader = readers("socialism")[view.kind.name]
        kept = reader.observation
        if view.kind.name != "user" or not kept.relations:
            return
        seen = reader.read(view, [view.legal])
        places = [kept.sets[at].place for at in kept.option_sets]
        mine = places.index(("mine", ()))
        for row, legal in enumerate(view.legal):
            for user in masks.members(legal):
                friends = view.friends[user, row] & view.mine[row]
                at = reader.bits.index(user)
                number = 32 * int(np.bitwise_count(friends))
                assert seen.values[row, at, mine] == min(number, CLIP)
                found.append(user)

    play("socialism", see, players=(3,), games=60)
    assert found


def test_a_number_of_two_decisions_has_a_mean_and_a_spread():
    [number] = _number(("points", ()), np.array([1, 5]))
    assert (number.mean, number.spread) == (3, 2)


@pytest.mark.parametrize("game", REGISTRY)
def test_inputs_are_whole_numbers_in_bounds(game):
    def see(view):
        reader = readers(game)[view.kind.name]
        inputs = reader.inputs(reader.read(view, [view.legal]))
        assert inputs.shape == (len(view), reader.width)
        assert (inputs == np.rint(inputs)).all()
        flags, fine = inputs[:, : reader.flags], inputs[:, reader.flags :]
        assert {*np.unique(flags)} <= {0, 1}
        assert np.abs(fine).max(initial=0) <= 256

    play(game, see, games=4)
