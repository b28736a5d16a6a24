"""The audit of packages: what it finds without a network."""

from __future__ import annotations

import pytest

from tests import audit


def test_every_package_has_its_version_from_the_constraints_and_a_licence_that_may_be_used() -> None:
    # pip check, which takes seconds, is left to make audit.
    assert [flaw for flaw in audit.unfit() if "is installed" not in flaw] == []


def test_another_version_and_another_licence_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "pinned", lambda: {"pytest": "0.1", "chess": "1.11.2", "not-there": "1"})
    monkeypatch.setattr(audit, "_LOOKED_AT", {})
    version, licence = audit.unfit()
    assert "constraints.txt names 0.1" in version
    assert licence.startswith("chess has a licence that nobody has looked at")


def test_where_the_list_of_flaws_cannot_be_reached_nothing_is_said_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "flaws", lambda: iter(()))
    monkeypatch.setattr(audit, "known_flaws", lambda: None)
    assert audit.main([]) == 0
    assert "cannot be reached from here: nothing is said of those" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('{"dependencies": [{"name": "jinja2", "version": "2.4.1", "vulns": [{"id": "CVE-2019-10906"}]}]}', True),
        ('{"dependencies": [{"name": "jinja2", "version": "2.4.1", "vulns": []}]}', False),
        ('{"dependencies": [{"name": "jinja2", "skip_reason": "not found"}]}', False),
        ("", False),
        ("[]", False),
    ],
)
def test_the_list_is_believed_only_where_it_tells_of_a_flaw_that_there_is(answer: str, told: bool) -> None:
    assert audit.tells(answer) is told
