"""What the README and the documents show is what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from typer.main import get_command

from pbem.cli import app
from tests.mails import FOLDER
from tests.mails.readme import README, SCENE, with_mail

ROOT: Final = README.parent
PAGES: Final = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
_OPTION: Final = re.compile(r"(?:^    (?:\S*/)?|`)pbem ([a-z]+)\b([^`\n]*)", re.M)
_LINK: Final = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def test_the_mail_in_the_readme_is_the_one_that_players_get() -> None:
    text = README.read_text("utf-8")
    assert text == with_mail(text, (FOLDER / f"{SCENE}.txt").read_text("utf-8")), "python -m tests.mails writes it"


@every_page
def test_every_command_and_option_of_pbem_that_a_page_shows_is_one(page: Path) -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    for name, rest in _OPTION.findall(page.read_text("utf-8")):
        assert name in commands, name
        known = {
            option for parameter in commands[name].params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        assert set(re.findall(r"--[a-z-]+", rest)) <= known | {"--help"}, (name, rest)


@every_page
def test_every_link_to_a_file_leads_to_one(page: Path) -> None:
    for link in _LINK.findall(page.read_text("utf-8")):
        assert (page.parent / link).exists(), link


def test_the_list_of_documents_names_each() -> None:
    listed = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert [page.name for page in (ROOT / "docs").glob("*.md") if f"({page.name})" not in listed] == ["index.md"]
