"""A mail that is larger than the host reads: the mailbox gives its headers alone, and those only answer it."""

from __future__ import annotations

from dataclasses import replace

from pbem.files import resource
from pbem.letters import Cap
from tests.conversations.test_awkward_mails import TURN, own_mail
from tests.conversations.world import World


def test_a_mail_that_is_too_large_is_refused_by_its_size_and_those_behind_it_are_read(at_night: World) -> None:
    raw = own_mail(at_night, "PASS", Subject="My holiday").as_bytes()
    at_night.deliver(raw)
    whole = at_night.mailbox.arrivals.pop()
    head = raw.partition(b"\n\n")[0]
    at_night.mailbox.arrivals.append(replace(whole, raw=None, size=40_000_000, headers=head))
    at_night.write("bob", "STATUS")
    sent = {mail.to: mail.text for mail in at_night.tick()}
    assert "Your mail is too large, so I did not read it" in sent["anna"]
    assert TURN in sent["bob"]
    assert at_night.table().running.n == 2


def test_a_limit_that_a_mail_goes_over_is_named_in_its_answer(at_night: World) -> None:
    at_night.answer("anna", "PASS\n\n" + "\n".join(["blah"] * 3_000))
    sent = {mail.to: " ".join(mail.text.split()) for mail in at_night.tick()}
    assert "Your mail has more than 2,000 lines; what lies beyond was not read." in sent["anna"]
    assert "DONE PASS" in sent["anna"]


def test_every_limit_has_words_of_its_own() -> None:
    receipt = resource("templates").joinpath("receipt.txt.j2").read_text("utf-8")
    assert all(f'"{cap.value}":' in receipt for cap in Cap)
