"""Read all replies, print a table by language and by program, and as the last line one JSON object.

``--failures`` prints every reply that is not read exactly. Exit code 1 when a figure is not reached.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict

from tests.letters.evaluation.replies import replies
from tests.letters.evaluation.scoring import Figures, Score, grouped, scores, short


def main(failures: bool) -> int:
    """Print it; the exit code."""
    written = list(replies())
    scored = list(scores(written))
    if failures:
        for each in scored:
            _print_failure(each)
    languages = grouped(scored, lambda each: each.reply.language)
    clients = grouped(scored, lambda each: each.reply.client)
    _print_table("language", languages)
    _print_table("program", clients)
    missed = short(scored)
    print(json.dumps(_whole(len(written), scored, languages, clients, missed)))
    return 1 if missed else 0


def _print_failure(score: Score) -> None:
    if not score.exact:
        print(score.reply.name, *(f"  lost  {line!r}" for line in score.lost), sep="\n")
        for line in score.extra:
            print(f"  extra {line!r}")


def _print_table(title: str, rows: Mapping[str, Figures]) -> None:
    print(f"{title:<16} readings  quoted run  orders lost  order-safe   exact")
    for name, found in rows.items():
        counts = f"{found.readings:8}  {found.run:10}  {found.orders_lost:11}"
        print(f"{name:<16} {counts}  {found.safe:10.1%}  {found.exact:6.1%}")
    print()


def _whole(
    written: int,
    scored: list[Score],
    languages: Mapping[str, Figures],
    clients: Mapping[str, Figures],
    missed: list[str],
) -> dict[str, object]:
    return {
        "replies": written,
        **asdict(Figures.of(scored)),
        "languages": {name: round(found.exact, 4) for name, found in languages.items()},
        "clients": {name: round(found.exact, 4) for name, found in clients.items()},
        "short": missed,
    }


if __name__ == "__main__":
    sys.exit(main("--failures" in sys.argv[1:]))
