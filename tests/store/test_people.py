"""People, and as whom a token lets somebody write."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.parties import Changed, Decided, Invitation, Party, Role
from pbem.schedule import Absence
from pbem.store import Conflict, Store
from pbem.table import Chair, Mails, Person
from pbem.tokens import Tokens
from tests.store.scene import NOW, address, new_table, open_table, register, running_table, the_table


def test_a_person_is_found_by_address_however_it_is_written(store: Store) -> None:
    (anna,) = register(store, "Anna")
    assert store.person_by_address("ANNA@example.org") == anna


def test_a_person_is_found_by_name_however_it_is_written(store: Store) -> None:
    (jose,) = register(store, "José")
    assert store.person_by_name("jose") == jose


def test_nobody_is_found_where_nobody_is(store: Store) -> None:
    register(store, "Anna")
    assert store.person_by_address("bob@example.org") is None
    assert store.person_by_name("Bob") is None


def test_everything_about_a_person_comes_back(store: Store) -> None:
    absence = Absence(NOW, NOW + timedelta(days=9))
    person = Person(0, "Anna", "Anna@Example.org", False, "Europe/Brussels", "nl", Mails.DAILY, 3, False, absence, True)
    store.write(Decided(people=(person,)), inbox=None, now=NOW)
    assert store.person_by_name("Anna") == replace(person, id=1)


def test_a_person_changes_and_stays_the_same(store: Store) -> None:
    (anna,) = register(store, "Anna")
    changed = replace(anna, name="Anna Maria", mails=Mails.TURN)
    store.write(Decided(people=(changed,)), inbox=None, now=NOW)
    assert store.person_by_address(anna.address) == changed
    assert store.person_by_name("Anna") is None


@pytest.mark.parametrize(
    "second", [Person(0, "ANNA", "other@example.org"), Person(0, "Other", "anna@example.org")], ids=["name", "address"]
)
def test_two_people_cannot_share_a_name_or_an_address(store: Store, second: Person) -> None:
    register(store, "Anna")
    with pytest.raises(Conflict):
        store.write(Decided(people=(second,)), inbox=None, now=NOW)


def test_the_names_that_are_taken_are_told(store: Store) -> None:
    register(store, "Anna", "Bob")
    assert store.names_taken(["anna", "Chen"]) == {"anna"}


# Tokens


def test_the_token_of_a_person_is_his(store: Store, tokens: Tokens) -> None:
    (anna,) = register(store, "Anna")
    assert store.party(tokens.person(anna.id, 0)) == Party(Role.PERSON, anna.address, anna)


def test_a_new_epoch_withdraws_the_old_token(store: Store, tokens: Tokens) -> None:
    (anna,) = register(store, "Anna")
    store.write(Decided(people=(replace(anna, epoch=1),)), inbox=None, now=NOW)
    assert store.party(tokens.person(anna.id, 0)) is None
    assert store.party(tokens.person(anna.id, 1)) is not None


def test_every_chair_has_a_token(store: Store, tokens: Tokens) -> None:
    table = running_table(store)
    for chair in table.chairs:
        assert chair.person is not None
        party = store.party(tokens.seat(table.name, chair.seat, chair.person.id, 0))
        assert party == Party(Role.SEAT, chair.person.address, chair.person, table.name, chair.seat)


def test_a_token_is_read_in_any_case(store: Store, tokens: Tokens) -> None:
    running_table(store)
    assert store.party(tokens.seat("choices-1", 1, 1, 0).upper()) is not None


@pytest.mark.parametrize("token", ["", "a" * 20, "'; DROP TABLE person; --"])
def test_a_wrong_token_is_nobody(store: Store, token: str) -> None:
    running_table(store)
    assert store.party(token) is None


def test_whoever_moderates_has_a_token_for_it(store: Store, tokens: Tokens) -> None:
    table = open_table(store)
    party = store.party(tokens.moderator(table.name, table.moderator.id, 0))
    assert party == Party(Role.MODERATOR, table.moderator.address, table.moderator, table.name)


def test_a_replaced_player_loses_his_token_to_the_new_one(store: Store, tokens: Tokens) -> None:
    table = running_table(store)
    (dora,) = register(store, "Dora")
    after = table.with_chair(replace(table.chair(2), person=dora, epoch=1))
    store.write(Decided(tables=(Changed(table, after),)), inbox=None, now=NOW)
    assert store.party(tokens.seat(table.name, 2, 2, 0)) is None
    assert store.party(tokens.seat(table.name, 2, dora.id, 1)) == Party(Role.SEAT, dora.address, dora, table.name, 2)


def test_an_emptied_chair_has_no_token(store: Store, tokens: Tokens) -> None:
    table = running_table(store)
    after = table.with_chair(replace(table.chair(2), person=None, epoch=1))
    store.write(Decided(tables=(Changed(table, after),)), inbox=None, now=NOW)
    assert store.party(tokens.seat(table.name, 2, 2, 0)) is None
    assert the_table(store).chair(2).person is None


def test_who_moves_up_a_chair_does_not_get_the_token_of_who_left(store: Store, tokens: Tokens) -> None:
    table = open_table(store, "Anna", "Bob", "Chen")
    anna, bob, chen = (chair.person for chair in table.chairs)
    assert bob is not None
    assert chen is not None
    after = replace(table, chairs=(Chair(1, anna), Chair(2, chen)))
    store.write(Decided(tables=(Changed(table, after),)), inbox=None, now=NOW)
    assert store.party(tokens.seat(table.name, 2, bob.id, 0)) is None
    assert store.party(tokens.seat(table.name, 3, chen.id, 0)) is None
    assert store.party(tokens.seat(table.name, 2, chen.id, 0)) == Party(Role.SEAT, chen.address, chen, table.name, 2)


def test_who_leaves_and_comes_back_may_write_again(store: Store, tokens: Tokens) -> None:
    table = open_table(store, "Anna", "Bob")
    alone = replace(table, chairs=table.chairs[:1])
    store.write(Decided(tables=(Changed(table, alone),)), inbox=None, now=NOW)
    store.write(Decided(tables=(Changed(the_table(store), table),)), inbox=None, now=NOW)
    assert store.party(tokens.seat(table.name, 2, 2, 0)) is not None


def test_another_table_leaves_a_token_alone(store: Store, tokens: Tokens) -> None:
    table = running_table(store)
    store.write(Decided(tables=(Changed(None, new_table([table.moderator], "choices-2")),)), inbox=None, now=NOW)
    assert store.party(tokens.seat("choices-1", 1, 1, 0)) is not None
    assert store.party(tokens.seat("choices-2", 1, 1, 0)) is not None


# Invitations

DORA = Invitation("choices-1", address("Dora"))


def invited(store: Store) -> None:
    open_table(store, "Anna", "Bob")
    store.write(Decided(invitations=(DORA,)), inbox=None, now=NOW)


def test_an_invited_address_has_a_token(store: Store, tokens: Tokens) -> None:
    invited(store)
    token = tokens.invited("choices-1", DORA.address)
    assert store.party(token) == Party(Role.INVITED, DORA.address, None, "choices-1")


def test_an_invitation_may_be_for_one_seat(store: Store, tokens: Tokens) -> None:
    running_table(store)
    store.write(Decided(invitations=(replace(DORA, seat=2),)), inbox=None, now=NOW)
    party = store.party(tokens.invited("choices-1", DORA.address))
    assert party is not None
    assert party.seat == 2


def test_invitations_are_listed_by_table_and_by_address(store: Store) -> None:
    invited(store)
    assert store.invitations("choices-1") == store.invitations_to("DORA@example.org") == (DORA,)
    assert store.invitations_to("bob@example.org") == ()


def test_an_accepted_invitation_is_used_up_and_so_is_its_token(store: Store, tokens: Tokens) -> None:
    invited(store)
    store.write(Decided(accepted=(DORA,)), inbox=None, now=NOW)
    assert store.invitations("choices-1") == ()
    assert store.party(tokens.invited("choices-1", DORA.address)) is None


def test_whoever_is_invited_again_may_come(store: Store, tokens: Tokens) -> None:
    invited(store)
    store.write(Decided(accepted=(DORA,)), inbox=None, now=NOW)
    store.write(Decided(invitations=(replace(DORA, seat=2),)), inbox=None, now=NOW)
    assert store.invitations("choices-1") == (replace(DORA, seat=2),)
    assert store.party(tokens.invited("choices-1", DORA.address)) is not None


def test_a_new_table_may_invite_at_once(store: Store) -> None:
    (anna,) = register(store, "Anna")
    decided = Decided(tables=(Changed(None, new_table([anna])),), invitations=(DORA,))
    store.write(decided, inbox=None, now=NOW)
    assert store.invitations("choices-1") == (DORA,)


def test_whoever_registers_and_sits_down_in_one_mail_is_one_person(store: Store, tokens: Tokens) -> None:
    table = open_table(store, "Anna", "Bob")
    dora = Person(0, "Dora", address("Dora"))
    after = replace(table, chairs=(*table.chairs, Chair(3, dora)))
    store.write(Decided(people=(dora,), tables=(Changed(table, after),)), inbox=None, now=NOW)
    registered = store.person_by_name("Dora")
    assert registered is not None
    assert the_table(store).chair(3).person == registered
    assert store.party(tokens.seat("choices-1", 3, registered.id, 0)) is not None
