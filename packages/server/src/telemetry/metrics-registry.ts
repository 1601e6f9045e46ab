import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { createBytesWriter, runInSlices, type SliceOptions, type Steps } from '../steps.ts';

/** The metric of the uptime: of several processes, that of the one that has run longest. */
export const uptimeName = 'process_uptime_seconds';

/** Returns a registry with the metrics of every server: those of the process, its uptime and its version. */
export function createRegistry(service: string, version: string, uptimeSeconds: () => number): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: uptimeName,
    help: 'Seconds since the process started.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(uptimeSeconds());
    },
  });
  new Gauge({
    name: 'service_info',
    help: 'Name and version of the server; always 1.',
    aggregator: 'first',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service, version }, 1);
  return registry;
}

/** A metric with so many series that requests are served while it is written. */
export interface SteppedMetric {
  /** Writes the same text as `registry.getSingleMetricAsString`. */
  writeSteps(write: (text: string) => void): Steps<void>;
}

/** Returns the Prometheus text form in UTF-8, the same as `registry.metrics()`. Writes long metrics in slices. */
export async function writeMetricsText(registry: Registry, options?: SliceOptions): Promise<Buffer> {
  const { write, end } = createBytesWriter();
  let separator = '';
  for (const metric of registry.getMetricsAsArray() as unknown as readonly (SteppedMetric | Metric)[]) {
    write(separator);
    if ('writeSteps' in metric) await runInSlices(metric.writeSteps(write), options);
    else write(await registry.getSingleMetricAsString((metric as unknown as { readonly name: string }).name));
    separator = '\n\n';
  }
  write('\n');
  return end();
}
