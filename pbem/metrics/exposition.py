"""Numbers in the form that Prometheus reads, at a port of this machine and in a file.

The only place of prometheus_client, which is in the extra ``metrics``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from pbem.counting import BOUNDS, Counts, PassEnd, Times
from pbem.files import write_whole
from pbem.metrics.figures import COUNTED, FAULTS, HANDLING, LAST_PASS, Figure, Kind, Numbers
from pbem.metrics.server import serving

log = structlog.get_logger()

_READABLE: Final = 0o644
"""The node exporter is another user, and has to read the file."""


class _Collector(Collector):
    """`Numbers` as prometheus_client asks for them."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    def collect(self) -> Iterator[Metric]:
        """All of them, as they are now."""
        yield from map(_family, self._numbers.figures())
        yield _histogram(self._numbers.counts.handling)


_FAMILIES: Final = {Kind.COUNTER: CounterMetricFamily, Kind.GAUGE: GaugeMetricFamily}


def _family(figure: Figure) -> Metric:
    family: Metric = _FAMILIES[figure.kind](figure.name, figure.says, labels=(figure.label,) if figure.label else ())
    for of, value in figure.values.items():
        family.add_sample(figure.name, {figure.label: of} if figure.label else {}, value)
    return family


def _histogram(times: Times) -> Metric:
    classes = [(str(bound), float(count)) for bound, count in times.up_to()]
    classes[-1] = ("+Inf", classes[-1][1])
    return HistogramMetricFamily(HANDLING, "Time that a mail took to be handled.", classes, times.total)


def _registry(numbers: Numbers) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(_Collector(numbers))
    return registry


@contextmanager
def served(address: str, port: int, numbers: Numbers) -> Iterator[None]:
    """Answer whoever asks at `port` (0: nobody) with the numbers, in a thread of its own, while the context lasts.

    A port that cannot be had is a line in the log: games go on without numbers.
    """
    if not port:
        yield
        return
    registry = _registry(numbers)
    ProcessCollector(registry=registry)
    with ExitStack() as stack:
        try:
            stack.enter_context(serving(address, port, make_wsgi_app(registry)))
        except OSError as error:
            log.error("no numbers are shown, since the port cannot be used", port=port, trouble=error.strerror)
        yield


def write(file: Path, numbers: Numbers) -> None:
    """Let `file` hold the numbers, whole. What keeps it from that is in the log, and keeps the host from nothing."""
    try:
        write_whole(file, generate_latest(_registry(numbers)), _READABLE, exactly=True)
    except OSError as error:
        log.warning("the numbers could not be written", trouble=error.strerror)
    except Exception:
        log.exception("the numbers could not be taken")


def go_on_from(file: Path, counts: Counts) -> None:
    """Count on from what the process before has written into `file`; from nothing where that cannot be read."""
    try:
        for family in text_string_to_metric_families(file.read_text("utf-8")):
            for sample in family.samples:
                _TAKING_OVER.get(sample.name, _nothing)(counts, sample)
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError) as error:
        log.warning("the numbers of before cannot be read, so some begin anew", trouble=type(error).__name__)


def _nothing(_counts: Counts, _sample: Sample) -> None: ...


def _counted(counts: Counts, sample: Sample) -> None:
    kind, label = next((kind, label) for kind, (name, label, _) in COUNTED.items() if name == sample.name)
    if sample.labels.get(label) in counts.of[kind]:
        counts.of[kind][sample.labels[label]] = int(sample.value)


def _failed(counts: Counts, sample: Sample) -> None:
    counts.faults = int(sample.value)


def _passed(counts: Counts, sample: Sample) -> None:
    counts.last[PassEnd(sample.labels["outcome"])] = sample.value


def _took(counts: Counts, sample: Sample) -> None:
    """A class holds what is up to its bound, and those before it too: they come in order."""
    classes, bound = counts.handling.classes, float(sample.labels["le"])
    if bound in BOUNDS:
        at = BOUNDS.index(bound)
        classes[at] = int(sample.value) - sum(classes[:at])


def _took_together(counts: Counts, sample: Sample) -> None:
    counts.handling.total = sample.value


_TAKING_OVER: Final[Mapping[str, Callable[[Counts, Sample], None]]] = {
    **{name: _counted for name, _, _ in COUNTED.values()},
    FAULTS: _failed,
    LAST_PASS: _passed,
    f"{HANDLING}_bucket": _took,
    f"{HANDLING}_sum": _took_together,
}
"""By name of a sample: how its value is taken over."""
