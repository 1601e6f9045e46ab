import type { Metric, Registry } from 'prom-client';
import { createBytesWriter } from '../steps/bytes-writer.ts';
import { runInSlices, type SliceOptions, type Steps } from '../steps/index.ts';

/** A metric with so many series that requests should be served while they are written. */
export interface SteppedMetric {
  /** Writes what `registry.getSingleMetricAsString` gives. */
  writeSteps(write: (text: string) => void): Steps<void>;
}

/** The text form of Prometheus in UTF-8, as `registry.metrics()` gives it; long metrics are written in slices. */
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

/** Labels as they stand between the braces. */
export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\\n"]/g, escapeCharacter)}"`)
    .join(',');
}

const escapeCharacter = (character: string) => (character === '\n' ? '\\n' : `\\${character}`);
