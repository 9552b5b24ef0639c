"""What the columns of the tidy tables mean: table -> column -> words."""

DOCS: dict[str, dict[str, str]] = {
    "declares": {
        "game": "number of the game in its block",
        "strategy": "who could end the round",
        "card": "the Special played: 1S or 4S",
        "band": "band of the cost of his hand, from 0",
        "ends": "1 he ended the round, 0 he went on",
        "others": "other players",
        "own": "cost of his hand",
        "rest": "cost of all other hands together",
        "end_own": "points that ending adds to him",
        "end_rest": "points that ending adds to all others together",
        "end_ahead": "end_rest - others * end_own",
        "on_own": "points that the round added to him when it ended",
        "on_rest": "points that the round added to all others together",
        "better": "end_ahead - (on_rest - others * on_own)",
    },
    "declined": {
        "game": "number of the game in its block",
        "strategy": "who ended the round, and goes on at that moment in the other game",
        "card": "the Special with which he ended it: 1S or 4S",
        "others": "other players",
        "own_less": "points added to him in the round: ended, less went on",
        "rest_less": "points added to all others together: ended, less went on",
        "ahead_more": "rest_less - others * own_less",
        "score_less": "his total at the end of the game: ended, less went on",
        "won_more": "1 if only the game with the end was won, -1 if only the other",
        "turns_less": "turns of the round: ended, less went on",
        "again": "how often, having gone on, he was asked once more in the round",
        "first": "1 if, having gone on, it was he who ended the round nevertheless",
    },
}
