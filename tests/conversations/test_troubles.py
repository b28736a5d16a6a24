"""When something fails: a handler, the mail server in, the mail server out. Nothing is lost, nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from pbem import letters
from pbem.errors import Unreachable
from pbem.mailbox import Outcome
from pbem.parties import Decided
from pbem.postroom import PATIENCE, Postroom
from pbem.pulse import HELD
from pbem.reception import Reception
from tests.conversations.world import World


@pytest.mark.parametrize("sender", ['"1 x"@example.org', "zo\u00eb@example.org"])
def test_an_address_to_which_nothing_can_be_written_is_not_answered(world: World, sender: str) -> None:
    world.deliver(f"From: {sender}\r\nTo: inn@example.org\r\nSubject: Hello\r\n\r\nREGISTER Zoe\r\n".encode())
    done, sent = world.passed()
    assert (done.failures, sent) == (0, [])
    assert world.passed()[0].failures == 0


def test_an_answer_that_cannot_be_written_is_given_up_and_the_passes_go_on_well(
    at_night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsent(*_: object) -> None:
        raise RuntimeError("this is our fault")

    at_night.answer("anna", "ZONE", "EXPORT ME")
    at_night.answer("modi", "HELP")
    with monkeypatch.context() as broken:
        broken.setattr(Postroom, "_unsent", unsent)
        failures = [at_night.passed()[0].failures for _ in range(PATIENCE + 1)]
    assert failures[0] > 0
    assert failures[PATIENCE] == 0
    assert at_night.passed()[0].failures == 0
    at_night.answer("bob", "HELP")
    assert [mail.to for mail in at_night.tick()] == ["bob"]


def test_a_mail_that_the_host_fails_on_is_retried_and_parked_and_the_next_one_is_handled(
    at_night: World, fail_on: Callable[[bytes], list[int]]
) -> None:
    failed = fail_on(b"BRIBE newsboy")
    at_night.write("bob", "STATUS")
    at_night.answer("anna", "BRIBE newsboy")
    at_night.write("chen", "STATUS")
    assert sorted(mail.to for mail in at_night.tick()) == ["bob", "chen"]
    later = [mail for _ in range(5) for mail in at_night.tick()]
    assert len(failed) == at_night.settings.limits.attempts
    assert sorted(mail.to for mail in later) == ["anna", "modi"]
    texts = {mail.to: mail.text for mail in later}
    assert "Something went wrong here while I did this; it is my fault, not yours" in texts["anna"]
    assert "I could not handle a mail that Anna sent to inn-1" in texts["modi"]
    assert at_night.table().running.n == 2


def test_who_sent_a_text_that_cannot_be_read_is_told_so(at_night: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "read_letter", lambda *_: 1 / 0)
    at_night.answer("anna", "PASS")
    told = [mail for _ in range(at_night.settings.limits.attempts + 1) for mail in at_night.tick()]
    assert sorted(mail.to for mail in told) == ["anna", "modi"]
    assert "it is my fault, not yours" in at_night.last("anna").text


@pytest.mark.parametrize("attempts", [2, 5])
def test_a_mail_is_tried_as_often_as_the_settings_say(
    at_night: World, fail_on: Callable[[bytes], list[int]], attempts: int
) -> None:
    limits = at_night.settings.limits.model_copy(update={"attempts": attempts})
    at_night.settings = at_night.settings.model_copy(update={"limits": limits})
    at_night.restart()
    failed = fail_on(b"BRIBE newsboy")
    at_night.answer("anna", "BRIBE newsboy")
    for _ in range(attempts + 2):
        at_night.tick()
    assert len(failed) == attempts


def test_a_mail_that_is_handled_at_the_second_attempt_is_answered_once(
    at_night: World, fail_on: Callable[[bytes], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context():
        failed = fail_on(b"BRIBE newsboy")
        at_night.answer("anna", "BRIBE newsboy")
        assert at_night.tick() == []
        monkeypatch.undo()
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]
    assert len(failed) == 1
    assert at_night.tick() == []


class Killed(BaseException):
    """The process ends without a word."""


def test_a_mail_that_kills_the_process_is_parked_in_the_end(at_night: World, monkeypatch: pytest.MonkeyPatch) -> None:
    deaths = []

    def kill(*_: Any) -> Decided:
        deaths.append(1)
        raise Killed

    at_night.answer("anna", "PASS")
    with monkeypatch.context() as patch:
        patch.setattr(Reception, "decided", kill)
        for _ in range(at_night.settings.limits.attempts):
            with pytest.raises(Killed):
                at_night.tick()
            at_night.restart()
        assert sorted(mail.to for mail in at_night.tick()) == ["anna", "modi"]
    assert len(deaths) == at_night.settings.limits.attempts
    assert at_night.tick() == []
    assert at_night.table().running.n == 2


def test_a_table_that_cannot_be_settled_does_not_hold_up_the_others(
    at_night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("this is our fault")

    at_night.answer("anna", "PASS")
    at_night.write("eve", "REGISTER Eve")
    with monkeypatch.context() as patch:
        patch.setattr(type(at_night.host.postroom), "settle", fail)
        assert [mail.to for mail in at_night.tick()] == ["eve"]
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]


def test_while_imap_is_down_passes_go_on_and_say_so(at_night: World) -> None:
    at_night.answer("anna", "PASS")
    at_night.mailbox.down = True
    done, sent = at_night.passed()
    assert (done.read, sent) == (0, [])
    assert "the imap server is away" in str(done.trouble)
    at_night.mailbox.down = False
    done, sent = at_night.passed()
    assert (done.read, done.handled, done.trouble) == (1, 1, None)
    assert sorted(mail.to for mail in sent) == ["anna", "bob"]


def test_mail_that_is_handled_and_cannot_be_marked_is_not_done_again(
    at_night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_night.answer("anna", "PASS")

    def lose(_: Any) -> None:
        raise Unreachable("the imap server went away", "Wait")

    with monkeypatch.context() as patch:
        patch.setattr(at_night.mailbox, "done", lose)
        done, sent = at_night.passed()
    assert done.trouble is not None
    assert sorted(mail.to for mail in sent) == ["anna", "bob"]
    at_night.mailbox.rewind()
    assert at_night.passed()[1] == []
    assert at_night.table().running.n == 3


def test_while_smtp_is_down_mail_stays_queued_with_its_message_id(at_night: World) -> None:
    at_night.courier.down = True
    at_night.answer("anna", "PASS")
    done, sent = at_night.passed()
    assert sent == []
    assert "the smtp server is away" in str(done.trouble)
    queued = [each.message_id for each in at_night.store.queue(at_night.now, 10)]
    at_night.restart()
    at_night.courier.down = False
    at_night.wait(hours=1)
    assert [mail.id for mail in at_night.tick()] == queued


def test_a_mail_that_is_put_off_is_tried_again_with_the_same_message_id(at_night: World) -> None:
    at_night.courier.refusals["bob@example.org"] = (Outcome.RETRY, 450, "4.2.0 Later")
    at_night.answer("anna", "PASS")
    assert [mail.to for mail in at_night.tick()] == ["anna"]
    at_night.courier.refusals.clear()
    assert at_night.tick() == []
    at_night.wait(minutes=1)
    assert [mail.to for mail in at_night.tick()] == ["bob"]


def test_an_address_that_does_not_exist_is_told_to_the_moderator_and_nobody_else_waits(at_night: World) -> None:
    at_night.courier.refusals["anna@example.org"] = (Outcome.BAD_ADDRESS, 550, "5.1.1 Nobody here")
    at_night.answer("anna", "PASS")
    assert [mail.to for mail in at_night.tick()] == ["bob"]
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["modi"]
    assert "Anna" in sent[0].text
    assert at_night.tick() == []


def test_quota_and_policy_are_the_hosts_own_trouble(at_night: World) -> None:
    at_night.courier.refusals["anna@example.org"] = (Outcome.HOST_TROUBLE, 552, "5.2.2 Quota")
    at_night.courier.refusals["bob@example.org"] = (Outcome.HOST_TROUBLE, 552, "5.2.2 Quota")
    at_night.answer("anna", "PASS")
    assert at_night.tick() == []
    at_night.courier.refusals.clear()
    at_night.wait(hours=1)
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]


def test_a_mail_that_is_too_large_goes_out_without_what_it_held_and_nobody_elses_waits(at_night: World) -> None:
    at_night.courier.largest = 16_000
    at_night.answer("anna", "PASS")
    (mail,) = (mail for mail in at_night.tick() if mail.to == "bob")
    assert not at_night.store.mark(HELD)
    assert mail.text.startswith("This mail was ")
    assert "answer with STATUS for the newest state" in mail.text
    assert "your 1st action" in mail.subject
    chair = at_night.table().chair(2)
    assert (chair.asked, chair.due_at) == ("1/night/2/1", at_night.now + timedelta(hours=48))
    at_night.answer("bob", "PASS")
    at_night.tick()
    assert [decision.seat for decision in at_night.table().waiting] == [3]


def test_who_takes_not_even_a_small_mail_holds_up_no_deadline_of_others(at_night: World) -> None:
    at_night.courier.refusals["bob@example.org"] = (Outcome.TOO_LARGE, 552, "5.2.3 Too large")
    at_night.write("bob", "HELP")
    for _ in range(4):
        at_night.tick()
        at_night.wait(hours=13)
    at_night.tick()
    assert at_night.table().chair(1).misses == 1


def test_an_answer_that_cannot_be_written_holds_up_no_other_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    healthy = type(world.host.postroom)._unsent

    def fail(self: Any, telling: Any, *rest: Any) -> Any:
        if "anna" in telling.to.address:
            raise RuntimeError("this is our fault")
        return healthy(self, telling, *rest)

    world.write("anna", "REGISTER Anna")
    world.write("bob", "REGISTER Bob")
    with monkeypatch.context() as patch:
        patch.setattr(type(world.host.postroom), "_unsent", fail)
        assert [mail.to for mail in world.tick()] == ["bob"]
    assert [mail.to for mail in world.tick()] == ["anna"]
