"""One fact of the position changed in the open; what can be changed, and how it is written, is the game's to say."""

from __future__ import annotations

from engine.game import Corrections, Illegal, Unreadable
from engine.record import Override, Verb
from pbem.commands.overriding import Correct
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, remark, signed
from pbem.plans.ways import as_json
from pbem.table import overrule
from pbem.verdicts import Line, Reason, Said, Source


def correct(draft: Draft, n: int, text: str, command: Correct) -> Draft:
    """Change one fact of the position; the game checks that the whole still holds."""
    table = in_play(draft)
    corrections: Corrections | None = table.game.capabilities.get("corrections")
    if corrections is None:
        raise Refused(Reason.NO_CORRECTIONS, title=table.game.title)
    try:
        change = corrections.read(command.change, table.view(None))
        after, written = overrule(table, Override(Verb.CORRECT, change=change))
    except Unreadable:
        raise Refused(Reason.CORRECTION, said=Said.UNREAD, usage=list(corrections.usage)) from None
    except Illegal as illegal:
        facts = as_json(illegal.facts)
        return draft.saying(Line(n, text, Said.REFUSED, source=Source.GAME, reason=illegal.reason.value, facts=facts))
    return draft.changing(after, signed(written, remark(draft, command))).saying(
        Line(n, text, Said.DONE, info="corrected")
    )
