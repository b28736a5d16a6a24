"""What mail programs leave of a mail in HTML: everything in it has to survive Gmail, Outlook, Apple Mail and phones.

Gmail drops ``style`` where it does not like it, and cuts a mail at 102 kB; Outlook lays out with Word, which knows
tables and little else; most show pictures only when they are asked to. `faults` names what one of them would lose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from lxml import html  # type: ignore[import-untyped]

LARGEST: Final = 100_000
"""Bytes, with what the mail shows."""
DEEPEST: Final = 4
"""Tables within one another."""
NARROWEST: Final = 336
"""Pixels that a mail has on a phone 360 wide: nothing may be made wider."""
LEAST_CONTRAST: Final = 4.5
"""Between a text and what it stands on (WCAG 2, AA)."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ELEMENTS: Final = _names(
    "html head meta title style body table tr th td h1 h2 p div span b i code pre br blockquote img ul ol li"
)
PROPERTIES: Final = _names(
    """
    background border border-bottom border-collapse border-left border-right border-top border-width color display
    font font-size font-style font-weight height line-height margin margin-bottom margin-left margin-right margin-top
    max-height max-width mso-hide overflow overflow-wrap padding padding-bottom padding-left padding-right padding-top
    text-align text-indent vertical-align white-space width
    """
)
"""No positions, floats, flexes or grids; ``overflow-wrap`` and ``max-width`` may be ignored and nothing is lost."""
DISPLAYS: Final = frozenset({"block", "none"})

_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_DARK: Final = re.compile(r"@media \(prefers-color-scheme: dark\) \{((?:[^{}]+\{[^{}]*\})*)\s*\}")
_COLOR: Final = re.compile("#[0-9a-f]{6}")
_PIXELS: Final = re.compile(r"(\d+)(?:px)?")


@dataclass(frozen=True, slots=True)
class Light:
    """How a text stands there."""

    ink: str
    ground: str


def faults(page: str, beside: int = 0) -> list[str]:
    """What is wrong with a mail in HTML; `beside` are the bytes of what comes with it."""
    root = html.document_fromstring(page)
    found = [*_of_the_whole(root, len(page.encode()) + beside), *_in_order(root)]
    for element in root.iter(html.etree.Element):
        found += [f"<{element.tag}> {fault}" for fault in _of(element)]
    rules = _dark_rules(root)
    for scheme, classes in (("light", {}), ("dark", rules)):
        found += [f"{scheme}: {fault}" for fault in _faint(root.body, Light("#000000", "#ffffff"), classes)]
    return found


def _of_the_whole(root: html.HtmlElement, size: int) -> Iterator[str]:
    if size > LARGEST:
        yield f"{size} bytes"
    if not root.get("lang") or not root.xpath("//body/table[@lang]"):
        yield "no language on <html>, or, for Gmail, which drops it, on the first table"
    if not (root.findtext(".//title") or "").strip():
        yield "no title"
    metas = {meta.get("name"): meta.get("content") for meta in root.iter("meta")}
    if metas.get("color-scheme") != "light dark" or not metas.get("viewport"):
        yield "nothing about colors and the width of a phone"
    if any("url(" in (style.text or "") or "@import" in (style.text or "") for style in root.iter("style")):
        yield "a style from outside"
    deepest = max((len(list(table.iterancestors("table"))) + 1 for table in root.iter("table")), default=0)
    if deepest > DEEPEST:
        yield f"{deepest} tables within one another"


def _in_order(root: html.HtmlElement) -> Iterator[str]:
    """Headings are how a screen reader finds its way."""
    levels = [int(element.tag[1]) for element in root.iter("h1", "h2", "h3")]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"headings {levels}: one first, of the first level"
    for table in root.iter("table"):
        heads = table.xpath("./tr/th | ./tbody/tr/th")
        if not heads and table.get("role") != "presentation":
            yield "a table without heads that does not say it is for looks alone"


def _of(element: html.HtmlElement) -> Iterator[str]:
    if element.tag not in ELEMENTS:
        yield "does not survive"
    for name, value in element.items():
        if name.startswith("on"):
            yield f"{name}: a script"
        if "//" in value and element.tag != "meta":
            yield f"{name}={value}: from outside"
    if element.get("class") and not element.get("style"):
        yield "has a class and no style of its own"
    if element.tag == "img":
        yield from _of_picture(element)
    yield from _of_style(element)


def _of_picture(image: html.HtmlElement) -> Iterator[str]:
    if not (image.get("alt") or "").strip():
        yield "has no words in its place"
    if not (image.get("src") or "").startswith("cid:"):
        yield "is loaded from outside"
    if not image.get("width"):
        yield "has no width: Outlook shows it as large as it is"


def _of_style(element: html.HtmlElement) -> Iterator[str]:
    for name, value in declared(element.get("style") or "").items():
        if name not in PROPERTIES:
            yield f"{name} is not known everywhere"
        if name == "display" and value not in DISPLAYS:
            yield f"display: {value} is not known everywhere"
        if name in ("width", "min-width") and (pixels := _PIXELS.fullmatch(value)) and int(pixels[1]) > NARROWEST:
            yield f"{name}: {value} is wider than a phone"
        if "url(" in value:
            yield f"{name} is loaded from outside"
        elif name in ("color", "background") and not _COLOR.fullmatch(value):
            yield f"{name}: {value} is no plain color"


def declared(style: str) -> dict[str, str]:
    """The declarations of a style by property, without what makes them important."""
    pairs = (each.split(":", 1) for each in style.split(";") if ":" in each)
    return {name.strip(): value.replace("!important", "").strip() for name, value in pairs}


def _dark_rules(root: html.HtmlElement) -> dict[str, dict[str, str]]:
    """What the dark changes, by class."""
    found: dict[str, dict[str, str]] = {}
    for style in root.iter("style"):
        for block in _DARK.findall(style.text or ""):
            for selectors, body in _RULE.findall(block):
                for selector in selectors.split(","):
                    found.setdefault(selector.strip().removeprefix("."), {}).update(declared(body))
    return found


def _faint(element: html.HtmlElement, above: Light, classes: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Texts that stand out too little from what they stand on."""
    here = declared(element.get("style") or "")
    if here.get("display") == "none":
        return
    # In the order of the rules, not of the names on the element.
    mine = [rule for name, rule in classes.items() if name in (element.get("class") or "").split()]
    for rule in mine:
        here |= rule
    now = Light(_color(here.get("color"), above.ink), _color(here.get("background"), above.ground))
    text = (element.text or "") + "".join(child.tail or "" for child in element) + (element.get("alt") or "")
    if text.strip() and contrast(now.ink, now.ground) < LEAST_CONTRAST:
        yield f"{text.strip()[:40]!r}: {now.ink} on {now.ground} is {contrast(now.ink, now.ground):.1f}"
    for child in element.iterchildren(html.etree.Element):
        yield from _faint(child, now, classes)


def _color(value: str | None, otherwise: str) -> str:
    return value if value and _COLOR.fullmatch(value) else otherwise


def contrast(one: str, other: str) -> float:
    """How much two colors differ, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
