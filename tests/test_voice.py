"""How templates of a game become the two forms of a mail."""

from __future__ import annotations

from pathlib import Path

from pbem.render.voice import Voice


def test_what_the_text_has_put_into_words_stands_escaped_in_the_html(tmp_path: Path) -> None:
    """And it is put into words once, so that both forms cannot differ."""
    asked: list[str] = []

    def remark(name: str) -> str:
        asked.append(name)
        return f"for {name}"

    (tmp_path / "orders.txt.j2").write_text('{% set said = remark(name) %}PASS ({{ said }}){% set _hidden = "x" %}')
    (tmp_path / "orders.html.j2").write_text("<b>PASS</b> ({{ said }}){{ _hidden is defined }}")
    text, html = Voice(tmp_path, None).pair("orders", {"name": "Bob & Co", "remark": remark})
    assert text == "PASS (for Bob & Co)"
    assert html == "<b>PASS</b> (for Bob &amp; Co)False"
    assert asked == ["Bob & Co"]
