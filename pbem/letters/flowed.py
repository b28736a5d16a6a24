"""format=flowed (RFC 3676): paragraphs that the client has broken are put together again."""

from __future__ import annotations

from typing import Final

_SIGNATURE: Final = "-- "


def unflowed(lines: list[str], delsp: bool) -> list[str]:
    """The lines as they were typed. Quote marks stay in front, as many as the line's depth.

    `delsp` is the parameter of that name: the space that says "goes on" is then not part of the text.
    """
    whole: list[list[str]] = []
    open_depth: int | None = None
    for line in lines:
        depth, text = _unstuffed(line)
        goes_on = text.endswith(" ") and text != _SIGNATURE
        kept = text[:-1] if goes_on and delsp else text
        if open_depth == depth and text != _SIGNATURE:
            whole[-1].append(kept)
        else:
            whole.append([f"{'>' * depth} " if depth else "", kept])
        open_depth = depth if goes_on else None
    return ["".join(pieces) for pieces in whole]


def _unstuffed(line: str) -> tuple[int, str]:
    text = line.lstrip(">")
    depth = len(line) - len(text)
    return depth, text[1:] if text.startswith(" ") else text
