"""How often the preferences of a text are followed (``strategies.text_file``)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from experiments.conformance.harness import Check, Setting, numbers
from sim.masks import Masks
from sim.view import View
from strategies.text_strategy import Followed, TextStrategy


class _Counting:
    """A player that counts, by kind, which preferences decide together; () for none."""

    def __init__(self, inner: TextStrategy) -> None:
        self._inner = inner
        self.followed: dict[str, Counter[Followed]] = {}

    @property
    def title(self) -> str:
        return self._inner.title

    def decide(self, view: View) -> Masks:
        answers, lines = self._inner.decide_by_line(view)
        counts = self.followed.setdefault(view.kind.name, Counter())
        counts.update(lines)
        return answers


def preference_checks(
    settings: Sequence[Setting], own: TextStrategy, games: int
) -> Iterator[Check]:
    """Count what each preference decides, and what is left to the other strategy.

    A preference fails if an earlier one decides whatever it could. games: at each
    table, in which the text plays every seat.
    """
    player = _Counting(own)
    for setting in settings:
        setting.play(numbers(0, games), [player] * setting.players)
    played = games * len(settings)
    kinds = settings[0].game.kinds.items()
    unreachable = own.text.unreachable({n for n, kind in kinds if kind.form == "bag"})
    for number, line in enumerate(own.text.prefer, 1):
        counts = player.followed.get(line.kind, Counter())
        name = f"preference {number}"
        if number in unreachable:
            why = f"preference {unreachable[number]} always decides before it"
            yield Check(name, False, f"{line}: can never be followed, as {why}")
            continue
        times = sum(many for lines, many in counts.items() if number - 1 in lines)
        often = _often(times, counts.total())
        never = f"never in {played:,} games: it may never fit, or others come before it"
        yield Check(name, True, f"{line}: {often if times else never}")
    for kind, counts in player.followed.items():
        if left := counts[()]:
            who = own.other.title
            often = _often(left, counts.total())
            yield Check("otherwise", True, f"{kind}: {who} decides {often}")


def _often(times: int, asked: int) -> str:
    return f"{times / max(asked, 1):.0%} of {asked:,} decisions"
