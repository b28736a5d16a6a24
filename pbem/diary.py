"""A deadline as a calendar file: an entry that a later file for the same decision replaces, with an alarm."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

ALARM: Final = timedelta(hours=2)
"""How long before the deadline it rings, if the table reminds nobody."""
SHOWN: Final = timedelta(minutes=15)
"""How much room the entry takes; it ends with the deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """What a calendar is told. No token and no orders: calendars are shared."""

    table: str
    decision: str
    """The key of the decision, which makes the entry the same one when its time changes."""
    host: str
    """The domain of the host."""
    title: str
    due_at: datetime
    written_at: datetime
    """Of two files for one decision the one that was written later counts."""
    alarm: timedelta = ALARM


def calendar_file(deadline: Deadline) -> str:
    """`deadline` as text/calendar (RFC 5545)."""
    # It takes a while to import, and few people ask for it.
    from icalendar import Alarm, Calendar, Event

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", deadline.title)
    alarm.add("trigger", -deadline.alarm)
    event = Event()
    event.add("uid", f"{deadline.table}-{deadline.decision.replace('/', '-')}@{deadline.host}")
    event.add("sequence", int(deadline.written_at.timestamp()) // 60)
    event.add("dtstamp", deadline.written_at)
    event.add("dtstart", deadline.due_at - SHOWN)
    event.add("dtend", deadline.due_at)
    event.add("summary", deadline.title)
    event.add("transp", "TRANSPARENT")
    event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//pbem//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical()).decode("utf-8")
