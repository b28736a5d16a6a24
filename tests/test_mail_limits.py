"""Every mail in HTML survives the mail programs of its readers, and the check that says so can fail."""

from __future__ import annotations

import pytest

from tests.mails import SCENES, digest
from tests.mails.limits import contrast, faults

WHOLE = SCENES["turn-at-night"]().rendered.html


@pytest.mark.parametrize("language", ["en", "zh_Hant"])
@pytest.mark.parametrize("name", SCENES)
def test_nothing_of_a_mail_is_lost_in_any_mail_program(name: str, language: str) -> None:
    rendered = SCENES[name]().in_language(language).rendered
    size = len(rendered.picture.png) * 4 // 3 if rendered.picture else 0
    assert faults(rendered.html, size) == []


def test_nothing_of_a_digest_is_lost() -> None:
    page = digest()
    assert faults(page) == []
    assert (page.count("answer above"), page.count("<img"), page.count("Your hand")) == (1, 0, 1)


@pytest.mark.parametrize(
    ("changed", "into", "fault"),
    [
        ("</body>", "<script>1</script></body>", "<script> does not survive"),
        ("</body>", "<p onclick='x'>x</p></body>", "onclick: a script"),
        ("</body>", "<p><a href='https://example.org'>x</a></p></body>", "from outside"),
        ("</body>", "<p style='position:fixed'>x</p></body>", "position is not known everywhere"),
        ("</body>", "<p style='display:flex'>x</p></body>", "display: flex"),
        ("</body>", "<p style='width:600px'>x</p></body>", "wider than a phone"),
        ("</body>", "<p style='background:url(x.png)'>x</p></body>", "loaded from outside"),
        ("</body>", "<p class='f'>x</p></body>", "a class and no style"),
        ("</body>", "<p style='color:#aaaaaa'>x</p></body>", "light: 'x'"),
        ("</body>", "<p style='color:#3b2a1c'>x</p></body>", "dark: 'x'"),
        ("</body>", "<table><tr><td>x</td></tr></table></body>", "without heads"),
        ("</body>", "<table role='presentation'><tr><td>" * 5 + "x", "5 tables within"),
        ("</body>", "<h1 style='margin:0'>x</h1></body>", "headings"),
        ("</body>", "x" * 100_000, "bytes"),
        (' lang="en"', "", "no language"),
        (' alt="', ' title="', "no words in its place"),
        ('src="cid:', 'src="x', "loaded from outside"),
        ("color-scheme", "scheme", "nothing about colors"),
    ],
)
def test_what_a_mail_program_would_lose_is_found(changed: str, into: str, fault: str) -> None:
    assert changed in WHOLE
    assert any(fault in each for each in faults(WHOLE.replace(changed, into)))


def test_black_on_white_is_the_most_and_a_color_on_itself_the_least_contrast() -> None:
    assert round(contrast("#000000", "#ffffff")) == 21
    assert contrast("#4c7436", "#4c7436") == 1
