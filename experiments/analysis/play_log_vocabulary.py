"""The words of play logs: headings of columns, yes and no, and nobody.

Words are compared without case, spaces and punctuation (``key``).
"""

import unicodedata
from collections.abc import Iterable, Mapping


def key(text: str) -> str:
    """Normalize a word for comparison: "Start position" gives "startposition".

    >>> key("Start-Position"), key("#")
    ('startposition', '#')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded)) or folded.strip()


def _keys(words: str) -> frozenset[str]:
    return frozenset(map(key, words.split()))


ROLES: Mapping[str, frozenset[str]] = {
    "session": _keys(
        "session sessionid sessionno sessionnumber play playid playno playnumber "
        "match matchid matchno gameid gameno gamenumber sitzung partie partienr "
        "partienummer spielnr spielnummer séance partida partita sesión партия сессия"
    ),
    "player": _keys(
        "player players playername name names username who person spieler spielerin "
        "spielername joueur joueuse jugador jugadora jogador giocatore speler gracz "
        "игрок имя"
    ),
    "score": _keys(
        "score scores points pts vp victorypoints finalscore finalpoints punkte "
        "punktzahl siegpunkte puntos puntuación puntaje punti punteggio pontos punten "
        "punkty очки"
    ),
    "position": _keys(
        "position turnorder playorder playerorder startposition startingposition "
        "startpos zugreihenfolge spielreihenfolge startreihenfolge posición posizione "
        "позиция"
    ),
    "rank": _keys(
        "rank ranking finish finishingposition finalposition finalrank placement "
        "platzierung rang rango classement"
    ),
    "winner": _keys(
        "winner winners won win wins iswinner sieger siegerin gewinner gewinnerin "
        "gewonnen sieg vainqueur gagnant gagné victoire ganador ganadora ganó vencedor "
        "vincitore vinto winnaar gewonnen zwycięzca победитель победа"
    ),
}
"""The roles of columns, and the headings that name them."""

UNCLEAR: Mapping[str, tuple[str, ...]] = {
    word: roles
    for words, roles in (
        ("seat seatno seatnumber seatorder seating chair sitz stuhl", ("position",)),
        ("order reihenfolge ordre orden", ("position",)),
        ("place platz posto puesto lugar место", ("position", "rank")),
        ("result results outcome ergebnis résultat resultado", ("score", "winner")),
        ("total totalscore gesamt summe somme suma totale", ("score",)),
        ("startplayer firstplayer starter first startspieler", ()),
    )
    for word in _keys(words)
}
"""Ambiguous headings, and the roles that each may have: the user is asked."""

ASKED = {
    "position": "1 is the first at the table",
    "rank": "1 is who won",
    "score": "what the game counts at its end",
    "winner": "yes or no",
}
"""What such a column holds, for the question to the user."""

BOOKKEEPING = _keys(
    "minutes mins duration length time playtime playingtime gametime hours date day "
    "month year week weekday evening when start end started ended begin total "
    "totalscore sum average avg mean median highest lowest margin note notes comment "
    "comments remark remarks location where place venue city table tableno round "
    "rounds turns version rules ruleset variant edition expansion expansions players "
    "numberofplayers playercount count n no nr number # id row line host game "
    "gamename title scenario map photo link quantity incomplete nowinstats weather "
    "minuten dauer zeit spielzeit spieldauer stunden datum tag monat jahr uhrzeit "
    "beginn ende ort notiz notizen bemerkung bemerkungen kommentar kommentare summe "
    "gesamt durchschnitt mittelwert schnitt anzahl spieleranzahl spielerzahl nummer "
    "lfdnr runde runden tisch variante fassung regeln spiel "
    "durée temps heure lieu remarque remarques commentaire somme moyenne nombre tours "
    "règles jeu duración tiempo minutos fecha hora lugar notas comentario suma media "
    "rondas mesa versión reglas juego durata tempo minuti ora luogo commento totale "
    "duração minutos notas mesa tijd duur datum opmerkingen totaal "
    "минуты время длительность дата место заметки комментарий итого сумма среднее"
)
"""Headings of notes that people take: never a player unless declared."""

DATES = _keys(
    "date day month year week weekday evening when start started end ended begin n no "
    "nr number # id row line datum tag monat jahr uhrzeit beginn ende nummer lfdnr "
    "heure fecha hora data ora дата"
)
"""Headings of dates and numbers of sessions."""

GAMES = _keys("game gamename spiel jeu juego gioco spel gra игра")
"""Headings of a column that says which game was played."""

MINUTES = _keys(
    "minutes mins min duration playtime playingtime gametime durationmin minuten dauer "
    "spielzeit spieldauer durée duración duração durata duur длительность минуты"
)
"""Headings of a column of minutes."""

VERSIONS = _keys(
    "version rules ruleset variant edition variante fassung regeln règles "
    "reglas versión"
)
"""Headings of a column that says by which rules was played."""

TOTALS = _keys(
    "total totals sum average avg mean summe gesamt durchschnitt mittelwert somme "
    "moyenne suma media totale totaal итого сумма среднее"
)
"""Names of rows that sum up the rows above."""

YES = _keys(
    "yes y 1 true x ✓ ✔ ☑ won win winner w ja j wahr gewonnen oui vrai gagné sí si "
    "verdadero sì vero sim verdadeiro tak prawda waar да истина"
)
NO = _keys(
    "no n 0 false lost loss lose l ✗ ✘ ☐ nein falsch verloren non faux perdu falso não "
    "nie fałsz nee onwaar нет ложь"
)
"""Yes and no as people and spreadsheets write them, in several languages."""

NOBODY = _keys(
    "nobody none noone tie tied draw drawn niemand keiner unentschieden personne "
    "égalité nadie empate nessuno pareggio ninguém remis никто ничья"
)
"""Words for no winner."""

AND = r"\s*(?:[&+/,;]|\s(?:and|und|et|y|e|i|en|и)\s)\s*"
"""What separates names in a cell."""


def role_of(heading: str, roles: Iterable[str] = ROLES) -> str:
    """Return the role that a heading names; "" if it names none."""
    word = key(heading)
    return next((role for role in roles if word in ROLES[role]), "")
