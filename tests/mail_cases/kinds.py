"""Every kind of mail that reaches a host like this one, and the tests that hold what must happen.

The kinds were collected from public bug trackers of mail-played games, command robots and reply-by-mail software. A
test is named by its module below `tests` and its function; those in `conversations` go through the whole host, and
`conversations.test_each_way` carries most of them over folders, the embedded server and Dovecot as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_READING = "conversations.test_reading"
_AWKWARD = "conversations.test_awkward_mails"
_ORDERS = "conversations.test_orders"
_ROBOTS = "conversations.test_robots"
_TROUBLES = "conversations.test_troubles"
_DEATH = "conversations.test_death"
_IDENTITY = "conversations.test_identity"
_EVENING = ("conversations.test_who_it_is", "test_who_it_is_through_a_whole_evening")

Tests = tuple[tuple[str, str], ...]

READING: Final[Mapping[str, Tests]] = {
    "an example line copied from the state mail": (
        (_READING, "test_an_example_line_copied_above_the_quote_runs_and_inside_it_never"),
        (_ORDERS, "test_quoted_example_lines_never_run_and_the_mail_is_answered_with_the_state"),
    ),
    "reply over a quoted mail": ((_READING, "test_reply_over_a_quoted_mail"),),
    "attribution line in odd shapes": (
        (_READING, "test_quoted_lines_alone_never_run_in_whatever_shape_their_attribution_is"),
    ),
    "Outlook header block": ((_READING, "test_outlook_header_block_instead_of_a_quote_mark"),),
    "answer below or between quoted lines": (
        (_READING, "test_answer_below_the_quoted_lines"),
        (_READING, "test_answer_between_quoted_lines"),
    ),
    "signature": ((_READING, "test_signature"),),
    "rows of dashes or equal signs": ((_READING, "test_rows_of_dashes_or_equal_signs"),),
    "phone and webmail footers": ((_READING, "test_phone_and_webmail_footers"),),
    "HTML only": ((_READING, "test_html_only"),),
    "both text and HTML that differ": ((_READING, "test_both_text_and_html_that_differ"),),
    "typographic input": ((_READING, "test_typographic_input"),),
    "folded lines": (
        (_READING, "test_folded_lines_one_order_is_one_order_and_two_are_two"),
        (_READING, "test_flowed_text_with_and_without_delsp"),
        (_READING, "test_a_client_that_hard_wraps_at_72"),
    ),
    "last line without a line end; CRLF; a 100 kB line": (
        (_READING, "test_last_line_without_a_line_end"),
        (_AWKWARD, "test_a_line_of_a_hundred_kilobytes_is_refused_by_name_and_the_rest_runs"),
    ),
    "empty mail, prose only, a thank-you": ((_READING, "test_empty_mail_prose_only_a_thank_you"),),
    "wrongly abbreviated or misspelt order": (
        (_READING, "test_wrongly_abbreviated_or_misspelt_order"),
        (_ORDERS, "test_a_misspelt_order_is_never_guessed_into_effect"),
    ),
    "words as orders": (
        _EVENING,
        (_READING, "test_words_as_orders"),
        (_READING, "test_the_end_of_a_sentence_on_a_line_of_its_own_is_no_order"),
        ("conversations.test_costly_words", "test_a_costly_word_alone_changes_nothing_and_is_answered_with_its_code"),
    ),
}

CONTAINERS: Final[Mapping[str, Tests]] = {
    "encodings declared right, wrong or not at all": (
        (_READING, "test_encodings_declared_right_wrong_or_not_at_all"),
        ("letters.test_charsets", "test_a_body_is_read_whatever_its_sender_says_of_it"),
    ),
    "8-bit headers without MIME": (("letters.test_charsets", "test_headers_of_eight_bits_without_mime_are_read"),),
    "an unknown charset name": ((_AWKWARD, "test_broken_mime_is_read_as_well_as_can_be"),),
    "encoded words cut in the middle of a character; emoji in names": (
        (_READING, "test_encoded_words_cut_in_the_middle_of_a_character_and_emoji_in_names"),
    ),
    "signed mail": ((_READING, "test_signed_mail"),),
    "only a calendar invite, only winmail.dat, only a picture": (
        (_READING, "test_only_a_calendar_invite_only_winmail_only_a_picture"),
    ),
    "a missing closing boundary": ((_AWKWARD, "test_a_mail_that_was_cut_off_does_nothing"),),
    "a 40 MB mail": (
        (
            "conversations.test_too_large",
            "test_a_mail_that_is_too_large_is_refused_by_its_size_and_those_behind_it_are_read",
        ),
        ("mailbox.test_imap", "test_a_mail_over_the_cap_is_not_downloaded"),
    ),
    "anything else that bytes can be": (
        ("conversations.test_fuzz", "test_no_tree_of_parts_breaks_the_host_or_acts_without_an_own_line"),
        ("conversations.test_fuzz", "test_any_bytes_at_all_break_nothing"),
    ),
}

DELIVERY: Final[Mapping[str, Tests]] = {
    "the process dies at any moment": (
        (_DEATH, "test_a_death_at_any_moment_loses_no_order_and_no_mail_and_applies_none_twice"),
        (_DEATH, "test_a_death_between_sending_and_noting_it_sends_the_same_mail_again_byte_for_byte"),
    ),
    "a handler fails on mail 2 of 3": (
        (_TROUBLES, "test_a_mail_that_the_host_fails_on_is_retried_and_parked_and_the_next_one_is_handled"),
    ),
    "no Message-ID": ((_AWKWARD, "test_a_mail_without_a_message_id_is_handled_like_any_other"),),
    "two different mails with the same Message-ID": ((_AWKWARD, "test_two_mails_with_one_message_id_are_two_mails"),),
    "the same mail twice, also in two folders": (
        (_AWKWARD, "test_the_same_mail_delivered_twice_has_one_effect_and_one_answer"),
        (_AWKWARD, "test_a_mail_that_is_only_seen_again_is_not_answered"),
    ),
    "UIDVALIDITY changes; the mailbox was made anew": (
        ("mailbox.test_imap", "test_after_a_change_of_uidvalidity_the_whole_folder_is_looked_at"),
        ("mailbox.test_imap", "test_a_folder_made_anew_is_read_from_its_beginning_and_old_arrivals_are_left_alone"),
    ),
    "the IDLE connection dies, the server says BYE, the login is refused": (
        ("mailbox.test_imap", "test_a_line_that_falls_silent_is_given_up_after_the_timeout"),
        ("mailbox.test_imap", "test_a_connection_that_ends_during_a_wait_ends_the_wait_and_the_next_look_connects"),
        ("mailbox.test_connections", "test_a_refused_login_is_said_so"),
        ("conversations.test_run", "test_a_mailbox_that_is_away_is_asked_less_and_less_often_until_it_is_back"),
    ),
    "a handler slower than the interval, two pollers at once": (
        ("store.test_inbox", "test_a_mail_is_handled_only_once"),
        ("store.test_at_once", "test_writers_at_one_table_lose_no_entry_and_write_none_twice"),
        ("mailbox.test_inbox", "test_two_readers_of_one_folder_do_not_disturb_each_other"),
    ),
    "a bad or absurd Date header": ((_AWKWARD, "test_an_absurd_date_header_counts_for_nothing"),),
    "SMTP answers 4xx": ((_TROUBLES, "test_a_mail_that_is_put_off_is_tried_again_with_the_same_message_id"),),
    "SMTP answers 5xx": (
        (_TROUBLES, "test_an_address_that_does_not_exist_is_told_to_the_moderator_and_nobody_else_waits"),
        (_TROUBLES, "test_quota_and_policy_are_the_hosts_own_trouble"),
    ),
    "a bounce comes back later": (
        _EVENING,
        (_ROBOTS, "test_a_bounce_of_a_bad_address_marks_the_seat_and_tells_the_moderator"),
        (_ROBOTS, "test_quota_policy_and_delays_mark_no_seat"),
        (_ROBOTS, "test_an_older_servers_words_are_understood"),
        (_ROBOTS, "test_a_report_on_no_mail_of_ours_does_nothing"),
    ),
    "out-of-office answers, mailing-list mail, daemon mail": (
        _EVENING,
        (_IDENTITY, "test_robots_run_nothing_and_get_nothing"),
        (_IDENTITY, "test_mail_from_the_hosts_own_address_or_a_daemon_is_never_answered"),
    ),
    "the host's own mail": ((_IDENTITY, "test_a_whole_mail_of_the_host_that_comes_back_runs_nothing"),),
    "a robot that sets no header": (
        (_ROBOTS, "test_over_ten_mails_an_hour_of_no_worth_are_a_robots_and_the_moderator_is_told_once"),
    ),
    "a known player mails the same orders five times": (
        (_ORDERS, "test_the_same_orders_five_times_have_one_effect"),
        (_ORDERS, "test_the_same_orders_five_times_in_mails_of_their_own_have_one_effect_and_are_told_when"),
        (_AWKWARD, "test_a_mail_that_is_sent_again_is_answered_once_more_a_day_with_when_it_was_done"),
    ),
}

WHO: Final[Mapping[str, Tests]] = {
    "case and display-name differences": (
        (_IDENTITY, "test_upper_case_in_an_address_is_the_same_person"),
        ("letters.test_identity", "test_the_sender_is_the_address_and_never_what_a_name_pretends"),
    ),
    "a right address without the right token": (
        (_IDENTITY, "test_a_wrong_token_gives_no_right_to_order"),
        (_IDENTITY, "test_from_alone_may_ask_and_may_not_order"),
    ),
    "a right token from another address": (
        _EVENING,
        (_IDENTITY, "test_a_right_token_from_another_address_is_answered_to_the_registered_address_alone"),
        ("conversations.test_proof", "test_an_order_counts_with_the_proof_that_the_keeper_asks_for"),
    ),
    "a forged Authentication-Results header": (
        _EVENING,
        (
            "conversations.test_proof",
            "test_a_header_that_the_writer_brought_with_him_stands_below_ours_and_counts_for_nothing",
        ),
        ("letters.test_signed", "test_a_header_that_came_with_the_mail_stands_below_and_counts_for_nothing"),
    ),
    "a resigned or replaced player": (
        ("conversations.test_costly_words", "test_a_seat_that_is_given_up_plays_on_and_its_player_gets_nothing_more"),
        ("conversations.test_costly_words", "test_what_a_player_planned_is_gone_when_he_resigns"),
        (_IDENTITY, "test_a_replaced_player_gets_nothing_private_any_more_and_can_do_nothing"),
    ),
    "no token, address or private hand for anybody else": (
        (_IDENTITY, "test_no_reply_address_stands_in_anybody_elses_mail"),
        ("test_leaks_mail", "test_no_mail_depends_on_what_its_reader_cannot_know"),
        ("letters.test_own_text", "test_a_reply_token_in_quoted_headers_is_never_shown"),
    ),
}

KINDS: Final[Mapping[str, Tests]] = {**READING, **CONTAINERS, **DELIVERY, **WHO}
