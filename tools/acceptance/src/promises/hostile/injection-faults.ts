import { canary } from './injections.ts';

/** Characters that must not be in a log line or a head, because they end or overwrite it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the check looks for them.
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Returns log lines that are not one JSON object, contain control characters, or were forged by a client. */
export function logFaults(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        return [`a line is not JSON: ${JSON.stringify(line.slice(0, 100))}`];
      }
      if (typeof value !== 'object' || value === null || 'forged' in value) return [`a line is forged: ${line}`];
      return unsafe.test(line) ? [`a line contains a control character: ${JSON.stringify(line.slice(0, 200))}`] : [];
    });
}

/** Returns the faults of responses that must be one response with fields of the server. */
export function headFaults(text: string, statuses: readonly number[]): string[] {
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  const [, ...fields] = head.split('\r\n');
  return [
    ...(statuses.length === 1 ? [] : [`${statuses.length} responses`]),
    ...(statuses.some((status) => status >= 500 && status !== 501) ? [`status ${statuses}`] : []),
    ...fields.flatMap((field) => {
      const name = /^([\w-]+): /.exec(field)?.[1];
      if (name === undefined) return [`a line of the head is not a field: ${JSON.stringify(field)}`];
      if (name.toLowerCase().includes(canary)) return [`a field of the client: ${field}`];
      return unsafe.test(field) ? [`a field contains a control character: ${JSON.stringify(field)}`] : [];
    }),
  ];
}

/** Returns metrics lines that are not in the Prometheus format or contain sent text. */
export function metricsFaults(text: string): string[] {
  const isLine = /^(?:#.*|[a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*\})? [-+\w.]+(?: \d+)?)?$/;
  return text
    .split('\n')
    .filter((line) => !isLine.test(line) || line.includes(canary) || unsafe.test(line))
    .map((line) => `a line of the metrics: ${JSON.stringify(line.slice(0, 200))}`);
}
