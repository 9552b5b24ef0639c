"""Playing a report again on fresh games: which of its claims hold there too.

A claim holds if the same section makes it again: the same words, numbers aside, with
the same label. Who is named in it ("the first dealer", "the black square") belongs to
the words. Descriptions and open questions claim nothing that could hold.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reports.page import Finding
from sim.chance import mix
from sim.masks import constant

_STEP = 0x9E3779B97F4A7C15  # odd: seeds that differ stay different
_NUMBER = re.compile(r"[+\N{MINUS SIGN}-]?\d[\d,.]*\d|[+\N{MINUS SIGN}-]?\d")


@dataclass(frozen=True)
class Replication:
    """What became of the claims of a report on fresh games."""

    seed: int
    held: tuple[str, ...]
    missed: tuple[str, ...]

    def sentences(self) -> tuple[str, ...]:
        """What is told of it, a line each."""
        claims = len(self.held) + len(self.missed)
        if not claims:
            return (f"Played again with seed {self.seed}: there was no claim to hold.",)
        head = (
            f"Played again with seed {self.seed}: {len(self.held)} of {claims} claims"
        )
        return (f"{head} held.", *(f"not again: {text}" for text in self.missed))


def fresh(seed: int) -> int:
    """The seed of the games that replicate those of a seed; of 32 bits.

    >>> fresh(1) != fresh(2) != 1
    True
    """
    number = constant((seed + 1) * _STEP % (1 << 64)).reshape(1).copy()
    return int(mix(number)[0] >> constant(32))


def replicated(
    first: Sequence[Finding], again: Sequence[Finding], seed: int
) -> Replication:
    """Compare the findings of two reports, the second one played with this seed."""
    claims = [one for one in first if one.sure in {"sure", "likely"}]
    made = {_claim(one) for one in again}
    held = [_claim(one) in made for one in claims]
    return Replication(
        seed,
        tuple(c.labelled for c, yes in zip(claims, held, strict=True) if yes),
        tuple(c.labelled for c, yes in zip(claims, held, strict=True) if not yes),
    )


def _claim(finding: Finding) -> tuple[str, str, str]:
    """What a finding claims: its section, its label, its words without numbers."""
    return finding.section, finding.sure, _NUMBER.sub("#", finding.text)
