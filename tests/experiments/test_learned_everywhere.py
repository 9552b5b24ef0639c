"""Learned policies, wherever a strategy is named, and files that are none."""

import io
import json
import pickle
import shutil
import zipfile
from dataclasses import replace

import numpy as np
import pytest

import fairdeal as fd
from strategies.network import Network
from strategies.policy_file import PolicyFile
from tests.strategies.test_network import policy

GAME = "evilpact"
FEW = ("--seed", "1", "-n", "40", "-j", "1")


@pytest.fixture
def mine(here):
    """A policy that nobody taught."""
    (here / "mine.npz").write_bytes(policy(GAME).to_bytes())
    return here / "mine.npz"


SPECS = {
    "alone": "mine.npz",
    "a lineup": "mine.npz,allround",
    "by its strategy": "learned:policy=mine.npz,random",
    "noisy": "noisy(mine.npz, 0.3),allround",
    "without": "without(mine.npz, cast),allround",
    "only": "only(allround, cast, mine.npz),allround",
    "searched": "search:samples=1:inner=mine.npz,allround",
    "searched by both": "search:inner=(mine.npz)+allround:samples=1,allround",
}


@pytest.mark.parametrize("how", SPECS)
def test_lineups(fairdeal, mine, how):
    few = ("-n", "2") if "search" in SPECS[how] else ("-n", "20")
    told = fairdeal(
        "run", GAME, "--lineup", SPECS[how], "--seed", "1", "-j", "1", *few, "--json"
    )
    assert told.exit_code == 0, told.stderr
    assert "mine@" in told.stdout


COMMANDS = {
    "run": ("run", GAME, *FEW, "--add-strategy", "mine.npz"),
    "run by name": (
        "run",
        GAME,
        *FEW,
        *("--add-strategy", "mine.npz", "--lineup", "noisy(mine, 0.1),allround"),
    ),
    "tournament": ("tournament", GAME, "--strategies", "mine.npz,random", *FEW),
    "compare": (
        "compare",
        GAME,
        "rounds=6",
        "--lineup",
        "mine.npz",
        *FEW,
        "--adapt",
        "0",
    ),
    "trace": ("trace", GAME, "--lineup", "mine.npz,random", "--seed", "1"),
    "check": ("check-strategy", "mine.npz", "--game", GAME, "-n", "10"),
    "knockout": ("knockout", GAME, "--strategy", "mine.npz", *FEW),
    "levers": (
        "levers",
        GAME,
        "--strategy",
        "mine.npz",
        "--only",
        "rounds",
        *FEW,
        "--adapt",
        "0",
    ),
    "luck": ("luck", GAME, "--lineup", "mine.npz,random", *FEW),
    "skill": ("skill", GAME, "--strategies", "mine.npz", "--samples", "1", *FEW),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(fairdeal, mine, command):
    told = fairdeal(*COMMANDS[command])
    assert told.exit_code == 0, told.stderr


LEVELS = {
    "alone": "strong",
    "a lineup": "strong,good,beginner",
    "noisy": "noisy(strong, 0.1),good,learned",
    "without": "without(strong, act),good,noisy(learned, 0.1)",
    "only": "only(good, play, strong),good,only(allround, play, learned)",
    "searched": "search:samples=1:inner=strong,good,without(learned, act)",
    "expert": "expert,good,good",
}


@pytest.mark.parametrize("how", LEVELS)
def test_lineups_of_levels(fairdeal, here, how):
    few = "2" if how in ("searched", "expert") else "12"
    words = ("--lineup", LEVELS[how], "--seed", "1", "-j", "1", "-n", few)
    told = fairdeal("run", "drake", "--players", "3", *words, "--json")
    assert told.exit_code == 0, told.stderr
    assert LEVELS[how].partition(",")[0].strip() in told.stdout


SMALL = ("--players", "3", "--seed", "1", "-j", "1")
OF_LEVELS = {
    "tournament": ("tournament", "--strategies", "beginner,good,strong", "-n", "24"),
    "skill": ("skill", "--samples", "1", "-n", "24", "--strategies", "good,strong"),
    "exploit": ("exploit", "--lineup", "strong", "--samples", "0", "-n", "24"),
    "knockout": ("knockout", "--strategy", "strong", "-n", "24"),
}


@pytest.mark.parametrize("command", OF_LEVELS)
def test_commands_take_levels_and_tables_say_who_plays_as_them(fairdeal, here, command):
    name, *words = OF_LEVELS[command]
    told = fairdeal(name, "drake", *words, *SMALL)
    assert told.exit_code == 0, told.stderr
    if command in ("tournament", "skill"):
        said = " ".join(told.stdout.split())  # a terminal may be narrow
        assert "good plays as allround, strong plays as learned" in said


def test_a_study_and_the_door(fairdeal, mine, here):
    (here / "study.toml").write_text(
        f'game = "{GAME}"\nlineups = ["mine.npz,random"]\ngames = 40\nseed = 1\n'
    )
    told = fairdeal("run", "study.toml", "-j", "1", "--json")
    assert told.exit_code == 0, told.stderr
    assert "mine@" in told.stdout
    run = fd.play(GAME, lineup=[str(mine), "random"], games=40, seed=1, jobs=1)
    assert run.played == (40,)


def test_two_files_of_one_name_are_two_strategies(fairdeal, mine, here):
    (here / "other").mkdir()
    other = replace(policy(GAME), about={"seed": 4})
    (here / "other/mine.npz").write_bytes(other.to_bytes())
    told = fairdeal("run", GAME, "--lineup", "mine.npz,other/mine.npz", *FEW, "--json")
    assert told.exit_code == 0, told.stderr
    names = {word for word in told.stdout.replace('"', " ").split() if "mine@" in word}
    assert len({one.strip(",") for name in names for one in name.split(",")}) == 2


def test_a_stopped_run_goes_on_with_the_policy_that_it_began_with(fairdeal, mine, here):
    """The file is another one by then; so is the name that it would have."""
    words = ("run", GAME, "--lineup", "mine.npz,random", *FEW)
    assert fairdeal(*words, "--out", "whole").exit_code == 0
    assert fairdeal(*words, "--out", "part").exit_code == 0
    shutil.rmtree(here / "part/blocks")
    (here / "part/blocks").mkdir()
    (here / "part/sums.parquet").unlink()
    mine.write_bytes(PolicyFile(GAME, ("random",), {}).to_bytes())
    told = fairdeal("runs", "resume", "part", "-j", "1", "--json")
    assert told.exit_code == 0, told.stderr
    whole, part = (
        json.loads((here / name / "summary.json").read_text())
        for name in ("whole", "part")
    )
    assert whole["tables"] == part["tables"]


def bomb():
    """An archive of one array, far larger than its file."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("policy.json.npy", "w", force_zip64=True) as entry,
    ):
        for _ in range(300):
            entry.write(bytes(1 << 20))
    return file.getvalue()


OWN = "open('ran', 'w').close()\n"  # a file that says where it is loaded


class Marks:
    """Would write a file where it is unpickled."""

    def __reduce__(self):
        return exec, ("open('ran', 'w').close()",)


def pickled():
    file = io.BytesIO()
    np.savez(file, **{"policy.json": np.array([Marks()], dtype=object)})
    return file.getvalue()


DAMAGED = "it is damaged, or no learned policy"


def spoilt(change, layers=lambda layers: layers):
    """A policy that says otherwise what one of its networks reads, or weighs."""
    kept = policy(GAME)
    network = kept.networks["acquire"]
    other = Network.__new__(Network)  # a reader might refuse it already
    other.observation = change(network.observation)
    other.layers = layers(network.layers)
    return replace(kept, networks={**kept.networks, "acquire": other}).to_bytes()


def reading(name):
    """A policy that reads an attribute of the view."""

    def change(observation):
        first = replace(observation.numbers[0], place=(name, ()))
        return replace(observation, numbers=(first, *observation.numbers[1:]))

    return spoilt(change)


def number(**values):
    """A policy that standardizes a number so."""

    def change(observation):
        first = replace(observation.numbers[0], **values)
        return replace(observation, numbers=(first, *observation.numbers[1:]))

    return spoilt(change)


def weights(value):
    """A policy with one weight that is this."""

    def change(layers):
        first = layers.first.copy()
        first[0, 0] = value
        return replace(layers, first=first)

    return spoilt(lambda observation: observation, change)


UNFIT = "what it reads at 'acquire' does not fit the game"
BAD = {
    "reading the state": (lambda: reading("_state"), "it reads '_state', which no"),
    "reading a method": (lambda: reading("random"), "it reads 'random', which no"),
    "reading a class": (lambda: reading("__class__"), "it reads '__class__', which no"),
    "reading what is not there": (lambda: reading("gold"), "it reads 'gold', which no"),
    "of no spread": (lambda: number(spread=0.0), DAMAGED),
    "of a spread below nothing": (lambda: number(spread=-1.0), UNFIT),
    "of an endless mean": (lambda: number(mean=1e309), DAMAGED),
    "of sets it lacks": (
        lambda: spoilt(lambda seen: replace(seen, option_sets=(-1,))),
        DAMAGED,
    ),
    "of bytes it lacks": (
        lambda: spoilt(
            lambda seen: replace(seen, legal=tuple(one + 8 for one in seen.legal))
        ),
        DAMAGED,
    ),
    "of no vocabulary": (
        lambda: spoilt(lambda seen: replace(seen, vocabularies={})),
        UNFIT,
    ),
    "of another kind": (
        lambda: spoilt(lambda seen: replace(seen, kind="cast")),
        "'acquire' is no decision of evilpact",
    ),
    "of a teacher that says no worth": (
        lambda: spoilt(
            lambda seen: replace(seen, worth=seen.worth or 1.0, advisers=("random",))
        ),
        "it reads",
    ),
    "of weights too large": (lambda: weights(2.0**24), DAMAGED),
    "without a teacher": (
        lambda: PolicyFile(GAME, (), {}).to_bytes(),
        "it names no teacher",
    ),
    "truncated": (lambda: policy(GAME).to_bytes()[:-500], DAMAGED),
    "a bomb": (bomb, "it is too large for a learned policy"),
    "pickled in an archive": (pickled, DAMAGED),
    "pickled": (lambda: pickle.dumps(Marks()), DAMAGED),
    "a text": (lambda: b"I am a policy\n", DAMAGED),
    "empty": (lambda: b"", DAMAGED),
    "of another game": (lambda: policy("drake").to_bytes(), "it plays drake"),
    "of strange advisers": (
        lambda: replace(policy(GAME), advisers=("os.system",)).to_bytes(),
        "it asks 'os.system', which is no strategy of evilpact",
    ),
    "of a file as adviser": (
        lambda: replace(policy(GAME), advisers=("my.py:Bold",)).to_bytes(),
        "it asks 'my.py:Bold', which is no strategy of evilpact",
    ),
}
PLACES = {
    "run": ("run", GAME, "--lineup", "bad.npz,allround", *FEW),
    "within": ("run", GAME, "--lineup", "noisy(bad.npz, 0.1),allround", *FEW),
    "added": ("run", GAME, "--add-strategy", "bad.npz", *FEW),
    "start": ("learn", GAME, "--start", "bad.npz", "--blocks", "1"),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("what", BAD)
def test_a_file_that_is_no_policy_of_the_game(fairdeal, here, what, place):
    make, said = BAD[what]
    (here / "bad.npz").write_bytes(make())
    (here / "my.py").write_text(OWN)
    told = fairdeal(*PLACES[place])
    assert told.exit_code == 2, told.output
    assert "bad" in told.stderr
    if (what, place) != ("of another game", "start"):  # it says so in its own words
        assert said in told.stderr
    assert not (here / "ran").exists()
    assert not (here / "results").exists()


@pytest.mark.parametrize("place", PLACES)
def test_a_file_that_is_not_there(fairdeal, here, place):
    told = fairdeal(*PLACES[place])
    assert told.exit_code == 2
    assert "bad.npz: No such file" in told.stderr
