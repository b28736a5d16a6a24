"""A line means the same in every language, also where several are mixed, and prose runs in none of them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from msgspec.structs import astuple

from engine.bloody_inn import GAME
from pbem.commands.grammar import SPECS, WORDS, Always, Misused, Need, parse
from pbem.commands.naming import good_name
from pbem.commands.opening import phrases
from pbem.commands.overriding import SPECS as OVERRIDING
from pbem.commands.questions import HELP_TOPICS
from pbem.days import day
from pbem.draft import Draft, Mail, Refused
from pbem.lengths import length
from pbem.lines import Kind, agrees, looks
from pbem.parties import Party, Role
from pbem.tongues import ENGLISH, LANGUAGES
from pbem.verdicts import Reason, Said
from pbem.wording import COMMANDS, PLANS, SENTENCES, TIME, TOPICS, USAGE, listed, spellings, topic, usage, word
from pbem.wording import WORDS as INSIDE
from tests.desk.sitting import NOW, Sitting
from tests.letters.evaluation.wording import wordings
from tests.order_words import DOCUMENT, document

OTHERS = tuple(each for each in LANGUAGES if each != ENGLISH)
VERBS = ("kill", "pass")

SAME: dict[str, dict[str, str | None]] = {
    "nl": {
        "registreer Anna": "REGISTER Anna",
        "DOE MEE inn-7 ALS Anna": "JOIN inn-7 AS Anna",
        "doe mee inn-7": "JOIN inn-7",
        "HELP tijd": "HELP tijd",
        "Wie is aan de beurt?": "WHO",
        "mails beurt": "MAILS TURN",
        "Mails dagelijks": "MAILS DAILY",
        "overzicht dagelijks om 18:00": "DIGEST DAILY AT 18:00",
        "WEG VAN 24 december TOT 2 januari": "AWAY FROM 24 december TO 2 januari",
        "weg tot vrijdag met een bot": "AWAY UNTIL vrijdag WITH BOT",
        "afwezig van 24/12 - 2/1": "AWAY FROM 24/12 - 2/1",
        "annuleer altijd": "CANCEL ALWAYS",
        "Zeg: wat een spel; echt": "SAY wat een spel; echt",
        "ZEG hallo": "SAY hallo",
        "vertel Bob: hallo": "TELL Bob: hallo",
        "stem vervang Bob": "VOTE REPLACE Bob",
        "nieuw bloody-inn bob@example.org deadline=48 speelt niet mee": (
            "NEW bloody-inn bob@example.org deadline=48 NOT PLAYING"
        ),
        "nieuw oefenspel": "NEW PRACTICE",
        "vergeet mij": "FORGET ME",
        "Pauze, omdat Anna ziek is": "PAUSE because Anna ziek is",
        "verleng allen met 2 dagen": "EXTEND ALL BY 2 days",
        "termijn Anna geen": "DEADLINE Anna none",
        "ruil Anna en Bob": "SWAP Anna AND Bob",
        "draai terug naar 3 night": "ROLLBACK TO 3 night",
        "speel als Anna: PASS": "ACT AS Anna: PASS",
        "einde met uitslag": "END WITH RESULT",
    },
    "fr": {
        "m\u2019inscrire Anna": "REGISTER Anna",
        "rejoindre inn-7 comme Anna": "JOIN inn-7 AS Anna",
        "AIDE": "HELP",
        "règles chambres": "RULES chambres",
        "RÉCAP QUOTIDIEN à 18h": "DIGEST DAILY 18h",
        "absent du 24 décembre au 2 janvier": "AWAY FROM 24 décembre TO 2 janvier",
        "Absente jusqu\u2019à vendredi avec un robot": "AWAY UNTIL vendredi WITH BOT",
        "absent du 24 au 28 décembre": "AWAY FROM 24 TO 28 décembre",
        "Dis à Bob : bonjour": "TELL Bob: bonjour",
        "Dire : bonjour à tous": "SAY bonjour à tous",
        "qui doit jouer ?": "WHO",
        "voter modérateur Bob": "VOTE MODERATOR Bob",
        "pause parce qu'Anna est malade": "PAUSE because Anna est malade",
        "PROLONGER TOUS DE 3 jours": "EXTEND ALL BY 3 days",
        "reprendre": "RESUME",
        "oubliez-moi": "FORGET ME",
    },
    "de": {
        "Registrieren Anna": "REGISTER Anna",
        "mitspielen inn-7 als Anna": "JOIN inn-7 AS Anna",
        "HILFE": "HELP",
        "Mails täglich": "MAILS DAILY",
        "MAILS TAEGLICH": None,
        "Überblick täglich um 18 Uhr": "DIGEST DAILY 18",
        "abwesend vom 24.12. bis 2.1.": "AWAY FROM 24.12. TO 2.1.",
        "Weg bis Freitag": "AWAY UNTIL Freitag",
        "abwesend bis zum 3. März mit einem Bot": "AWAY UNTIL 3. März WITH BOT",
        "Sag: hallo": "SAY hallo",
        "STIMME ZURÜCKZIEHEN": "UNVOTE",
        "ausschliessen Bob": "EJECT Bob",
        "Ausschließen Bob": "EJECT Bob",
        "verlängern Bob um 48 Std": "EXTEND Bob BY 48h",
        "Pause, weil Bob krank ist": "PAUSE because Bob krank ist",
        "vergiss mich": "FORGET ME",
    },
    "zh_Hant": {
        "註冊 王小明": "REGISTER 王小明",
        "加入inn-7": "JOIN inn-7",
        "說明": "HELP",
        "輪到誰\uff1f": "WHO",
        "郵件每天": "MAILS DAILY",
        "離開到星期五": "AWAY UNTIL 星期五",
        "離開 從 12月24日 到 1月2日": "AWAY FROM 12月24日 TO 1月2日",
        "離開從\uff11\uff12月\uff12\uff14日到1月2日用機器人": (
            "AWAY FROM \uff11\uff12月\uff12\uff14日 TO 1月2日 WITH BOT"
        ),
        "說\uff1a你好\uff01": "SAY 你好\uff01",
        "告訴Bob\uff1a你好": "TELL Bob: 你好",
        "暂停": None,
        "暫停\uff0c因為Bob生病": "PAUSE because Bob生病",
        "延長全部兩天": "EXTEND ALL BY 2 days",
        "代理Bob\uff1aPASS": "ACT AS Bob: PASS",
        "投票 替換 Bob": "VOTE REPLACE Bob",
        "忘記我": "FORGET ME",
    },
}


@pytest.mark.parametrize(
    ("language", "line", "english"), [(own, *each) for own, lines in SAME.items() for each in lines.items()]
)
def test_a_line_means_the_same_as_in_english(language: str, line: str, english: str | None) -> None:
    meant = parse(english) if english else None
    assert meant is None or not isinstance(meant, Misused)
    assert parse(line, language) == meant or (meant is None and not isinstance(parse(line, language), tuple))
    if meant is not None:
        assert parse(line, ENGLISH) == meant, "who has not set his language is understood too"


MIXED = {
    "AWAY van 24 december UNTIL 2 januari": "AWAY FROM 24 december TO 2 januari",
    "JOIN inn-7 als Anna": "JOIN inn-7 AS Anna",
    "MAILS täglich": "MAILS DAILY",
    "ABSENT TOT Freitag": "AWAY UNTIL Freitag",
    "Pause because Anna est malade": "PAUSE because Anna est malade",
    "EXTEND ALL BY 3 jours": "EXTEND ALL BY 3 days",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("line", "english"), MIXED.items())
def test_languages_may_be_mixed_on_a_line(line: str, english: str, language: str) -> None:
    assert parse(line, language) == parse(english)


PROSE = {
    "nl": (
        "Zeg maar wat je wilt",
        "Zeg, hoe laat is het?",
        "Weg ermee!",
        "Wie had dat gedacht",
        "Terug van weggeweest",
        "Spel is bijna uit",
        "Plan was anders",
        "Doe mee met ons",
        "Stem was kwijt",
        "Kijk maar uit",
        "Als ik win, pas ik mijn strategie aan",
        "Anders was het leuk",
        "Start wanneer je wilt",
    ),
    "fr": (
        "Dis donc, bien joué",
        "Dire que c'était facile",
        "Partie difficile",
        "Qui l'aurait cru",
        "Retour de vacances demain",
        "Absent de mon bureau, je réponds tard",
        "Si tu veux, je passe",
        "Vote comme tu veux",
        "Non",
        "Quelle partie !",
        "Sinon, tout va bien",
    ),
    "de": (
        "Sag mal, wie geht es dir?",
        "Wer hätte das gedacht",
        "Weg damit!",
        "Spiel war super",
        "Zurück aus dem Urlaub",
        "Wie geht's?",
        "Wenn du willst, spiele ich weiter",
        "Sonst alles gut?",
        "Stand der Dinge ist gut",
        "Immer das gleiche mit dir",
        "Mitspielen macht Spaß",
    ),
    "zh_Hant": (
        "說真的\uff0c這很好玩",
        "離開了公司",
        "開始下雨了",
        "遊戲很好玩",
        "誰知道呢",
        "如果你願意的話",
        "加入我們",
        "回來再說",
    ),
}


@pytest.mark.parametrize(("language", "line"), [(own, line) for own, lines in PROSE.items() for line in lines])
def test_what_sentences_begin_with_makes_no_command_of_them(language: str, line: str) -> None:
    seen = looks(line, VERBS, language)
    assert seen.kind is Kind.PROSE or isinstance(seen.command, Always), "ALWAYS asks the game whether it is a choice"
    assert isinstance(looks(line, VERBS).command, Always | None), "nor is it carried out for who reads English"


def test_no_spelling_means_two_commands() -> None:
    meanings = {phrase: {phrases(one)[phrase] for one in LANGUAGES if phrase in phrases(one)} for phrase in WORDS}
    assert {phrase for phrase, keys in meanings.items() if len(keys) > 1} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_host_begins_an_order(language: str) -> None:
    assert not {phrase for phrase in phrases(language) if phrase in GAME.verbs()} - {"skip"}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("table", [COMMANDS, USAGE, INSIDE, PLANS, TOPICS, SENTENCES])
def test_every_language_has_each_word(language: str, table: str) -> None:
    assert list(listed(table, language)) == list(listed(table, ENGLISH))
    assert all(listed(table, language).values()) or table == SENTENCES


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_each_word_of_time(language: str) -> None:
    assert set(listed(TIME, ENGLISH)) <= set(listed(TIME, language)) <= {*listed(TIME, ENGLISH), "further_weekdays"}


def test_every_command_has_words_and_a_usage_and_none_is_left_over() -> None:
    keys = {spec.key for spec in SPECS}
    assert keys == set(listed(USAGE, ENGLISH))
    assert {key for spec in SPECS for key in spec.opens} == set(listed(COMMANDS, ENGLISH))
    assert set(HELP_TOPICS) == set(listed(TOPICS, ENGLISH))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_a_usage_begins_as_its_command_is_written(language: str, spec: object) -> None:
    key, opens = spec.key, spec.opens[0]  # type: ignore[attr-defined]
    assert usage(key, language).upper().startswith(word(opens, language).upper())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_usage_is_shown_in_the_reader_s_language(language: str) -> None:
    seen = parse(f"{word('mails', language)} !?", language)
    assert seen == Misused(usage("mails", language), Need.TOKEN)


@pytest.mark.parametrize(("language", "key"), [(own, key) for own in LANGUAGES for key in HELP_TOPICS])
def test_topics_of_help_are_found_in_each_language(language: str, key: str) -> None:
    assert {topic(text, language) for text in listed(TOPICS, language)[key]} == {key}
    assert topic(key, language) == key


TODAY = date(2026, 11, 30)
DAYS = {
    "24 Dec": date(2026, 12, 24),
    "24 décembre": date(2026, 12, 24),
    "1er janvier": date(2027, 1, 1),
    "op 3 maart": date(2027, 3, 3),
    "3. März": date(2027, 3, 3),
    "le 2 janv.": date(2027, 1, 2),
    "24.12.": date(2026, 12, 24),
    "24.12.26": date(2026, 12, 24),
    "24/12": date(2026, 12, 24),
    "12月24日": date(2026, 12, 24),
    "2027年1月2日": date(2027, 1, 2),
    "vrijdag": date(2026, 12, 4),
    "am Freitag": date(2026, 12, 4),
    "vendredi": date(2026, 12, 4),
    "星期五": date(2026, 12, 4),
    "禮拜天": date(2026, 12, 6),
    "vandaag": TODAY,
    "morgen": TODAY + timedelta(1),
    "demain": TODAY + timedelta(1),
    "明天": TODAY + timedelta(1),
}


@pytest.mark.parametrize(("text", "meant"), DAYS.items())
def test_a_day_is_read_in_every_language(text: str, meant: date) -> None:
    assert {day(text, TODAY, TODAY, language) for language in LANGUAGES} == {meant}


@pytest.mark.parametrize(
    ("language", "meant"), [("nl", date(2027, 4, 3)), ("fr", date(2027, 4, 3)), ("zh_Hant", date(2027, 3, 4))]
)
def test_two_numbers_are_a_day_and_a_month_as_the_language_has_them(language: str, meant: date) -> None:
    assert day("3/4", TODAY, TODAY, language) == meant


def test_two_numbers_that_may_be_either_mean_no_day_in_english() -> None:
    with pytest.raises(ValueError, match="3"):
        day("3/4", TODAY, TODAY)


LENGTHS = {
    "24h": 24,
    "2 dagen": 48,
    "3 jours": 72,
    "48 Std": 48,
    "兩天": 48,
    "2 uur": 2,
    "1 semaine": 168,
    "三個小時": 3,
    "12 heures": 12,
    "2 Tage": 48,
    "2 weken": 336,
}


@pytest.mark.parametrize(("text", "hours"), LENGTHS.items())
def test_a_length_is_read_in_every_language(text: str, hours: int) -> None:
    found = length(text)
    assert found is not None
    assert found.time == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["2 foo", "dagen", "", "2", "24hx"])
def test_what_has_no_unit_is_no_length_of_time(text: str) -> None:
    found = length(text)
    assert found is None or not found.time


@pytest.mark.parametrize("line", ["Ja.", "oui !", "D'accord", "Jawohl", "好的\uff01", "同意。", "OK"])
def test_people_agree_in_their_own_words(line: str) -> None:
    assert agrees(line)


def test_moderators_words_need_a_moderator_in_every_language() -> None:
    for spec in OVERRIDING:
        for language in LANGUAGES:
            for text in (text for key in spec.opens for text in spellings(key, language)):
                parsed = parse(text.upper(), language)
                need = parsed.need if isinstance(parsed, Misused) else parsed[1] if parsed else Need.MODERATOR
                assert need is Need.MODERATOR or len({each.need for each in SPECS if spec.opens[0] in each.opens}) > 1


def test_a_word_is_written_in_capitals_in_the_language_asked_for() -> None:
    assert [word("away", language) for language in LANGUAGES] == ["AWAY", "WEG", "ABSENT", "ABWESEND", "離開"]


def test_the_page_of_words_is_true() -> None:
    assert DOCUMENT.read_text("utf-8") == document(), "python -m tests.order_words writes it anew"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_can_be_called_as_a_word_of_any_language(language: str) -> None:
    sitting = Sitting.at_night()
    known = sitting.known(Party(Role.PERSON, "eva@example.org"))
    draft = Draft(known=known, mail=Mail(lines=(), received_at=NOW), to=known.party, person=None)
    words = [spellings(key, language)[0] for key in ("resign", "status", "if", "else", "wait")]
    for name in (*words, listed(SENTENCES, language)["nobody"][1]):
        with pytest.raises(Refused) as refused:
            good_name(draft, name.capitalize(), "")
        assert refused.value.reason in (Reason.NAME_RESERVED, Reason.NAME_BAD)


@pytest.mark.parametrize("line", ["Fin.", "Pause", "Ende", "einde"])
def test_what_a_player_ends_his_mail_with_is_no_word_of_the_moderators(line: str) -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "PASS", line)
    assert [each.said for each in verdict.lines] == [Said.DONE] or line == "Pause", "PAUSE is English too"


@pytest.mark.parametrize(
    ("line", "done"),
    [("PAUZE, omdat Anna ziek is", True), ("Pause, weil Anna krank ist", True), ("暫停", True), ("FIN", False)],
)
def test_a_moderator_writes_in_his_own_language(line: str, done: bool) -> None:
    sitting = Sitting.at_night()
    verdict = sitting.moderator(line)
    assert [each.said for each in verdict.lines] == [Said.DONE if done else Said.ANSWERED], (
        "a costly word asks for a code"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_mail_programs_and_people_write_around_orders_is_prose_for_every_reader(language: str) -> None:
    written = [line for each in wordings().values() for text in astuple(each) for line in text.split("|")]
    assert [line for line in written if looks(line, VERBS, language).kind is not Kind.PROSE] == []


def test_a_word_that_is_hardly_another_one_is_offered_in_the_reader_s_language() -> None:
    assert "REGISTREER Anna" in looks("REGISTREEER Anna", VERBS, "nl").near


@pytest.mark.parametrize("line", ["Inschrijven Pieter", "Schrijf me in Pieter"])
def test_a_dutch_newcomer_may_put_himself_down_by_the_word_he_knows(line: str) -> None:
    """An invitation in another language than his own shows no word of his."""
    assert parse(line, "fr") == parse("REGISTER Pieter")
