"""One evening in which everybody writes who may and who may not: robots, forgers, second addresses, costly words.

Each of these has tests of its own; this conversation also goes through real servers, by `test_each_way`, where headers
may be added, folded or lost.
"""

from __future__ import annotations

from pbem.config import Identity
from tests.conversations import test_addresses, test_robots
from tests.conversations.test_proof import BROKEN, FORGED, MX, SIGNED
from tests.conversations.transcript import code_for
from tests.conversations.world import World


def moves(world: World) -> int:
    """How many entries have come since everybody has his guests."""
    return world.table().running.n - 2


def test_who_it_is_through_a_whole_evening(at_night: World) -> None:
    world, asked = at_night, at_night.last("anna")
    world.set("host", authserv_id=MX)
    # robots and bounces
    world.answer("anna", "PASS", to=asked, Auto_Submitted="auto-replied", Precedence="bulk")
    world.answer("anna", "PASS", to=asked, List_Id="Our players <players.example.org>")
    assert world.tick() == []
    world.deliver(test_robots.report(world, "5.1.1"))
    assert [mail.to for mail in world.tick()] == ["modi"]
    assert world.table().chair(1).unreachable
    # forgers
    world.answer("anna", "PASS", to=asked, Authentication_Results=FORGED)
    world.answer("anna", "PASS", to=asked, sender="eve")
    assert {mail.to for mail in world.tick()} == {"anna"}
    assert moves(world) == 0
    # a second address
    test_addresses.added(world)
    world.answer("anna", "PASS", to=asked, sender=test_addresses.WORK)
    assert {mail.to for mail in world.tick()} == {"anna", "bob"}
    assert moves(world) == 1
    # signatures
    world.set("host", identity=Identity.DKIM)
    ours = world.last("bob")
    world.answer("bob", "PASS", to=ours, Authentication_Results=BROKEN)
    assert [mail.to for mail in world.tick()] == ["bob"]
    world.answer("bob", "PASS", to=ours, Authentication_Results=SIGNED)
    assert {mail.to for mail in world.tick()} == {"bob", "chen"}
    assert moves(world) == 2
    # costly words
    world.answer("chen", "RESIGN", Authentication_Results=SIGNED)
    world.tick()
    assert world.table().chair(3).person is not None
    world.answer("chen", code_for(world, "chen", "RESIGN"), Authentication_Results=SIGNED)
    world.tick()
    assert world.table().chair(3).person is None
