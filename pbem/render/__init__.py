"""How mails look: the only place of Jinja. Values in, a subject and two texts out; no I/O but templates."""

from __future__ import annotations

from pbem.commands.questions import HELP_TOPICS
from pbem.render.machine import machine
from pbem.render.renderer import Rendered, Renderer
from pbem.render.scene import MailFacts

__all__ = ["HELP_TOPICS", "MailFacts", "Rendered", "Renderer", "machine"]
