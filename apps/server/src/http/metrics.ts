import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Figures of the HTTP part; the one place that knows the metrics library. */
export interface HttpMetrics {
  call(name: string, code: number, millis: number): void;
  relay(status: number, millis: number): void;
  /** Text in the exposition format, and its content type. */
  read(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** A figure that somebody else keeps: read when /metrics is read. */
export interface KeptMetric {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  read(): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function keep(registry: Registry, metric: KeptMetric): void {
  const { name, help } = metric;
  const gauge = new Gauge({
    ...{ name, help, labelNames: [...metric.labelNames], registers: [registry] },
    collect() {
      // What is no longer there must not stay at its last value.
      gauge.reset();
      for (const { labels, value } of metric.read()) gauge.set({ ...labels }, value);
    },
  });
}

/**
 * Makes the figures. `processMetrics` adds memory, CPU and event-loop lag of the process, `kept` those of other parts.
 */
export function httpMetrics(options: {
  readonly processMetrics: boolean;
  readonly kept?: readonly KeptMetric[];
}): HttpMetrics {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  for (const metric of options.kept ?? []) keep(registry, metric);
  const calls = new Counter({
    name: 'crossbook_calls_total',
    help: 'Own-service calls by name and answered code.',
    labelNames: ['call', 'code'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'crossbook_call_seconds',
    help: 'Time to answer an own-service call.',
    labelNames: ['call'],
    buckets: SECONDS,
    registers: [registry],
  });
  const relays = new Histogram({
    name: 'crossbook_relay_seconds',
    help: 'Time to relay a market-data request, by upstream status.',
    labelNames: ['status'],
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    call(name, code, millis) {
      calls.inc({ call: name, code: String(code) });
      seconds.observe({ call: name }, millis / 1000);
    },
    relay(status, millis) {
      relays.observe({ status: String(status) }, millis / 1000);
    },
    async read() {
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}
