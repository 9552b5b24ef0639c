"""The JSON Schema of the study files of a game, for editors.

It is made from the models that read a study (``Study``, ``Design``, ``Target``,
``WhatIfTable``), the schema of the game's variant files, and the names of its measures.
Where a file allows a short form, such as ``players = 4``, both forms are in it.
"""

from typing import Any

from experiments.core.measures import measures_of
from experiments.studies.study import OURS, Study
from experiments.studies.targets import Target
from experiments.studies.what_if_tables import WhatIfTable
from experiments.variants import schema
from experiments.variants.schema import DRAFT, Schema, closed_table, plain
from sim.games import Game

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}


def study_schema(game: Game) -> Schema:
    """Return the JSON Schema of the study files of a game."""
    model = Study.model_json_schema()
    defs = model["$defs"]
    properties = {
        key: plain(field, defs)
        for key, field in model["properties"].items()
        if key not in OURS
    }
    rules = schema.schema(game)["properties"]["rules"]
    given = _either(_TEXT, _TEXTS)
    variant = closed_table({"base": _TEXT, "rules": rules, "given": given})
    measure = {"enum": [*measures_of(game.id, True)]}
    targets = Target.model_json_schema()
    target = {
        name: plain(field, {})
        for name, field in targets["properties"].items()
        if name != "name"
    }
    target |= {"measure": measure, "where": {"type": "object"}}
    properties |= {
        "game": {"enum": [game.id]},
        "variants": _either(_TEXTS, _table(_either(_TEXT, variant))),
        "lineups": _either(_TEXT, _TEXTS, _table(_either(_TEXT, _TEXTS))),
        "players": _either(
            {"type": "integer"}, _TEXT, {"type": "array", "items": {"type": "integer"}}
        ),
        "precision": _either(_TEXT, {"type": "number"}),
        "given": given,
        "measures": _either(measure, {"type": "array", "items": measure}),
        "strategies": _either(_TEXT, _TEXTS),
        "tables": _either(_TEXT, _TEXTS),
        "targets": _table({**closed_table(target), "required": ["measure"]}),
    }
    what_if = WhatIfTable.model_json_schema()["properties"]
    change = {name: plain(field, {}) for name, field in what_if.items()}
    properties["what_if"] = _table(closed_table(change | {"other_rules": rules}))
    docs = {key: field.description for key, field in Study.model_fields.items()}
    return {
        "$schema": DRAFT,
        "title": f"Study of {game.title}",
        **closed_table(
            {k: {**v, "description": docs[k]} for k, v in properties.items()}
        ),
        "required": ["game"],
    }


def _either(*forms: Schema) -> Schema:
    return {"anyOf": [*forms]}


def _table(values: Any) -> Schema:
    return {"type": "object", "additionalProperties": values}
