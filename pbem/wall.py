"""Clocks on walls: from dates and times of day in a zone to moments, over every change of daylight saving time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from pbem.times import zone_of

DAY: Final = timedelta(days=1)
MIDNIGHT: Final = 0


def local(moment: datetime, zone: str) -> datetime:
    """What the clock in `zone` shows at `moment`, without a zone."""
    return moment.astimezone(zone_of(zone)).replace(tzinfo=None, fold=0)


def moment(shown: datetime, zone: str) -> datetime:
    """When the clock in `zone` shows the time `shown`, in UTC.

    A time that the clock leaves out counts as much later as the clock jumps; of two times that look the same it is
    the second: whoever goes by his clock is never too late.
    """
    return max(shown.replace(tzinfo=zone_of(zone), fold=fold).astimezone(UTC) for fold in (0, 1))


def on(day: date, minutes: int, zone: str) -> datetime:
    """When it is `minutes` after midnight on `day` in `zone`, in UTC."""
    return moment(datetime(day.year, day.month, day.day, minutes // 60, minutes % 60), zone)


def minutes_of(shown: datetime) -> int:
    """The whole minutes since midnight."""
    return shown.hour * 60 + shown.minute
