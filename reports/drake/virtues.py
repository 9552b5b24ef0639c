"""Who wins: the four Virtues, played at the table or absent."""

from collections.abc import Iterator

from reports.claims import Claim
from reports.drake.game_arrays import tables
from reports.drake.labels import EVEN, ROLE, TOLERANCE, VIRTUE
from reports.figure_specs import bars, dots
from reports.formatting import join_words, percent, share
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, with_words
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.scorecard.line_statistics import ROLE_WINS
from reports.statistics.equivalence import judge, more_games, overall, sureness
from reports.verdicts import how_tested

_EACH = MeasuresOf("virtues", by="virtue")
_ROLES = "games that the Virtue wins, of those in which it is played, or absent"
MEASURES = (
    _EACH.share(ROLE_WINS, "games that the Virtue wins, of all games", "won"),
    _EACH.share("virtue wins by role", _ROLES, "won", by="virtue role"),
)
SHARES = MeasureTable(
    "virtues-share",
    "Which Virtue wins",
    "Of all games; those missing from 100 % were broken off.",
    ("players", VIRTUE, Number(ROLE_WINS, "games")),
    draw=bars("table", "share of games, %", "virtue"),
)
BY_ROLE = MeasureTable(
    "virtues-role",
    "A Virtue played, and absent",
    "With two players Pride is always absent, with four none is.",
    ("players", VIRTUE, ROLE, Number("virtue wins by role", "wins")),
    rows=with_words("who", "{}, {} players".format, "virtue", "players"),
    draw=dots("who", "share of games, %", by="role"),
)
_VERDICTS = {
    "within": "no Virtue is more than 5 points from that",
    "outside": "some Virtue is more than 5 points from that",
    "undecided": "whether a Virtue is more than 5 points from that is undecided",
}


def balance(data: ReportData) -> Iterator[Finding]:
    """Say whether some Virtue wins more or less than its share."""
    rows = data.leading(ROLE_WINS, players=data.players).drop_nulls("se")
    if rows.is_empty():
        return
    games = data.games_of(rows["cell"][0], ROLE_WINS)
    low, high = EVEN - TOLERANCE, EVEN + TOLERANCE
    verdict = overall(judge(rows["estimate"], rows["se"], low, high, share=True))
    ordered = rows.sort("estimate", descending=True).to_dicts()
    shares = join_words([f"{row['virtue']} wins {share(row)}" for row in ordered])
    text = (
        f"Virtues, {data.players} players, {data.who}: {shares}, where even is "
        f"{percent(EVEN, 0)}; {_VERDICTS[verdict]}"
    )
    if verdict == "undecided":
        needed = more_games(rows["estimate"], rows["se"], games, low, high)
        text += f" ({needed})"
    names = {name: name for name in rows["virtue"]}
    yield Finding(
        f"{text}.",
        sureness(verdict),
        claim=Claim(
            "the Virtues",
            ROLE_WINS,
            data.players,
            "virtue",
            names,
            even=EVEN,
            tolerance=TOLERANCE,
        ),
        tested=how_tested("5 points from even", "Virtues", rows.height, games),
    )


SECTION = ReportSection(
    id="virtues",
    title="The four Virtues",
    question="How often does each of the four Virtues win?",
    intro="With {who}, by the rules in force. A full pile wins for its Virtue, an "
    "empty deck for Pride, whether or not somebody plays that Virtue.",
    measures=MEASURES,
    tidy=tables,
    tables=(SHARES, BY_ROLE),
    claims=(balance,),
)
