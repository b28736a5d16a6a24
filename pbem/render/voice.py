"""The templates of the host and of one game, in one language: an environment that lives as long as the process.

Host templates are found by their name, those of the game under ``game/``. A new environment for each
mail would cost eleven milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    PrefixLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    pass_eval_context,
)
from jinja2.environment import TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from engine.game import AnyGame
from pbem.filters import filters, one_line
from pbem.render.catalogue import Phrases, Plurals, catalogue, spoken

Folders = Path | Sequence[Path]
"""Where the host's templates are: one folder, or several of which the first that has a template counts."""
_HTML: Final = ".html.j2"
_PLAIN: Final = '<pre style="margin:8px 0;white-space:pre-wrap;font:13px/1.4 Consolas,Menlo,monospace">{}</pre>'
_XML: Final = ".xml.j2"
_REMEMBERED: Final = 512
"""Arguments, of a macro: there are fewer cards."""
_PRINTED: Final = bytes(range(0x20, 0x7F)) + b"\n"
_CONTROLS: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """`text` without what would move or turn the text around it: control characters and marks of direction."""
    if text.isascii() and not text.encode().translate(None, delete=_PRINTED):
        return text  # as most are
    return _CONTROLS.sub("", text)


class Voice:
    """How the host and one game speak."""

    def __init__(self, folder: Folders, game: AnyGame | None, language: str = "en") -> None:
        self._environment = _environment(folder, game, language)
        self._templates: dict[str, Template] = {}
        self._macros: dict[tuple[str, str], Callable[..., str]] = {}
        self._there: dict[str, bool] = {}

    def text(self, template: str, context: Mapping[str, Any]) -> str:
        """The template filled in, without blank lines around it."""
        return self._template(template).render(context).strip("\n")

    def _template(self, name: str) -> Template:
        """Jinja keeps templates too, but looks longer for them."""
        if name not in self._templates:
            self._templates[name] = self._environment.get_template(name)
        return self._templates[name]

    def say(self, template: str, macro: str, *arguments: object) -> str:
        """What a macro says, as one line."""
        if (template, macro) not in self._macros:
            module = self._template(template).module
            self._macros[template, macro] = getattr(module, macro)
        return one_line(self._macros[template, macro](*arguments))

    def lines(self, template: str, macro: str, *arguments: object) -> tuple[str, ...]:
        """What a macro says, a sentence a line."""
        told = str(getattr(self._template(template).module, macro)(*arguments))
        return tuple(line.strip() for line in told.splitlines() if line.strip())

    def pair(self, name: str, context: Mapping[str, Any]) -> tuple[str, Markup]:
        """The template `name` as text and as HTML; where there is no form for HTML its text stands as it is.

        What the one for text has set stands ready in the one for HTML: so both say the same, put into words once.
        """
        module = self._template(f"{name}.txt.j2").make_module(dict(context))
        text = str(module).strip("\n")
        if self.knows(f"{name}{_HTML}"):
            return text, Markup(self.text(f"{name}{_HTML}", {**context, **vars(module)}))
        return text, Markup(_PLAIN).format(escape(text)) if text else Markup()

    def knows(self, template: str) -> bool:
        """Whether there is such a template."""
        if template not in self._there:
            try:
                self._template(template)
                self._there[template] = True
            except TemplateNotFound:
                self._there[template] = False
        return self._there[template]


def remembered(macro: Macro) -> Callable[..., str]:
    """`macro`, asked once for the same arguments: for one that says all of few values, as the cards of a game.

    A template binds it to the macro's own name. Names of people, or a position, would only fill the memory.
    """
    return _Remembered(macro)


class _Remembered:
    __slots__ = ("_macro", "_said")

    def __init__(self, macro: Macro) -> None:
        self._macro = macro
        self._said = lru_cache(maxsize=_REMEMBERED, typed=True)(self._say)

    @pass_eval_context
    def __call__(self, *arguments: object, **named: object) -> str:
        """What the macro says: to a template, which comes first with its context, or to anybody, as macros do."""
        context, *rest = arguments
        if not isinstance(context, EvalContext):
            return self._macro(*arguments, **named)
        return self._said(context.environment, context.autoescape, *rest, **named)

    def _say(self, environment: Environment, escaped: bool, *arguments: object, **named: object) -> str:
        context = EvalContext(environment)
        context.autoescape = escaped
        return self._macro(context, *arguments, **named)


_SPOKEN: Final = (Macro, _Remembered)
_TRANSLATED: Final = (Phrases, Plurals)
_HANDLED: Final = (*_SPOKEN, *_TRANSLATED)


class _Context(Context):
    """A context that calls macros and plain functions at once.

    Jinja asks of each callable, at each call, what it wants handed in; that takes as long as all else in a template.
    """

    def call(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """What `function` gives; where it wants the context or the environment, by Jinja's own way."""
        kind = function.__class__
        if kind not in _HANDLED and hasattr(function, "jinja_pass_arg"):
            return super().call(function, *arguments, **named)
        if named:
            named.pop("_block_vars", None)
            named.pop("_loop_vars", None)
        if kind in _SPOKEN:
            return function(self.eval_ctx, *arguments, **named)
        if kind in _TRANSLATED:
            return function(self.eval_ctx.autoescape, *arguments, **named)
        return function(*arguments, **named)


class _Template(Template):
    """A template whose imports see what it sees itself: no globals are ever added for one of them."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:  # noqa: ARG002
        """The module without the comparison of globals that Jinja makes at each import."""
        if self._module is None:
            self._module = self.make_module()
        return self._module


class _Environment(Environment):
    context_class = _Context
    template_class = _Template

    def make_globals(self, d: Mapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain mapping: the chain of two that Jinja makes is slow to copy, which happens at each rendering."""
        return {**self.globals, **(d or {})}


def _environment(folder: Folders, game: AnyGame | None, language: str) -> Environment:
    environment = _Environment(
        extensions=["jinja2.ext.i18n"],
        loader=_loader(folder, game),
        undefined=StrictUndefined,
        autoescape=_is_html,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(filters(language))
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]  # by the extension: what it calls is `Phrases`
    environment.globals.update(spoken(catalogue(language, game.package if game else None)))
    environment.globals.update(remembered=remembered, language=language)
    if game is not None:
        show = game.capabilities.get("show")
        # Templates ask by a dot: in a mapping Jinja would look for an attribute first, in vain at each call.
        environment.globals["show"] = SimpleNamespace(**show(language) if show else {})
    return environment


def _is_html(name: str | None) -> bool:
    return name is not None and name.endswith((_HTML, _XML))


def _loader(folder: Folders, game: AnyGame | None) -> BaseLoader:
    host = FileSystemLoader(folder)
    return ChoiceLoader([host, PrefixLoader({"game": PackageLoader(game.package)})]) if game else host
