"""A rule sheet for players: the values of the rules in force, as a page to print.

It has every value and table that a designer can set, in the words of their
declarations; the course of a turn is in the rulebook.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution.output_paths import new_file
from experiments.variants.rule_diff import field_words, row_name, sentences
from sim.games import Game
from sim.parameters import BY_PLAYERS, Parameter, Rules, item_name

_GUARD = "guard"  # where a simulation gives up; not a rule of the game
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}: rule sheet</title>
<style>
body { font: 11pt/1.4 Georgia, serif; max-width: 45em; margin: 2em auto }
body { padding: 0 1em }
h1 { font-size: 1.6em; margin: 0 } h2 { font-size: 1.15em; margin: 1.4em 0 .3em }
dl { margin: 0; display: grid; grid-template-columns: 2fr 1fr; gap: .3em 1em }
dd { margin: 0; font-weight: bold }
table { border-collapse: collapse; font-size: .9em; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid #bbb; padding: .15em .7em .15em 0; text-align: left }
small { color: #555 }
@media print { body { margin: 0; max-width: none } section { break-inside: avoid } }
</style>
</head>
<body>
<h1>{{ title }}</h1>
<p>For {{ players }} players.</p>
{% if changes %}
<section><h2>Unlike the printed game</h2>
<ul>{% for words in changes %}<li>{{ words }}</li>{% endfor %}</ul></section>
{% endif %}
<section><h2>Numbers and choices</h2>
<dl>{% for rule in values %}<dt>{{ rule.words }}{{ rule.mark }}</dt>
<dd>{{ rule.text }}</dd>{% endfor %}</dl></section>
{% for rule in tables %}
<section><h2>{{ rule.words }}{{ rule.mark }}</h2>
<table><thead><tr>{% for name in rule.columns %}<th>{{ name }}</th>{% endfor %}</tr>
</thead><tbody>{% for row in rule.rows %}
<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>{% endfor %}
</tbody></table></section>
{% endfor %}
{% if notes %}<p><small>{% for note in notes %}{{ note }}<br>{% endfor %}</small></p>
{% endif %}
</body>
</html>"""


@dataclass(frozen=True)
class _Entry:
    """A rule on the sheet: a text, or a table."""

    words: str
    mark: str
    text: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def rule_sheet(game: Game, rules: Rules) -> str:
    """Return the sheet as a page that needs nothing else.

    Rules that are not in force, such as the deck of another variant, are left out.

    >>> from sim.games import load
    >>> kunitame = load("kunitame")
    >>> "Life gems of a player at the start" in rule_sheet(kunitame, kunitame.rules())
    True
    """
    from jinja2 import Environment

    notes: list[str] = []
    entries = list(_entries(rules, rules.plain_with(game.players[-1]), notes))
    template = Environment(autoescape=True, trim_blocks=True).from_string(_PAGE)
    return template.render(
        title=game.title,
        players=", ".join(map(str, game.players)),
        changes=sentences(type(rules)(), rules),
        values=[entry for entry in entries if not entry.rows],
        tables=[entry for entry in entries if entry.rows],
        notes=notes,
    )


def save_sheet(game: Game, rules: Rules, path: Path) -> None:
    """Write the sheet to a new file that ends in .html; raises ``UsageError``."""
    if path.suffix != ".html":
        raise UsageError(f"--sheet: {path} must end in .html.")
    new_file(path, rule_sheet(game, rules), "--sheet")


def _entries(
    rules: Rules, in_force: Mapping[str, Any], notes: list[str]
) -> Iterator[_Entry]:
    """Yield the rules that are in force, and note what is assumed of them."""
    numbers = count(1)
    for rule in rules.parameters():
        if rule.key == _GUARD or (rule.key not in in_force and rule.key != BY_PLAYERS):
            continue
        words, mark = rule.doc.strip().removesuffix("."), ""
        if rule.assumed and rule.value == rule.default:
            number = next(numbers)
            mark = f" [{number}]"
            notes.append(f"[{number}] assumed: {rule.assumed}")
        title = words[:1].upper() + words[1:]
        value = in_force[rule.key] if rule.items else rule.in_force
        rows = _rows(rule, value)
        if rows:
            yield _Entry(title, mark, "", *rows)
        else:
            unit = f" {rule.unit}" if rule.unit else ""
            yield _Entry(title, mark, _text(value) + unit)


def _rows(
    rule: Parameter, value: Any
) -> tuple[Sequence[str], Sequence[Sequence[str]]] | None:
    """Return the columns and rows of a rule that is a table, or a list of items."""
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        first = "players" if rule.key == BY_PLAYERS else "name"
        keys = dict.fromkeys(key for row in value for key in row)
        columns = [k for k in keys if k not in {"id", "name"} and _any_set(value, k)]
        rows = [[row_name(row), *(_text(row.get(k)) for k in columns)] for row in value]
        return [first, *(name.replace("_", " ") for name in columns)], rows
    if isinstance(value, list) and rule.items[1:]:
        rows = [
            [item_name(rule.items[:1], rule.key, (place,)), *_numbers(item)]
            for place, item in enumerate(value, start=1)
        ]
        return ["", *rule.items[1:]], rows
    if isinstance(value, Mapping):
        return ["", ""], [
            [key.replace("_", " "), _text(item)] for key, item in value.items()
        ]
    return None


def _any_set(rows: Sequence[Mapping[str, Any]], key: str) -> bool:
    """Whether a field is set in any row; a false one is not."""
    return any(row.get(key) not in (None, False, "", []) for row in rows)


def _numbers(item: Any) -> list[str]:
    return [_text(each) for each in item] if isinstance(item, list) else [_text(item)]


def _text(value: Any) -> str:
    """Return a value in words; a choice without its underscores."""
    if value is None:
        return ""
    return field_words(value).replace("_", " ")
