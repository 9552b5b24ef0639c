"""Which lineups a report plays, and how many games of each."""

import json
from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

from experiments.analysis import balance_report, leader, panel, report_runs
from experiments.core.measures import report_of
from experiments.counterfactual.intervention import EveryOption, Forbid
from experiments.execution.checksummed_json import seal
from experiments.execution.manifest_schema import manifest_of_run
from experiments.execution.manifests import describe_run
from experiments.execution.results import load
from experiments.studies.lineups import LEAD
from sim import games


def places(game="kunitame", counts=(3, 4), others=(3, 4)):
    rules = games.load(game).rules.of()
    return list(panel.Panel(game, rules, counts, others, 1, (), ()).cells())


@pytest.mark.parametrize("game", [*games.REGISTRY])
def test_a_report_that_was_broken_off_goes_on_with_any_seed(tmp_path, game):
    """What its run has written of its cells can be read again."""
    rules, asked = games.load(game).rules.of(), report_of(game)
    kinds = ("decline", "trials", "other_rules")
    ways = (asked.wanted(kind, rules.plain()) for kind in kinds)
    counts = games.load(game).players
    made = panel.Panel(game, rules, counts, counts, 0, (), *ways)
    cells = [place.cell for place in made.cells()]
    manifest = describe_run(cells, [1] * len(cells), 1, True, ())
    (tmp_path / "manifest.json").write_bytes(seal("manifest", manifest))
    assert manifest_of_run(tmp_path)["cells"] == json.loads(
        json.dumps(manifest["cells"])
    )


def test_every_strategy_plays_with_every_number_of_players():
    kinds = Counter((place.kind, place.cell.players) for place in places())
    assert kinds["self", 3] == kinds["self", 4] > 1
    assert kinds["against", 3] == kinds["against", 4] == kinds["self", 4] - 1
    assert kinds["mixed", 3] == kinds["mixed", 4] == 1


def test_where_the_others_do_not_play_the_leading_strategy_does():
    found = places(others=(4,))
    three = [place for place in found if place.cell.players == 3]
    assert [(place.kind, place.cell.label) for place in three] == [
        ("self", LEAD),
        ("noisy", f"noisy({LEAD}, {panel.NOISE})"),
    ]
    assert [place for place in found if place.cell.players == 4] == [
        place for place in places() if place.cell.players == 4
    ]


def test_one_of_each_sits_among_the_leading_one():
    found = [place.cell for place in places() if place.kind == "one"]
    assert {cell.players for cell in found} == {4}
    for cell in found:
        other, *rest = cell.lineup
        assert other != LEAD
        assert rest == [LEAD] * 3
    assert len({cell.lineup[0] for cell in found}) == len(found)


def test_searchers_play_fewer_games_of_their_own():
    rules = games.load("kunitame").rules.of()
    made = panel.Panel("kunitame", rules, (3, 4), (3, 4), 1, (), ())

    def kinds(games, made=made):
        return [
            ([one.kind for one in cells], number)
            for cells, number in made.search_cells("search:samples=1", games)
        ]

    alone = [(["search"], 100), (["one"], 100)]
    assert kinds(100) == [(["search"], 64), *alone]
    assert kinds(32) == [(["search"], 32), (["search"], 32), (["one"], 32)]
    assert kinds(256) == [(["search"], 64), (["search"], 256), (["one"], 256)]
    found = made.search_cells("search:samples=1", 256)
    seeds = {one.cell.seed for cells, _ in found for one in cells}
    assert not seeds & {place.cell.seed for place in places() if place.kind != "one"}


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(
    ("game", "by"), [("kunitame", ""), ("kbernestich", "search:samples=4:kinds=play")]
)
def test_in_full_reports_a_searcher_does_what_the_leading_one_does(game, by, full):
    """His decisions are played on by searchers, and he may not take a square."""
    rules = games.load(game).rules.of()
    tried, knocked = (
        report_of(game).wanted(kind, rules.plain())
        for kind in ("counterfactuals", "forbidden")
    )
    wanted = {"counterfactuals": tried, "forbidden": knocked, "full": full}
    made = panel.Panel(game, rules, (4,), (4,), 1, (), (), **wanted)
    assert made.continuation == (by if full else None)
    _, ([lone], _) = made.search_cells("search:samples=1", 100)
    assert lone.kind == "one"
    cell = lone.cell
    tries = cell.interventions.of(EveryOption)
    assert {one.do.plays_on for one in tries} == {by if full else LEAD}
    assert all(one.whose == "first" for one in tries)
    assert bool(cell.interventions.of(Forbid)) == full
    changed = [one.cell for one in made.cells() if one.cell.interventions is not None]
    [lead] = [cell for cell in changed if cell.interventions.of(Forbid)]
    assert set(lead.lineup) == {LEAD}


@pytest.mark.parametrize(
    ("counts", "some", "both"), [((2, 3, 4), (2, 4, 8), (2, 4)), ((3, 5), (2,), (3, 5))]
)
def test_numbers_of_players_asked_for_are_all_played(counts, some, both):
    assert balance_report._known_counts(counts, some) == both


def test_a_report_says_how_many_games_it_needs(tmp_path, monkeypatch):
    declared = replace(report_of("kunitame"), games=7)
    monkeypatch.setattr(balance_report, "report_of", lambda game: declared)
    played = {}
    monkeypatch.setattr(
        report_runs,
        "open_run",
        lambda cells, number, **_: played.update(games=number) or 1 / 0,
    )
    with pytest.raises(ZeroDivisionError):
        balance_report.report("kunitame", players=[3], lineup="random", out=tmp_path)
    assert played["games"] == [7]
    with pytest.raises(ZeroDivisionError):
        balance_report.report(
            "kunitame", games=9, players=[3], lineup="random", out=tmp_path
        )
    assert played["games"] == [9]


@pytest.mark.parametrize(
    ("most", "self_", "one", "against"),
    [
        (65_536, 16_384, 8_192, 4_096),
        (8_192, 2_048, 1_024, 512),
        (1_500, 1_500, 1_024, 512),
        (9, 9, 9, 9),
    ],
)
def test_lineups_beside_the_leading_one_have_the_games_that_they_need(
    most, self_, one, against
):
    found = {
        (place.kind, place.cell.title() == LEAD): place.games(panel.LEAD, most)
        for place in places()
    }
    assert found["self", True] == most
    assert {found["self", False], found["noisy", False]} == {self_}
    assert found["one", False] == one
    assert {found["against", False], found["mixed", False]} == {against}


def test_who_wins_is_counted_in_games_of_their_own(tmp_path):
    """And so is how games end; the rest is of the games that were asked for."""
    how = {"games": 256, "players": [4], "seed": 3, "lineup": "allround"}
    done = balance_report.report("kunitame", **how, out=tmp_path)
    scores = pl.read_parquet(tmp_path / "tables" / "scorecard.parquet")
    n = dict(scores.select("line", "n").rows())
    ends = load(tmp_path / "ends" / "4-players")
    [games] = ends.played
    assert n["positions"] == n["ties"] == games
    assert n["runaway"] <= 256
    told = scores.row(by_predicate=pl.col("line") == "positions", named=True)
    assert told["value"] == pytest.approx(ends.gap().estimate)
    text = done.page.with_suffix(".md").read_text()
    assert f"{games:,} games of 4 players: as many as the verdicts need" in text
    assert f"\n{games + 256:,} games of fairdeal" in text


@pytest.mark.parametrize(
    ("games", "full", "told"), [(999, False, 32), (999, True, 128), (50, True, 50)]
)
def test_in_full_reports_searchers_play_games_enough(games, full, told):
    declared = replace(report_of("article_ii"), search_games=32)
    assert balance_report._slow_games(declared, games, full) == told


def test_in_full_reports_one_who_searches_declines_too(tmp_path):
    game = "devil"
    rules = games.load(game).rules.of()
    wanted = report_of(game).wanted("decline", rules.plain())
    made = panel.Panel(game, rules, (4,), (4,), 1, (), wanted, full=True)
    _, (_, some), (pairs, few) = made.search_cells("search:samples=4", 64)
    assert (some, few) == (64, 64 // wanted[0]["searched"])
    paired = [place for place in made.cells() if place.kind == "paired"]
    assert [place.moment for place in pairs] == [place.moment for place in paired]
    for place in pairs:
        (who, *others), (without, *same) = (
            place.cell.one.lineup,
            place.cell.other.lineup,
        )
        assert (who.title, without.inner) == ("search:samples=4", who)
        assert {one.title for one in others} == {LEAD}
        assert others == same
    seeds = [place.cell.one.seed for place in (*paired, *pairs)]
    assert len({*seeds}) == len(seeds), "each has games of its own"
    assert len(replace(made, full=False).search_cells("search:samples=4", 64)) == 2
    manifest = describe_run(
        [place.cell for place in pairs], [few] * len(pairs), 1, True, ()
    )
    (tmp_path / "manifest.json").write_bytes(seal("manifest", manifest))
    assert manifest_of_run(tmp_path)["cells"] == json.loads(
        json.dumps(manifest["cells"])
    )


@pytest.mark.parametrize(("game", "others"), [("socialism", True), ("kunitame", False)])
def test_where_moments_are_dear_others_sit_with_those_of_page_one(
    monkeypatch, tmp_path, game, others
):
    played = []

    def begins(runs, *_):
        played.extend(runs)
        raise ZeroDivisionError

    monkeypatch.setattr(balance_report, "play_runs", begins)
    with pytest.raises(ZeroDivisionError):
        balance_report.report(game, games=64, players=[4], search_games=0, out=tmp_path)
    first = {played[0].cells[number].kind for number in played[0].how["first"]}
    assert {"self", "noisy", "one"} <= first
    assert ("against" in first) == others
    assert "beside" not in first


def test_strong_players_have_tables_where_learning_has_made_them():
    rules = games.load("kunitame").rules.of()
    made = panel.Panel("kunitame", rules, (3, 4), (3, 4), 1, (), ())
    tables = made.strong_cells(512)
    assert [many for _, many in tables] == [256, 256, 512, 512, 512, 512]
    assert [[one.kind for one in cells] for cells, _ in tables] == [
        ["strong"],
        ["taught"],
        ["strong"],
        ["one strong"],
        ["taught"],
        ["one taught"],
    ]
    lineups = [cells[0].cell.lineup for cells, _ in tables[2:]]
    assert lineups == [
        seats
        for name in ("learned", "taught")
        for seats in ((name,) * 4, (name, *[LEAD] * 3))
    ]


def test_who_learned_the_game_leads_and_knows_who_searches_how_they_play():
    rules = games.load("kunitame").rules.of()
    lead = leader.strong_leader("kunitame", rules, (3, 4))
    made = panel.Panel("kunitame", rules, (4,), (4,), 1, (), (), lead=lead)
    first, *others = made.specs()
    assert first == "learned"
    assert LEAD in others
    kinds = [one.kind for cells, _ in made.strong_cells(512) for one in cells]
    assert kinds == ["taught", "one taught"], "learned leads"
    ([every], many), ([lone], few) = made.search_cells("search:samples=1", 256)
    assert (many, few) == (256, 64)
    assert every.cell.label == "search:samples=1", "a heuristic plays on"
    assert lone.cell.lineup == ("search:samples=1:inner=learned", *["learned"] * 3)
    few = [made.search_cells("search:samples=1", games)[-1][1] for games in (64, 16)]
    assert few == [20, 16], "fewer would have no spread"


def test_reports_of_few_games_look_for_no_leader(tmp_path):
    """Nor does one about a lineup."""

    def found(*_):
        raise AssertionError

    how = {"players": [4], "search_games": 0, "lead": found}
    balance_report.report("drake", games=20, out=tmp_path / "few", **how)
    one = {**how, "lineup": "random"}
    balance_report.report("drake", games=256, out=tmp_path / "one", **one)
