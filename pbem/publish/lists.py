"""The lists of all games of an archive, and its feed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.archive import About
from pbem.archive.listing import ORDERS, groups, newest_first
from pbem.publish.files import put, sweep, writing
from pbem.publish.games import ABOUT, about_in
from pbem.publish.site import Site

FILES: Final = {name: f"{'index' if name == next(iter(ORDERS)) else name}.html" for name in ORDERS}
"""Of the lists, by their names."""
FEED: Final = "feed.xml"
IN_FEED: Final = 50
"""Games that a feed tells of."""
_NAMES: Final = uuid.uuid5(uuid.NAMESPACE_URL, "https://example.org/pbem/archive")
"""What the ids of feeds and games are made in, the same for ever."""
_NEVER: Final = "1970-01-01T00:00:00+00:00"


def write_lists(site: Site) -> int:
    """Write the lists of all games that the folder holds, and the feed; how many of them are others than before."""
    games = newest_first(_listed(site))
    site.forget_items(but=games)
    with writing():
        sweep(site.folder)
        written = sum(put(site.folder / FILES[name], _list(site, name, games)) for name in ORDERS)
        return written + put(site.folder / FEED, _feed(site, games))


def _listed(site: Site) -> Iterator[About]:
    """The games of the folder; what is no game of ours is left out."""
    for path in site.folder.glob(f"*/{ABOUT}"):
        if (found := about_in(path.parent)) is not None:
            yield found


def _list(site: Site, name: str, games: Sequence[About]) -> bytes:
    grouped = tuple(groups(games, ORDERS[name]))
    titles = sorted({game.title for game in games})
    return site.page("archive/list.html.j2", groups=grouped, entry=site.item, orders=FILES, order=name, titles=titles)


def _feed(site: Site, games: Sequence[About]) -> bytes:
    finished = [game for game in games if game.ended is not None][:IN_FEED]
    updated = finished[0].ended.isoformat() if finished and finished[0].ended else _NEVER
    return site.page(
        "archive/feed.xml.j2",
        games=finished,
        host=site.host,
        url=f"{site.url}/" if site.url else "",
        own_id=_urn(f"feed {site.url or site.host}"),
        id_of=_id_of,
        updated=updated,
    )


def _id_of(game: About) -> str:
    """The same as long as the game is shown anywhere."""
    return _urn(f"game {game.table} {game.commitment}")


def _urn(name: str) -> str:
    return uuid.uuid5(_NAMES, name).urn
