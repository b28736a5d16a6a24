"""What proves who writes, by the setting `identity`; and new reply addresses for whoever asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.config import Identity
from tests.conversations.world import Mail, World

MX = "mx.example.org"
SIGNED = f"{MX}; dkim=pass header.d=example.org"

Write = Callable[[World], bytes]


def answered(results: str = "") -> Write:
    """Anna answers her last mail, on which a server says so much."""
    return lambda world: world.answer("anna", "PASS", Authentication_Results=results)


def from_elsewhere(results: str = "") -> Write:
    """Somebody has Anna's private address."""
    return lambda world: world.answer("anna", "PASS", sender="eve", Authentication_Results=results)


def without_token(results: str = "") -> Write:
    """A mail of Anna's to the host's open address."""
    return lambda world: world.write("anna", "PASS", subject="Re: [inn-1] your action", Authentication_Results=results)


BROKEN = f"{MX}; dkim=fail header.d=example.org"
FORGED = f"{MX}; spf=pass; dkim=pass header.d=evil.example; dmarc=fail header.from=example.org"
FAILED = f"{MX}; spf=fail; dkim=fail header.d=example.org"

CASES: list[tuple[str, Identity, Write, bool]] = [
    ("token+from: token and address", Identity.TOKEN_AND_FROM, answered(), True),
    ("token+from: another address", Identity.TOKEN_AND_FROM, from_elsewhere(), False),
    ("token+from: the address alone", Identity.TOKEN_AND_FROM, without_token(), False),
    (
        "token+from: the address alone, signed",
        Identity.TOKEN_AND_FROM,
        without_token(SIGNED),
        False,
    ),
    ("token+from: forged", Identity.TOKEN_AND_FROM, answered(FORGED), False),
    ("token+from: both checks failed", Identity.TOKEN_AND_FROM, answered(FAILED), False),
    ("token+from: a forgery by another server's word", Identity.TOKEN_AND_FROM, answered(f"not-{FORGED}"), True),
    ("token+from: one check failed, as on lists", Identity.TOKEN_AND_FROM, answered(BROKEN), True),
    ("token: forged", Identity.TOKEN, answered(FORGED), True),
    ("dkim: forged", Identity.DKIM, answered(FORGED), False),
    ("token: token and address", Identity.TOKEN, answered(), True),
    ("token: another address", Identity.TOKEN, from_elsewhere(), True),
    ("token: the address alone", Identity.TOKEN, without_token(), False),
    ("dkim: unsigned", Identity.DKIM, answered(), False),
    ("dkim: signed", Identity.DKIM, answered(SIGNED), True),
    ("dkim: the signed address alone", Identity.DKIM, without_token(SIGNED), True),
    ("dkim: the address alone", Identity.DKIM, without_token(), False),
    ("dkim: another address, signed", Identity.DKIM, from_elsewhere(SIGNED), False),
    ("dkim: a broken signature", Identity.DKIM, answered(BROKEN), False),
    (
        "dkim: signed by another domain",
        Identity.DKIM,
        answered(f"{MX}; dkim=pass header.d=evil.example"),
        False,
    ),
    (
        "dkim: another server's word",
        Identity.DKIM,
        answered("mx.evil.example; dkim=pass header.d=example.org"),
        False,
    ),
]


@pytest.mark.parametrize(("identity", "write", "counts"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_an_order_counts_with_the_proof_that_the_keeper_asks_for(
    at_night: World, identity: Identity, write: Write, counts: bool
) -> None:
    at_night.set("host", identity=identity, authserv_id=MX)
    write(at_night)
    sent = at_night.tick()
    assert (at_night.table().running.n > 2) is counts
    assert "anna" in {mail.to for mail in sent}
    assert "eve" not in {mail.to for mail in sent}


def test_a_header_that_the_writer_brought_with_him_stands_below_ours_and_counts_for_nothing(at_night: World) -> None:
    at_night.set("host", identity=Identity.DKIM, authserv_id=MX)
    forged = f"Authentication-Results: {SIGNED}\n".encode() + raw_answer(at_night)
    at_night.deliver(f"Authentication-Results: {BROKEN}\n".encode() + forged)
    (answer,) = at_night.tick()
    assert "signature (DKIM) is missing, or not valid" in answer.text
    assert at_night.table().running.n == 2


def test_a_player_is_told_of_a_forgery_and_what_to_do_about_it(at_night: World) -> None:
    at_night.set("host", authserv_id=MX)
    at_night.answer("anna", "PASS", Authentication_Results=FORGED)
    (answer,) = at_night.tick()
    assert answer.to == "anna"
    assert "my mail server found that somebody else sent it" in answer.text
    assert "RESET TOKEN" in answer.text


def raw_answer(world: World) -> bytes:
    """What Anna would answer, not yet delivered."""
    raw = world.answer("anna", "PASS")
    world.mailbox.arrivals.pop()
    return raw


def reset(world: World, name: str) -> dict[str, Mail]:
    """Somebody asks for new reply addresses; what each of the mails is titled, and the mail."""
    world.answer(name, "RESET TOKEN")
    sent = world.tick()
    assert {mail.to for mail in sent} == {name}
    return {mail.subject: mail for mail in sent}


def test_after_a_reset_the_old_reply_address_does_nothing_and_the_new_one_works(at_night: World) -> None:
    old = at_night.last("anna")
    mails = reset(at_night, "anna")
    assert any("reply addresses are new" in mail.text for mail in mails.values())
    at_night.answer("anna", "PASS", to=old)
    at_night.tick()
    assert at_night.table().running.n == 2
    (seats,) = (mail for mail in mails.values() if "[inn-1]" in mail.subject)
    assert seats.message["Reply-To"] != old.message["Reply-To"]
    at_night.answer("anna", "PASS", to=seats)
    at_night.tick()
    assert at_night.table().running.n == 3


def test_a_reset_leaves_plans_as_they_are(at_night: World) -> None:
    at_night.answer("bob", "PASS")
    at_night.tick()
    reset(at_night, "bob")
    assert [plan.seat for plan in at_night.table().plans] == [2]
    at_night.answer("anna", "PASS")
    at_night.tick()
    assert at_night.table().running.n == 4


def test_a_moderator_who_resets_gets_a_new_address_for_his_table(at_night: World) -> None:
    old = at_night.last("modi")
    mails = reset(at_night, "modi")
    at_night.answer("modi", "PAUSE", to=old)
    at_night.tick()
    assert not at_night.table().running.paused
    (his,) = (mail for mail in mails.values() if "[inn-1]" in mail.subject)
    at_night.answer("modi", "PAUSE", to=his)
    at_night.tick()
    assert at_night.table().running.paused


def test_from_alone_resets_nothing(at_night: World) -> None:
    old = at_night.last("anna")
    at_night.write("anna", "RESET TOKEN")
    at_night.tick()
    at_night.answer("anna", "PASS", to=old)
    at_night.tick()
    assert at_night.table().running.n == 3
