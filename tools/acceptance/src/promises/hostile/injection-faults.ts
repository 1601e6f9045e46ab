import { canary } from './injections.ts';

/** What must not stand in a line of a log, or in a head, as it is: it would end the line, or write over it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Each line of a log is one value of JSON, holds nothing that moves a cursor, and is none that a caller wrote. */
export function logFaults(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        return [`a line is no JSON: ${JSON.stringify(line.slice(0, 100))}`];
      }
      if (typeof value !== 'object' || value === null || 'forged' in value) return [`a line is forged: ${line}`];
      return unsafe.test(line) ? [`a line holds a control character: ${JSON.stringify(line.slice(0, 200))}`] : [];
    });
}

/** One answer, of fields that the server means. */
export function headFaults(text: string, statuses: readonly number[]): string[] {
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  const [, ...fields] = head.split('\r\n');
  return [
    ...(statuses.length === 1 ? [] : [`${statuses.length} answers`]),
    ...(statuses.some((status) => status >= 500 && status !== 501) ? [`answered ${statuses}`] : []),
    ...fields.flatMap((field) => {
      const name = /^([\w-]+): /.exec(field)?.[1];
      if (name === undefined) return [`a line of the head is no field: ${JSON.stringify(field)}`];
      if (name.toLowerCase().includes(canary)) return [`a field of the caller's: ${field}`];
      return unsafe.test(field) ? [`a field holds a control character: ${JSON.stringify(field)}`] : [];
    }),
  ];
}

/** In the text format of Prometheus, and with nothing of any caller's. */
export function metricsFaults(text: string): string[] {
  const isLine = /^(?:#.*|[a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*\})? [-+\w.]+(?: \d+)?)?$/;
  return text
    .split('\n')
    .filter((line) => !isLine.test(line) || line.includes(canary) || unsafe.test(line))
    .map((line) => `a line of the metrics: ${JSON.stringify(line.slice(0, 200))}`);
}
