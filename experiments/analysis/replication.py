"""Replicate a report on fresh games: which of its claims hold there, too.

A claim holds if the same section makes it again: the same words, apart from numbers,
with the same label. Names in it ("the first dealer", "the black square") belong to the
words. Descriptions and open questions are not claims.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reports.report_document import Finding
from sim.chance import mix
from sim.masks import constant

_STEP = 0x9E3779B97F4A7C15  # odd: seeds that differ stay different
_NUMBER = re.compile(r"[+\N{MINUS SIGN}-]?\d[\d,.]*\d|[+\N{MINUS SIGN}-]?\d")


@dataclass(frozen=True)
class Replication:
    """The claims of a report that held on fresh games, and those that did not."""

    seed: int
    held: tuple[str, ...]
    missed: tuple[str, ...]

    def sentences(self) -> tuple[str, ...]:
        """Return the result in sentences, one per line."""
        claims = len(self.held) + len(self.missed)
        if not claims:
            return (f"Played again with seed {self.seed}: no claims to test.",)
        held = f"{len(self.held)} of {claims} claims held"
        head = f"Played again with seed {self.seed}: {held}."
        return (head, *(f"not again: {text}" for text in self.missed))


def replication_seed(seed: int) -> int:
    """Return the seed, of 32 bits, for replicating the games of a seed.

    >>> replication_seed(1) != replication_seed(2) != 1
    True
    """
    number = constant((seed + 1) * _STEP % (1 << 64)).reshape(1).copy()
    return int(mix(number)[0] >> constant(32))


def compare_claims(
    first: Sequence[Finding], again: Sequence[Finding], seed: int
) -> Replication:
    """Compare the findings of two reports, the second played with this seed."""
    claims = [finding for finding in first if finding.sure in {"sure", "likely"}]
    made = {_claim(finding) for finding in again}
    held = [_claim(finding) in made for finding in claims]
    return Replication(
        seed,
        tuple(c.labelled for c, yes in zip(claims, held, strict=True) if yes),
        tuple(c.labelled for c, yes in zip(claims, held, strict=True) if not yes),
    )


def _claim(finding: Finding) -> tuple[str, str, str]:
    """Return what identifies a claim: section, label, and words without numbers."""
    return finding.section, finding.sure, _NUMBER.sub("#", finding.text)
