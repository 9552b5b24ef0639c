"""The JSON Schema of a game's variant files, for editors.

An editor with the schema completes the names of rules and rows, shows what each means,
and marks values out of range. It is made from the game's rules model. Mistakes that no
schema can express (values that do not fit together, a row that neither the game nor a
base file has) are found by ``fairdeal variant validate``.

Language servers of TOML support draft 4 or 7 best, so newer keywords are avoided.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution.output_paths import new_file
from experiments.execution.text_files import to_json
from experiments.variants.rule_diff import row_words
from experiments.variants.rules_by_players import player_columns
from experiments.variants.variant_files import KEYS
from sim.games import Game
from sim.parameters import BY_PLAYERS, Parameter, Rules

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
_METADATA = ("unit", "source", "assumed", "items_called")  # of parameters, in the model
_REMOVE: Schema = {"type": "boolean", "description": "true removes the row."}


def schema(game: Game) -> Schema:
    """Return the JSON Schema of the variant files of a game."""
    model = game.rules.model_json_schema()
    rows = model.get("$defs", {})
    parameters = {parameter.key: parameter for parameter in game.rules().parameters()}
    rules = {
        key: _rule(field, parameters[key], rows)
        for key, field in model["properties"].items()
    }
    rules |= _columns(game.rules(), rules)
    text = {"type": "string"}
    keys: dict[str, Schema] = {
        "game": {"enum": [game.id]},
        "name": text,
        "about": text,
        "base": {"type": "string", "minLength": 1},
        "rules": closed_table(rules),
    }
    return {
        "$schema": DRAFT,
        "title": f"Variant of {game.title}",
        **closed_table({key: {**keys[key], "description": KEYS[key]} for key in KEYS}),
        "required": ["game"],
    }


def save(made: Schema, path: Path) -> None:
    """Write a schema to a file that ends in .json; raises ``UsageError``."""
    if path.suffix != ".json":
        raise UsageError(f"--file: {path} must end in .json.")
    new_file(path, to_json(made), "--file")


def closed_table(properties: Schema) -> Schema:
    """Return the schema of a table with these keys and no others."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _rule(field: Schema, parameter: Parameter, rows: Mapping[str, Schema]) -> Schema:
    """Return the schema of a rule value, or of a table if its items are rows."""
    row = _row_of(field, rows)
    made = plain(field, rows) if row is None else _table(row, parameter.default, rows)
    made.pop("description", None)
    if row is None and parameter.default is not None:
        made["default"] = parameter.default
    return {"description": _description(parameter), **made}


def _columns(base: Rules, rules: Mapping[str, Schema]) -> Schema:
    """Return the schemas of fields that can be set for every number of players."""
    fields: Schema = {}
    for name in player_columns(base):
        table, _ = rules[BY_PLAYERS]["anyOf"]
        [row] = table["patternProperties"].values()
        text = f"{name} with every number of players; {BY_PLAYERS} sets each by itself."
        field = {k: v for k, v in row["properties"][name].items() if k != "default"}
        fields[name] = {**field, "description": text}
    return fields


def _row_of(field: Schema, rows: Mapping[str, Schema]) -> Schema | None:
    """Return the model of a table's rows, if the rule is a table of rows with an id."""
    reference = field.get("items", {}).get("$ref", "")
    row = rows.get(reference.rpartition("/")[2])
    return row if row is not None and "id" in row["properties"] else None


def _description(parameter: Parameter) -> str:
    """Return what an editor shows of a rule."""
    parts = [
        parameter.doc,
        f"Unit: {parameter.unit}" if parameter.unit else "",
        f"Allowed: {parameter.allowed}",
        f"Source: {parameter.source}" if parameter.source else "",
        f"Assumed: {parameter.assumed}" if parameter.assumed else "",
    ]
    sentences = [part.strip().removesuffix(".") for part in parts if part]
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in sentences)


def _table(row: Schema, known: Any, rows: Mapping[str, Schema]) -> Schema:
    """Return the schema of changes to a table by row id, or of a whole new table."""
    fields = {key: plain(field, rows) for key, field in row["properties"].items()}
    name = fields.pop("id")
    ids = {
        old["id"]: {
            "description": f"{old['id']}: {row_words(old)}.",
            **_patch({key: _now(part, old.get(key)) for key, part in fields.items()}),
        }
        for old in known
    }
    by_id = {
        "type": "object",
        "properties": ids,
        "patternProperties": {name.get("pattern", "."): _patch(fields)},
        "additionalProperties": False,
    }
    whole = {**closed_table({"id": name, **fields}), "required": row["required"]}
    return {"anyOf": [by_id, {"type": "array", "items": whole}]}


def _patch(fields: Schema) -> Schema:
    return closed_table({**fields, "remove": _REMOVE})


def _now(field: Schema, value: Any) -> Schema:
    """Return the schema of a field of an existing row, with its value as default."""
    kept = {key: part for key, part in field.items() if key != "default"}
    return kept if value is None else {"default": value, **kept}


def plain(field: Schema, rows: Mapping[str, Schema]) -> Schema:
    """Return a field's schema for TOML: without null and without newer keywords."""
    if "$ref" in field:
        return plain(rows[field["$ref"].rpartition("/")[2]], rows)
    made = {k: v for k, v in field.items() if k not in {*_METADATA, "title"}}
    forms = [part for part in made.pop("anyOf", []) if part != {"type": "null"}]
    if len(forms) == 1:
        made |= plain(forms[0], rows)
    elif forms:
        made["anyOf"] = [plain(part, rows) for part in forms]
    if "prefixItems" in made:
        made["items"] = [plain(part, rows) for part in made.pop("prefixItems")]
        made["additionalItems"] = False
    elif isinstance(made.get("items"), dict):
        made["items"] = plain(made["items"], rows)
    if "properties" in made:
        inside = made["properties"].items()
        made["properties"] = {key: plain(part, rows) for key, part in inside}
    if made.get("default", "") is None:
        del made["default"]
    if "const" in made:
        made["enum"] = [made.pop("const")]
    return made
